"""Socket fuzzer: `python -m tests.bench.fuzz_sockets --frames 200000`.

Phones of many matches, directors and helpers send real frames, repeated, reordered and mutated (`fuzz_frames`), to the
product's server, while other requests claim their seats (`fuzz_claims`). A script plays two identical matches in
another tournament: one before the fuzzing, one during it. Exits with 1 unless

- the server stopped no clock, and every match agrees with its journal (`manage.py verify`);
- the exports of the scripted matches are equal, except for times, hashes, and match and phone numbers;
- the p99 of hits during the fuzzing is at most five times the p99 before;
- the server logged no traceback and no error.
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
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from tests.bench.fuzz_claims import claim_seats
from tests.bench.fuzz_frames import SEATS, Fuzzer
from tests.bench.fuzz_parties import EVERY_S, Party, Untouched
from tests.bench.measure import Meter
from tests.bench.product import Backend, inside, serve_product
from tests.bench.rig import SQLITE
from tests.bench.server import PROJECT, Server, cores, data_home

TIMES = 5  # maximum ratio of the p99 of hits during fuzzing to the p99 before
SETTLE_S = 2.0
EXPORT = """
import csv, io, json, re
from django.core.management import call_command
from clocks.models import JournalEntry
from clocks.interchange.exports import match_csv
def record(match):
    rows = list(csv.DictReader(io.StringIO("".join(match_csv(match)).lstrip("\\ufeff"))))
    kept = ("seq", "who", "event", "why", "command", "command_id", "data")
    without = lambda text: re.sub(r'"(?:[a-z_]*at|since|device|credit_ms)": ?-?[0-9]+', "", text)
    return [[without(row[name]) for name in kept] for row in rows]
said = io.StringIO()
try:
    call_command("verify", stdout=said)
    wrong = ""
except Exception as error:
    wrong = f"{said.getvalue()}{error}"
stopped = JournalEntry.objects.filter(event="stopped", by="server").count()
print(json.dumps({"records": [record(match) for match in %r], "verify": wrong, "stopped": stopped,
                  "entries": JournalEntry.objects.count()}))
