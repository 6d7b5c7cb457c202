# asyncio needs a socket pair, a selector and threads.


def work(scene):
    import asyncio

    asyncio.run(main(scene))


async def main(scene):
    import asyncio, os, signal, time

    loop = asyncio.get_running_loop()
    came = asyncio.Event()
    loop.add_signal_handler(signal.SIGUSR1, came.set)
    os.kill(os.getpid(), signal.SIGUSR1)
    await asyncio.wait_for(came.wait(), 10)
    assert await loop.run_in_executor(None, pow, 3, 4) == 81
    if hasattr(asyncio, "to_thread"):
        assert await asyncio.to_thread(time.sleep, 0.001) is None
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 0.005)
        raise AssertionError("what never comes came")
    except asyncio.TimeoutError:
        pass
    queue = asyncio.Queue(3)

    async def produce():
        for number in range(100):
            await queue.put(number)
            await asyncio.sleep(0)

    async def consume():
        return sum([await queue.get() for _ in range(100)])

    assert (await asyncio.gather(produce(), consume()))[1] == 4950
    receiver, sender = os.pipe()
    readable = asyncio.Event()
    loop.add_reader(receiver, readable.set)
    os.write(sender, b"x")
    await asyncio.wait_for(readable.wait(), 10)
    loop.remove_reader(receiver)
