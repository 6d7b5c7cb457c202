def attempt(scene):
    directory = os.open(scene["outside"], os.O_PATH | os.O_DIRECTORY)
    file = os.open("writable", os.O_WRONLY, dir_fd=directory)
    os.write(file, b"changed")
