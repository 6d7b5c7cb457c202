# A test run with unittest, as developers let one run.


def work(scene):
    import io, unittest

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
