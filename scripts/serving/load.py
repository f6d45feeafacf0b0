"""200 devices, one fix a second each."""

import asyncio
import time

from .server import Server, require

DEVICES = 200
LIMIT = 0.050


async def device(number, token, port, seconds, times, failures):
    """Sends a fix each second over one connection, at its own part of the second."""
    await asyncio.sleep(number / DEVICES)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    begin = time.monotonic()
    for index in range(seconds):
        await asyncio.sleep(max(0, begin + index - time.monotonic()))
        body = (
            f'{{"_type":"location","tst":{1714557600 + index * 10},'
            f'"lat":{-60 + number * 0.5 + index * 0.001:.7f},'
            f'"lon":{number % 90 + index * 0.001:.7f},"acc":8}}')
        start = time.monotonic()
        writer.write(
            f"POST /owntracks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(2)
        times.append(time.monotonic() - start)
        if not head.startswith(b"HTTP/1.1 200"):
            failures.append(head)
    writer.close()


def check(place, seconds):
    tokens = place.tokens(DEVICES)
    times, failures = [], []

    async def run(port):
        await asyncio.gather(
            *(device(number, token, port, seconds, times, failures)
              for number, token in enumerate(tokens)))

    with Server(place) as server:
        asyncio.run(run(server.port))
        memory = server.memory()
        start = time.monotonic()
        server.stop()
        ending = time.monotonic() - start
    require(not failures, f"{len(failures)} failed: {failures[:1]}")
    times.sort()
    half, most = times[len(times) // 2], times[int(len(times) * 0.99)]
    fixes = place.fixes()
    require(
        len(fixes) == len(set(fixes)) == DEVICES * seconds,
        f"{len(fixes)} fixes in the store, not {DEVICES * seconds}")
    figures = (
        f"{len(times)} answers in {seconds} s, half within {half * 1000:.1f} ms, 99 % within "
        f"{most * 1000:.1f} ms, the slowest {times[-1] * 1000:.0f} ms, {memory:.0f} MB, "
        f"ended in {ending:.1f} s")
    require(most < LIMIT, figures)
    return figures
