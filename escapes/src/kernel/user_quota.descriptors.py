import array
import socket


def attempt(scene):
    pairs = []
    with open("neighbour", "rb") as file:
        for _ in range(8):
            pairs.append(socket.socketpair())
            rights = array.array("i", [file.fileno()] * 64)
            pairs[-1][0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    scene.show("underway")
