import socket


def attempt(scene):
    packets = b""
    with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3)) as sniffer:
        scene.show("wire")
        while True:
            try:
                packet = sniffer.recv(2048, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return packets
            # Others are none of ours.
            if scene.nonce.encode() in packet:
                packets += packet
