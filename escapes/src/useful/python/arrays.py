# numpy, where it lies in the library of the interpreter itself, which is granted with it.


def work(scene):
    import os, sys

    sys.path.append(os.path.join(os.path.dirname(os.__file__), "site-packages"))
    import numpy

    numbers = numpy.arange(10000, dtype=numpy.float64).reshape(100, 100)
    product = numbers @ numpy.eye(100)
    assert (product == numbers).all()
    assert abs(numpy.linalg.det(numpy.diag([1.0, 2.0, 3.0])) - 6) < 1e-9
    numpy.save(scene.run + "/numbers.npy", numbers)
    mapped = numpy.load(scene.run + "/numbers.npy", mmap_mode="r")
    assert mapped.sum() == numbers.sum()
    assert len(numpy.random.default_rng(1).random(10)) == 10
