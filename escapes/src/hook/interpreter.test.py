def run(code):
    """Runs a text in an interpreter of its own, by the module with which Python tests itself."""
    try:
        import _testcapi
    except ModuleNotFoundError:
        raise OSError(38, "this interpreter is built without its tests")
    _testcapi.run_in_subinterp(code)


