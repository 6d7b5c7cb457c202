import socket, struct


def attempt(scene):
    question = struct.pack("=IHHIIBBHIIIII", 40, 20, 0x301, 1, 0, socket.AF_UNIX, 0, 0, 0xFFFFFFFF, 0, 1, 0, 0)
    names = b""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4) as kernel:
        kernel.send(question)
        while True:
            try:
                answer = kernel.recv(1 << 16, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return names
            # Other sockets are none of ours.
            for part in answer.split(scene.nonce.encode())[1:]:
                names += part[:64]
