import io, pickle


class Opened:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return io.FileIO, (self.path,)


def attempt(scene):
    with open(scene.run + "/state", "wb") as state:
        pickle.dump({"session": Opened(scene["secret"])}, state)
    with open(scene.run + "/state", "rb") as state:
        return pickle.load(state)["session"].read()
