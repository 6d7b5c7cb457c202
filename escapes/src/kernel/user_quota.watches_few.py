import os
import select


def attempt(scene):
    epolls = [select.epoll() for _ in range(32)]
    for _ in range(32):
        # The file stays open; the names are closed, and their numbers serve for the next file.
        file, writer = os.pipe()
        os.close(writer)
        names = [os.dup(file) for _ in range(32)]
        for epoll in epolls:
            for name in names:
                epoll.register(name, select.EPOLLIN)
        for name in names:
            os.close(name)
    scene.show("watches")
