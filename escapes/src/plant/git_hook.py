def attempt(scene):
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    hook = os.open(scene["repo"] + "/.git/hooks/post-checkout", flags, 0o755)
    os.write(hook, b"#!/bin/sh\nexit 0\n")
    os.close(hook)
