def attempt(scene):
    import socket

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(scene["outside"] + "/new")
