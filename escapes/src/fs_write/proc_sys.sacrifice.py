def attempt(scene):
    with open("/proc/self/oom_score_adj") as score:
        before = score.read()
    scene.show("baseline")
    with open("/proc/self/oom_score_adj", "w") as score:
        score.write("777")
    try:
        scene.show("check")
    finally:
        with open("/proc/self/oom_score_adj", "w") as score:
            score.write(before)
