# The network works, or is refused at once with OSError, and the program goes on. A pair of
# connected sockets inside the program works.


def work(scene):
    import socket, urllib.error, urllib.request

    for act in (listen, datagram, resolve, fetch):
        try:
            act(scene, socket, urllib.request)
        except OSError:
            pass
    near, far = socket.socketpair()
    near.sendall(b"x" * 1000)
    near.shutdown(socket.SHUT_WR)
    received = b""
    while len(received) < 1000:
        received += far.recv(4096)
    assert received == b"x" * 1000 and far.recv(1) == b""


def listen(scene, socket, request):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        with socket.create_connection(listener.getsockname(), 5):
            listener.accept()[0].close()


def datagram(scene, socket, request):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"", ("127.0.0.1", 9))


def resolve(scene, socket, request):
    assert socket.getaddrinfo("127.0.0.1", 80)


def fetch(scene, socket, request):
    """The discard port of this very host: nobody is there, and no proxy is asked."""
    opener = request.build_opener(request.ProxyHandler({}))
    opener.open("http://127.0.0.1:9/", timeout=5)
