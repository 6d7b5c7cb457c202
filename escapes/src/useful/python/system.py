# What a program asks of the system and of itself.


def work(scene):
    import mimetypes, os, pathlib, platform, random, resource, secrets, sys, time, uuid

    assert len(os.urandom(32)) == 32 and os.urandom(16) != os.urandom(16)
    assert secrets.token_hex(8) != secrets.token_hex(8) and uuid.uuid4() != uuid.uuid4()
    assert random.Random(1).random() == 0.13436424411240122 and random.SystemRandom().random() < 1
    assert time.time() > 1.6e9 and time.monotonic() <= time.monotonic()
    assert time.process_time() >= 0 and time.thread_time() >= 0
    assert time.gmtime(0).tm_year == 1970 and time.localtime().tm_year >= 2020
    assert os.getpid() > 0 and os.getuid() == os.geteuid() and os.uname().sysname
    assert os.getpriority(os.PRIO_PROCESS, 0) == os.nice(0)
    assert os.cpu_count() >= 1 and len(os.sched_getaffinity(0)) >= 1
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 0 and os.times().user >= 0
    assert os.path.samefile(os.getcwd(), scene.run) and pathlib.Path.cwd().is_absolute()
    assert platform.python_version() and platform.machine() and sys.executable
    assert mimetypes.guess_type("page.html") == ("text/html", None)
    assert not os.isatty(1) and os.get_terminal_size is not None
    with open(os.devnull, "r+") as null:
        null.write("swallowed")
        assert null.read() == ""
