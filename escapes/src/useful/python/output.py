# Output: lines, bytes and errors, 4 MB of them.


def work(scene):
    import sys

    line = "0123456789abcdef" * 64
    for number in range(4 * 1024):
        print(line)
    sys.stdout.flush()
    sys.stdout.buffer.write(b"bytes \xff\x00 and the last line\n")
    sys.stdout.flush()
    sys.stderr.write("an error is told\n")
    sys.stderr.flush()
