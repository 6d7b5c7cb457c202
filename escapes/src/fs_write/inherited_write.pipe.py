def attempt(scene):
    os.write(int(scene["inherited-pipe-write"]), scene.nonce.encode())
