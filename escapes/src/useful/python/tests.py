# A test run: unittest, doctest and a profile, as developers let them run.


def work(scene):
    import cProfile, doctest, io, pstats, unittest

    class Arithmetic(unittest.TestCase):
        def test_addition(self):
            with self.subTest("small"):
                self.assertEqual(1 + 1, 2)

        def test_division(self):
            with self.assertRaises(ZeroDivisionError):
                1 / 0

    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Arithmetic)
    result = unittest.TextTestRunner(io.StringIO()).run(suite)
    assert result.testsRun == 2 and result.wasSuccessful()
    example = doctest.DocTestParser().get_doctest(">>> 6 * 7\n42\n", {}, "example", None, 0)
    assert doctest.DocTestRunner().run(example).failed == 0
    profile = cProfile.Profile()
    profile.runcall(sorted, range(1000))
    profile.dump_stats(scene.run + "/profile")
    pstats.Stats(scene.run + "/profile", stream=io.StringIO()).print_stats()
