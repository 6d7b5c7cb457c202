def attempt(scene):
    os.setpriority(os.PRIO_PGRP, int(scene["victim"]), 19)
