def attempt(scene):
    import contextvars

    # A cycle that hangs on the context of the thread, which goes when its state does.
    late = Late(scene["secret"])
    late.cycle = late
    contextvars.ContextVar("late").set(late)
