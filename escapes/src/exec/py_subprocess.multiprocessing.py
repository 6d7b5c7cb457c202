def attempt(scene):
    import multiprocessing

    process = multiprocessing.get_context("fork").Process(target=live, args=(scene,))
    process.start()
    process.join()
