def attempt(scene):
    import threading

    answers = []

    def read():
        try:
            with open(scene["secret"], "rb") as file:
                answers.append(file.read())
        except OSError as error:
            answers.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    reader.join()
    if isinstance(answers[0], OSError):
        raise answers[0]
    return answers[0]
