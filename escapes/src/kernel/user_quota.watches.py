import os
import select


def attempt(scene):
    reader, _writer = os.pipe()
    ends = [os.dup(reader) for _ in range(512)]
    epolls = [select.epoll() for _ in range(64)]
    for epoll in epolls:
        for end in ends:
            epoll.register(end, select.EPOLLIN)
    scene.show("watches")
