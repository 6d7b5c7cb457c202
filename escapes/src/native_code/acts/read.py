def attempt(scene):
    call, path, loot = carry(scene), os.fsencode(scene["secret"]) + b"\0", fresh(4096)
    file = call(OPENAT, HERE, place(path), 0)
    return loot[: call(READ, file, place(loot), 4096)]
