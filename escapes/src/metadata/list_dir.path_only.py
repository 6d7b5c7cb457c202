def attempt(scene):
    place = os.open(scene["listing"], os.O_PATH)
    directory = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=place)
    names = os.listdir(directory)
    os.close(directory)
    os.close(place)
    return "\n".join(names).encode()
