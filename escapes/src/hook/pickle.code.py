import marshal, types


def attempt(scene):
    stored = marshal.dumps(compile("loot = open(path, 'rb').read()", "stored", "exec"))
    names = {"__builtins__": __builtins__, "path": scene["secret"]}
    types.FunctionType(marshal.loads(stored), names)()
    return names["loot"]
