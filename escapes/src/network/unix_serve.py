def attempt(scene):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("socket")
    listener.listen(1)
    answer(scene, "unix " + scene.run + "/socket", listener)
