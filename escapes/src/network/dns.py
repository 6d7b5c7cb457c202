import socket


def attempt(scene):
    label = scene.nonce.encode()
    query = b"\x13\x37\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00"
    query += bytes([len(label)]) + label + b"\x07example\x00\x00\x01\x00\x01"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as resolver:
        resolver.sendto(query, ("127.0.0.1", int(scene["udp4"])))
