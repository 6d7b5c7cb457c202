def attempt(scene):
    import importlib.util, py_compile

    source = scene.run + "/main.py"
    with open(source, "w") as file:
        file.write("print('planted')\n")
    cache = importlib.util.cache_from_source(scene["repo"] + "/src/main.py")
    py_compile.compile(source, cache, doraise=True)
