import ssl


def attempt(scene):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(scene["certificate"])
    return repr(context.get_ca_certs()).encode()
