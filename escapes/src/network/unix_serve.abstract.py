def attempt(scene):
    name = scene.nonce + "-service"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\0" + name)
    listener.listen(1)
    answer(scene, "abstract " + name, listener)
