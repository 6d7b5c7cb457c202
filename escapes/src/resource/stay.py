import os, time


def until_seen(scene, step=lambda: time.sleep(0.005)):
    """Stays until the watcher has seen what the act uses, and gives up in the end."""
    end = time.monotonic() + 15
    while time.monotonic() < end:
        if os.path.exists(scene.run + "/seen"):
            return
        step()
    raise RuntimeError("nobody saw it")
