def attempt(scene):
    """Who gets one answer for all has learnt nothing."""
    bits, refusal = "", None
    for task in scene["tasks"].split(","):
        try:
            alive(int(task))
            bits += "1"
        except ProcessLookupError:
            bits += "0"
        except OSError as error:
            bits += "1"
            refusal = error
    if "0" not in bits or "1" not in bits:
        raise refusal or ProcessLookupError(3, "nobody is there")
    return b"%032x" % int(bits, 2)
