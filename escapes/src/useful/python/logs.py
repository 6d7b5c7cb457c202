# Logging to files that rotate, warnings, and a report of a crash.


def work(scene):
    import faulthandler, io, logging, logging.handlers, os, warnings

    handler = logging.handlers.RotatingFileHandler(scene.run + "/log", maxBytes=200, backupCount=3)
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(threadName)s %(message)s"))
    logger = logging.getLogger("work")
    logger.addHandler(handler)
    for number in range(100):
        logger.warning("line %d", number)
    handler.close()
    logger.removeHandler(handler)
    assert all(os.path.exists(scene.run + "/log" + end) for end in ("", ".1", ".2", ".3"))
    with open(scene.run + "/log") as file:
        assert file.read().endswith("line 99\n")
    text = io.StringIO()
    stream = logging.StreamHandler(text)
    logger.addHandler(stream)
    try:
        1 / 0
    except ZeroDivisionError:
        logger.exception("caught")
    logger.removeHandler(stream)
    assert "ZeroDivisionError" in text.getvalue()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("beware")
    assert len(caught) == 1
    with open(scene.run + "/stacks", "w") as file:
        faulthandler.dump_traceback(file)
