import socket


def attempt(scene):
    names = sorted(name for _, name in socket.if_nameindex() if name.startswith(scene.nonce[:3]))
    return "".join(name[4:] for name in names).encode()
