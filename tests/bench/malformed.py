"""Malformed frames without end: `python -m tests.bench.malformed` (a million in process, 100,000 over the network).

Each has to be refused in words, by nobody but the socket that it came to. Over the network the real server reads them:
frames in sockets of 100 each, and connections whose bytes are no frames at all. No answer may be missing, no socket may
end with 1011, and the server may write nothing about it. The tests do the same with fewer (`tests/server`).
"""

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from itertools import islice

from tests.bench.attacks import FINAL, HOST, TEXT, Target, frame, handshake, line
from tests.bench.product import Backend, make_boards, serve_product
from tests.bench.server import PROJECT, cores, data_home
from tests.server.malformed import frames

IN_PROCESS = "tests/server/test_malformed.py::test_each_malformed_frame_is_refused_in_words_and_reaches_nobody"
OF_A_SOCKET, AT_ONCE, WAIT_S = 100, 20, 20.0
BINARY = 0x2


async def refused(target: Target, texts: list[str | None]) -> int:
    """Send frames on a socket of their own; return how many were refused."""
    one = await line(target, handshake(target, f"/ws/table/{target.code}/", target.cookie), keep=True)
    await one.came.wait()
    one.transport.write(
        b"".join(
            frame(FINAL | BINARY, b"x") if text is None else frame(FINAL | TEXT, text.encode(errors="replace"))
            for text in texts
        )
    )
    ends = time.monotonic() + WAIT_S
    while (
        (count := one.data.count(b'"t":"refused"')) < len(texts) and time.monotonic() < ends and not one.over.is_set()
    ):
        one.came.clear()
        await asyncio.wait_for(one.came.wait(), WAIT_S)
    one.transport.abort()
    return count


async def no_frames(target: Target, seed: int) -> bytes:
    """Send bytes that are no frames; return what comes until the server ends the connection."""
    one = await line(target, handshake(target, f"/ws/table/{target.code}/", target.cookie), keep=True)
    await one.came.wait()
    one.transport.write(b"\x83" + random.Random(seed).randbytes(2_000))  # 3 is no kind of frame
    await asyncio.wait_for(one.over.wait(), WAIT_S)
    return one.data


async def over_the_network(target: Target, number: int) -> list[str]:
    """Send everything, a few sockets side by side; return what went wrong."""
    source, free, wrong = frames(3), asyncio.Semaphore(AT_ONCE), list[str]()

    async def one(seed: int, texts: list[str | None]) -> None:
        async with free:
            count = await refused(target, texts)
            if count != len(texts):
                wrong.append(f"{len(texts) - count} frames of socket {seed} were not refused")
            if (1011).to_bytes(2) in await no_frames(target, seed):
                wrong.append(f"socket {seed} ended with 1011")

    sockets = range(0, number, OF_A_SOCKET)
    await asyncio.gather(*(one(seed, list(islice(source, OF_A_SOCKET))) for seed in sockets))
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.malformed", description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=1_000_000, help="frames in process (1000000)")
    parser.add_argument("--network", type=int, default=100_000, help="frames over the network (100000)")
    chosen = parser.parse_args()
    environment = os.environ | {"MALFORMED": str(chosen.frames // 3)}
    in_process = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", "0", IN_PROCESS]
    if subprocess.run(in_process, cwd=PROJECT, env=environment, check=False).returncode:
        return 1
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data_home()) as folder:
        settings = Backend("SQLite", {"DATABASE_URL": None, "CHANNEL_REDIS_URL": None}).environment(folder)
        [own] = make_boards(1, settings)
        with serve_product(cores()[0], settings) as server:
            before = server.written()
            target = Target(server.port, 0, "", own.code, own.cookies[0])
            wrong = asyncio.run(over_the_network(target, chosen.network))
            written = server.written()[len(before) :]
    wrong += [f"the server wrote: {written}"] if written else []
    print("\n".join(wrong) or f"{chosen.network} frames over {HOST}: each was refused, nothing was written")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
