def attempt(scene):
    listener = socket.socket(socket.AF_INET)
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    answer(scene, "tcp4 %d" % listener.getsockname()[1], listener)
