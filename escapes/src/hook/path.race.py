def attempt(scene):
    import threading, time

    link, secret, own = scene.run + "/link", scene["secret"], scene.run + "/neighbour"
    with open(own, "rb") as file:
        harmless = file.read()
    os.symlink(secret, link)
    done = threading.Event()

    def swap():
        """Lets the link name the own file and the secret by turns."""
        number = 0
        while not done.is_set():
            for target in own, secret:
                number += 1
                os.symlink(target, "%s-%d" % (link, number))
                os.replace("%s-%d" % (link, number), link)

    swapping = threading.Thread(target=swap)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    swapping.start()
    refusal, end = None, time.monotonic() + 0.5
    try:
        while time.monotonic() < end:
            try:
                with open(link, "rb") as file:
                    content = file.read()
                if content != harmless:
                    return content
            except PermissionError as error:
                # The kernel refuses what the hook missed, so which of them comes last is chance.
                if refusal is None or error.errno == 1:
                    refusal = error
        raise refusal or TimeoutError("the link never named the secret")
    finally:
        done.set()
        swapping.join()
        sys.setswitchinterval(interval)
