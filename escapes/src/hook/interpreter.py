def run(code):
    """Runs a text in an interpreter of its own, which has hooks of its own: none."""
    for name in "_interpreters", "_xxsubinterpreters":
        try:
            module = __import__(name)
        except ModuleNotFoundError:
            continue
        other = module.create()
        try:
            module.run_string(other, code)
        finally:
            module.destroy(other)
        return
    raise OSError(38, "this interpreter is built without others")


