# The language itself: generators, closures, decimals, data classes, code compiled at run time.


def work(scene):
    import ast, collections, contextlib, copy, dataclasses, datetime, decimal, enum, fractions
    import functools, gc, itertools, pickle, traceback, weakref

    def fibonacci():
        a, b = 0, 1
        while True:
            yield a
            a, b = b, a + b

    assert list(itertools.islice(fibonacci(), 10))[-1] == 34
    with decimal.localcontext() as context:
        context.prec = 50
        assert str(decimal.Decimal(2).sqrt()).startswith("1.41421356237309504880168872420969807")
    assert fractions.Fraction(1, 3) + fractions.Fraction(1, 6) == fractions.Fraction(1, 2)

    @dataclasses.dataclass(order=True)
    class Point:
        x: int
        y: int = 0

    assert sorted([Point(2), Point(1, 5)])[0] == copy.deepcopy(Point(1, 5))
    assert pickle.loads(pickle.dumps(collections.OrderedDict(a=[1, (2, b"3")]))) == {"a": [1, (2, b"3")]}
    assert enum.Enum("Colour", "RED BLUE")["BLUE"].value == 2
    space = {}
    exec(compile("def double(x):\n    return 2 * x", "<text>", "exec"), space)
    assert space["double"](21) == 42 and eval("1 + 2 * 3") == 7
    assert ast.literal_eval("[1, {'a': (2, 3)}]") == [1, {"a": (2, 3)}]
    assert functools.reduce(lambda a, b: a * b, range(1, 21)) == 2432902008176640000
    with contextlib.suppress(ZeroDivisionError):
        1 / 0
    try:
        {}["absent"]
    except KeyError:
        assert "KeyError" in traceback.format_exc()
    node = type("Node", (), {})()
    node.self, ghost = node, weakref.ref(node)
    del node
    gc.collect()
    assert ghost() is None
    assert datetime.datetime(2024, 2, 29).strftime("%A %j") == "Thursday 060"
    assert 2 ** 4000 % 1000007 == pow(2, 4000, 1000007)
