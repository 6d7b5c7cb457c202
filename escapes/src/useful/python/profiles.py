# Looking at oneself: a profile, examples, traced lines and traced memory. The audit hook refuses traces.


def work(scene):
    import cProfile, doctest, io, pstats, sys, tracemalloc

    profile = cProfile.Profile()
    profile.runcall(sorted, range(1000))
    profile.dump_stats(scene.run + "/profile")
    pstats.Stats(scene.run + "/profile", stream=io.StringIO()).print_stats()
    example = doctest.DocTestParser().get_doctest(">>> 6 * 7\n42\n", {}, "example", None, 0)
    assert doctest.DocTestRunner().run(example).failed == 0
    lines = []

    def trace(frame, event, argument):
        lines.append(frame.f_lineno)
        return trace

    def traced():
        one = 1
        return one + 1

    sys.settrace(trace)
    traced()
    sys.settrace(None)
    assert len(lines) >= 3
    tracemalloc.start()
    kept = [bytes(1000) for _ in range(100)]
    assert tracemalloc.get_traced_memory()[0] > 100000 and len(kept) == 100
    tracemalloc.stop()
