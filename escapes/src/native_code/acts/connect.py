def attempt(scene):
    call = carry(scene)
    # struct sockaddr_in of ip(7).
    address = struct.pack("=H", 2) + struct.pack(">H", int(scene["tcp4"])) + b"\x7f\0\0\1" + bytes(8)
    call(CONNECT, call(SOCKET, 2, 1, 0), place(address), len(address))