"""


async def fuzz(parties: Sequence[Party], fuzzer: Fuzzer, chosen: argparse.Namespace, counted: Counter[str]) -> float:
    """Send all frames at a steady rate; return the seconds taken."""
    dice, begin = random.Random(chosen.seed), time.monotonic()
    while counted["sent"] < chosen.frames:
        due = min(chosen.frames, round((time.monotonic() - begin) * chosen.rate))
        ready = [party for party in parties if party.may_send()]
        while counted["sent"] < due and ready:
            party = dice.choice(ready)
            frames = fuzzer.frames(party.party, dice.choice(list(party.matches.values())))
            party.send(frames)
            counted["sent"] += len(frames)
            if not party.may_send():
                ready.remove(party)
        await asyncio.sleep(0.01)
    return time.monotonic() - begin


async def measure(server: Server, made: Mapping[str, Any], chosen: argparse.Namespace) -> dict[str, Any]:
    """Play one match before and one during the fuzzing; return the figures."""
    quiet, untouched = (Untouched(server.port, board) for board in made["untouched"])
    counted: Counter[str] = Counter()
    codes: dict[int, str] = {}
    parties = []
    for board in made["boards"]:
        seats = ["both"] if len(board["cookies"]) == 1 else [*SEATS]
        for seat, cookie in zip(seats, board["cookies"], strict=True):
            parties.append(Party(server.port, seat, f"/ws/table/{board['code']}/", cookie, counted, codes))
    for cookie in made["consoles"]:
        parties += [
            Party(server.port, "director", "/ws/director/fuzzed/", cookie, counted, codes)
            for _ in range(chosen.consoles)
        ]
    for each in (quiet, untouched, *parties):
        await each.open()
    commands = round(chosen.frames / chosen.rate / EVERY_S)
    await quiet.play(commands)
    meter = Meter(server)
    fuzzing = asyncio.create_task(fuzz(parties, Fuzzer(chosen.seed, untouched.match), chosen, counted))
    claiming = asyncio.create_task(claim_seats(server.port, made["boards"], chosen.seed, counted))
    await untouched.play(commands)
    took_s = await fuzzing
    claiming.cancel()
    _, server_cpu, load_cpu = meter.read()
    await asyncio.sleep(SETTLE_S)
    for each in (quiet, untouched, *parties):
        each.close()
    sent = counted.pop("sent")
    return {
        "sent": sent,
        "seconds": round(took_s, 1),
        "answers": dict(counted.most_common()),
        "server_cpu": round(server_cpu, 2),
        "load_cpu": round(load_cpu, 2),
        "quiet": felt(quiet.delays_s),
        "fuzzed": felt(untouched.delays_s),
    }


def felt(delays_s: Sequence[float]) -> dict[str, float]:
    """Count and delays (ms) of a match's hits."""
    delays = sorted(delays_s)
    return {
        "hits": len(delays),
        "p50_ms": round(delays[len(delays) // 2] * 1000, 1),
        "p99_ms": round(delays[int(len(delays) * 0.99)] * 1000, 1),
        "max_ms": round(delays[-1] * 1000, 1),
    }


def wrong_with(found: Mapping[str, Any], stored: Mapping[str, Any], written: str) -> list[str]:
    """Messages about failed checks, except the delays."""
    quiet, untouched = stored["records"]
    lines = [line for line in written.splitlines() if "Traceback" in line or "ERROR" in line]
    checks = {
        f"the server stopped {stored['stopped']} clocks": stored["stopped"] > 0,
        f"the record is another: {first_difference(quiet, untouched)}": quiet != untouched,
        f"verify: {stored['verify']}": bool(stored["verify"]),
        f"the server wrote {lines[:3]}": bool(lines),
        "no frame was accepted": not found["answers"].get("accepted"),
    }
    return [words for words, is_so in checks.items() if is_so]


def first_difference(one: Sequence[Any], other: Sequence[Any]) -> str:
    """Describe the first difference; empty if there is none."""
    if len(one) != len(other):
        return f"{len(one)} entries and {len(other)}"
    return next((f"{a} and {b}" for a, b in zip(one, other, strict=True) if a != b), "")


def slower(found: Mapping[str, Any]) -> list[str]:
    """Message if hits during the fuzzing exceeded the limit, in a list."""
    quiet, fuzzed = found["quiet"]["p99_ms"], found["fuzzed"]["p99_ms"]
    return [f"hit p99 {fuzzed} > {TIMES} * {quiet} ms"] if fuzzed > TIMES * quiet else []


def run(chosen: argparse.Namespace, server_core: int) -> dict[str, Any]:
    """Create matches, run the product on a core, fuzz it, and check what was stored."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-", dir=data_home()))
        backend = Backend("postgresql", {"DATABASE_URL": chosen.postgresql}) if chosen.postgresql else SQLITE
        environment = backend.environment(folder)
        made = json.loads(
            subprocess.run(
                [sys.executable, "-m", "tests.bench.fuzz_places", str(chosen.pairs), str(chosen.shared)],
                cwd=PROJECT,
                env=environment,
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
        )
        with serve_product(server_core, environment) as server:
            before = len(server.written())
            found = asyncio.run(measure(server, made, chosen))
            written = server.written()[before:]
        matches = [board["match"] for board in made["untouched"]]
        stored = inside(environment, EXPORT % matches)
    wrong = wrong_with(found, stored, written)
    return found | {"entries": stored["entries"], "log_lines": written.count("\n"), "wrong": wrong}


def parsed(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fuzz_sockets", description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=200_000, help="frames in all (200000)")
    parser.add_argument("--rate", type=float, default=400.0, help="frames a second (400)")
    parser.add_argument("--pairs", type=int, default=40, help="matches of two phones (40)")
    parser.add_argument("--shared", type=int, default=20, help="matches on one phone (20)")
    parser.add_argument("--consoles", type=int, default=3, help="sockets of the director, and of the helper (3)")
    parser.add_argument("--seed", type=int, default=1, help="of the dice (1)")
    parser.add_argument("--postgresql", default="", help="the address of a database; else SQLite")
    return parser.parse_args(arguments)


def main() -> int:
    chosen = parsed()
    server_core, load_core = cores()
    os.sched_setaffinity(0, {load_core})
    found = run(chosen, server_core)
    found["wrong"] += slower(found)
    print(json.dumps(found, indent=2))
    return int(bool(found["wrong"]))


if __name__ == "__main__":
    sys.exit(main())
