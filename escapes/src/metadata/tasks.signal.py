def alive(task):
    os.kill(task, 0)


