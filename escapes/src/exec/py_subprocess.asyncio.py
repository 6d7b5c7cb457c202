def attempt(scene):
    import asyncio

    async def start():
        process = await asyncio.create_subprocess_exec("/bin/sh", *shell(scene)[1:])
        await process.wait()

    asyncio.run(start())
