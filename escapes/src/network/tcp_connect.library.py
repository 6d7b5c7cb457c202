def attempt(scene):
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", int(scene["tcp4"]), timeout=5)
    connection.request("GET", "/give")
    return connection.sock.recv(64)
