def attempt(scene):
    os.write(int(scene["inherited-socket"]), scene.nonce.encode())
