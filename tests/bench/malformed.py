"""Malformed frames and forms, in process and over the network.

Each frame must be rejected with a message, on its own socket only. Over the network, the real server receives 100
frames per socket, connections whose bytes are not frames, and malformed forms posted by a signed-in owner to every URL
except sign-out and password. No response may be missing, no page may fail, no socket may be closed with 1011, and the
server may log neither an error nor a traceback. Tests in `tests/server` do the same with fewer.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from itertools import islice
from xml.etree import ElementTree

from tests.bench.floods import sign_in
from tests.bench.lines import FINAL, HOST, TEXT, Target, answer_of, frame, handshake, line
from tests.bench.product import Backend, make_boards, serve_product
from tests.bench.server import PROJECT, cores, data_home
from tests.server.malformed import ODD_TYPES, PLAIN_TYPES, bodies, frames

IN_PROCESS = "tests/server/live/test_malformed.py::test_each_malformed_frame_is_refused_in_words_and_reaches_nobody"
FORMS_IN_PROCESS = "tests/server/views/test_malformed_forms.py"
ADDRESSES = """
import json
from django.urls import reverse
from tests.server.views.test_addresses import OPEN
from tests.server.views.test_malformed_forms import POSTS
paths = {reverse(one.name, kwargs=one.of | {"code": "%s"} if "code" in one.of else one.of) for one in OPEN}
paths |= {reverse(one.name, kwargs={"slug": "demo", **dict.fromkeys(one.of, 1)}) for one in POSTS}
print(json.dumps(sorted(path for path in paths if "sign-out" not in path and "password" not in path)))
"""
TOKEN = "x" * 32  # CSRF token, sent as cookie and as header
OF_A_SOCKET, AT_ONCE, FORMS_AT_ONCE, WAIT_S = 100, 20, 4, 20.0
BINARY = 0x2


async def refused(target: Target, texts: list[str | None]) -> int:
    """Send frames on a new socket; return how many were rejected.

    A socket above its rate limit is not read for a second at a time, so the timeout applies to each rejection.
    """
    one = await line(target, handshake(target, f"/ws/table/{target.code}/", target.cookie), keep=True)
    await one.came.wait()
    one.transport.write(
        b"".join(
            frame(FINAL | BINARY, b"x") if text is None else frame(FINAL | TEXT, text.encode(errors="replace"))
            for text in texts
        )
    )
    with suppress(TimeoutError):
        while (count := one.data.count(b'"t":"refused"')) < len(texts) and not one.over.is_set():
            one.came.clear()
            await asyncio.wait_for(one.came.wait(), WAIT_S)
    one.transport.abort()
    return count


async def no_frames(target: Target, seed: int) -> bytes:
    """Send bytes that are not frames; return the bytes received until the close."""
    one = await line(target, handshake(target, f"/ws/table/{target.code}/", target.cookie), keep=True)
    await one.came.wait()
    one.transport.write(b"\x83" + random.Random(seed).randbytes(2_000))  # opcode 3 is reserved
    await asyncio.wait_for(one.over.wait(), WAIT_S)
    return one.data


async def forms_over_the_network(target: Target, paths: list[str], session: str, number: int) -> list[str]:
    """Post malformed forms to these paths in turn; return messages about failures."""
    wrong: list[str] = []

    async def some(seed: int) -> None:
        source = bodies(seed, [*PLAIN_TYPES, *ODD_TYPES])
        for count, (kind, body) in enumerate(islice(source, number // FORMS_AT_ONCE)):
            path = paths[(count * FORMS_AT_ONCE + seed) % len(paths)]
            head = (
                f"POST {path} HTTP/1.1\r\nHost: {HOST}:{target.port}\r\nConnection: close\r\nContent-Type: {kind}\r\n"
                f"Cookie: csrftoken={TOKEN}; {session}\r\nX-CSRFToken: {TOKEN}\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            status, text = await answer_of(target, head.encode() + body)
            if status == 0 or (status >= 500 and status != 503):  # 503: temporarily overloaded
                wrong.append(f"{path} answered {status} to {kind!r}, {body[:80]!r}: {text[:80]}")

    await asyncio.gather(*(some(seed) for seed in range(FORMS_AT_ONCE)))
    return wrong


async def over_the_network(target: Target, number: int) -> list[str]:
    """Send malformed frames on a few sockets at a time; return failures as messages."""
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
    parser.add_argument("--frames", type=int, default=500_000, help="frames in process (500000)")
    parser.add_argument("--forms", type=int, default=500_000, help="forms in process, about (500000)")
    parser.add_argument("--network", type=int, default=90_000, help="frames over the network (90000)")
    parser.add_argument("--network-forms", type=int, default=10_000, help="forms over the network (10000)")
    chosen = parser.parse_args()
    environment = os.environ | {"MALFORMED": str(chosen.frames // 3), "MALFORMED_FORMS": str(chosen.forms)}
    in_process = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "-p", "no:cacheprovider", "--timeout", "0"]
    with tempfile.NamedTemporaryFile(suffix=".xml") as report:
        in_process += ["--junitxml", report.name, IN_PROCESS, FORMS_IN_PROCESS]
        begin = time.monotonic()
        if subprocess.run(in_process, cwd=PROJECT, env=environment, check=False).returncode:
            return 1
        forms = sum(int(each.get("value", "0")) for each in ElementTree.parse(report.name).iter("property"))
    took = time.monotonic() - begin
    print(
        f"{chosen.frames // 3 * 3} frames and {forms} forms in process: none did anything, in {took:.0f} s", flush=True
    )
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data_home()) as folder:
        settings = Backend("SQLite", {"DATABASE_URL": None, "CHANNEL_REDIS_URL": None}).environment(folder)
        [own] = make_boards(1, settings)
        manage = [sys.executable, "manage.py"]
        subprocess.run(
            [*manage, "demo", "--tables", "6"], cwd=PROJECT, env=settings, stdout=subprocess.PIPE, check=True
        )
        listed = [*manage, "shell", "--no-imports", "-c", ADDRESSES % own.code]
        paths = json.loads(subprocess.run(listed, cwd=PROJECT, env=settings, stdout=subprocess.PIPE, check=True).stdout)
        with serve_product(cores()[0], settings) as server:
            session = "; ".join(
                cookie for cookie in sign_in(server.port, settings).split("; ") if not cookie.startswith("csrftoken=")
            )
            before = server.written()
            target = Target(server.port, 0, "", own.code, own.cookies[0])
            wrong = asyncio.run(over_the_network(target, chosen.network))
            written = server.written()[len(before) :]
            wrong += asyncio.run(forms_over_the_network(target, paths, session, chosen.network_forms))
            of_forms = server.written()[len(before) + len(written) :]
    wrong += [f"the server wrote: {written}"] if written else []
    wrong += [f"the server wrote: {of_forms}"] if "Traceback" in of_forms or " ERROR " in of_forms else []
    print(
        "\n".join(wrong) or f"{chosen.network} frames and {chosen.network_forms} forms over {HOST}: none did anything"
    )
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
