import socket


def attempt(scene):
    with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, 0) as sniffer:
        # Without a protocol it hears nothing until it is bound to the one device.
        sniffer.bind(("lo", 3))
        sniffer.settimeout(1)
        scene.show("wire")
        packet = b""
        # Others are none of ours.
        while scene.nonce.encode() not in packet:
            packet = sniffer.recv(2048)
        return packet
