def attempt(scene):
    call = carry(scene)
    address = INTERNET + struct.pack(">H", int(scene["tcp4"])) + b"\x7f\0\0\1" + bytes(8)
    call(CONNECT, call(SOCKET, 2, 1, 0), place(address), len(address))
