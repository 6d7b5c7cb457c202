def load(path):
    from importlib.machinery import ExtensionFileLoader, ModuleSpec

    name = os.path.basename(path)[:-3]
    try:
        ExtensionFileLoader(name, path).create_module(ModuleSpec(name, None, origin=path))
    except ImportError as error:
        # It was loaded, and lacks what a module needs.
        if "does not define module export function" not in str(error):
            raise


