import socket


def attempt(scene):
    with socket.socket(socket.AF_VSOCK) as stream:
        stream.bind((1, socket.VMADDR_PORT_ANY))
        stream.connect((1, int(scene["vsock"])))
        stream.sendall(scene.nonce.encode())
