import ssl


def attempt(scene):
    bits = ""
    for number in range(128):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        try:
            context.load_verify_locations("%s/%d" % (scene["certificates"], number))
            bits += "1"
        except ssl.SSLError:
            bits += "0"
    return b"%032x" % int(bits, 2)
