"""Runs a program as the interpreter would, and says by its exit status when memory ran out: python ... -c THIS PROGRAM.

No kernel interface tells why a program under a limit of address space failed, so the program's own interpreter has to.
"""


def run(main):
    import sys

    def report(kind, error, trace, show=sys.excepthook, memory=MemoryError):
        # The frames of this file are not the program's.
        for _ in range(2):
            trace = trace and trace.tb_next
        try:
            show(kind, error.with_traceback(trace), trace)
        finally:
            if kind is memory:
                raise SystemExit(219)

    sys.excepthook = report
    del sys.argv[0]
    main["__file__"] = path = sys.argv[0]
    del main["run"]
    main["__doc__"] = None
    with open(path, "rb") as file:
        source = file.read()
    exec(compile(source, path, "exec"), main)


run(globals())
