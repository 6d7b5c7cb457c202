def alive(task):
    os.getsid(task)


