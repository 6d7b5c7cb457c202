def attempt(scene):
    import subprocess

    subprocess.run(shell(scene), executable="/bin/sh")
