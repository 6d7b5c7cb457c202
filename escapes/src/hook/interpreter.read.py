def attempt(scene):
    loot = scene.run + "/loot"
    code = """
import posix
answer = b"0"
try:
    file = posix.open(%r, posix.O_RDONLY)
    content = posix.read(file, 4096)
except OSError as error:
    answer, content = b"%%d" %% error.errno, b""
loot = posix.open(%r, posix.O_WRONLY | posix.O_CREAT)
posix.write(loot, answer + b" " + content)
posix.close(loot)
"""
    run(code % (scene["secret"], loot))
    with open(loot, "rb") as file:
        answer, content = file.read().split(b" ", 1)
    if int(answer):
        raise OSError(int(answer), os.strerror(int(answer)))
    return content
