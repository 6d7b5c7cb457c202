def attempt(scene):
    with open("/proc/%s/oom_score_adj" % scene["victim"], "w") as file:
        file.write("1000")
