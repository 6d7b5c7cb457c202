def attempt(scene):
    import asyncio

    async def ask():
        reader, writer = await asyncio.open_connection("127.0.0.1", int(scene["tcp4"]))
        writer.write(b"give\n")
        return await reader.readline()

    return asyncio.run(ask())
