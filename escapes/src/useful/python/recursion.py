# Deep recursion on a large stack, and a recursion without end that is caught.


def work(scene):
    import sys, threading

    answers = []

    def deep(level):
        return 0 if level == 0 else 1 + deep(level - 1)

    def endless():
        return endless()

    def body():
        sys.setrecursionlimit(20000)
        answers.append(deep(15000))
        try:
            endless()
        except RecursionError:
            answers.append("caught")

    threading.stack_size(256 << 20)
    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    threading.stack_size(0)
    assert answers == [15000, "caught"], answers
