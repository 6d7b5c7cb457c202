import pickle


def attempt(scene):
    # Protocol 0: a global, a mark, a text, a tuple of what follows the mark, a call, the end.
    opened = pickle.loads(b"cio\nopen_code\n(V" + scene["secret"].encode() + b"\ntR.")
    return opened.read()
