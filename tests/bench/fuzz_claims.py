"""Seat claims in the fuzzer's matches, by their phones and by new ones."""

import asyncio
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.bench.lines import Target, answer_of, form

EVERY_S = 0.25
FIELDS = ("left", "right", "both", "", "middle")


async def claim_seats(port: int, boards: Sequence[Mapping[str, Any]], seed: int, counted: Counter[str]) -> None:
    """Claim seats of random matches until cancelled; count responses by status."""
    dice = random.Random(f"claims {seed}")
    while True:
        board = dice.choice(boards)
        target = Target(port, 0, "", board["code"], dice.choice((*board["cookies"], *board["cookies"], "")))
        counted[f"claim: {await _claim(target, dice.choice(FIELDS))}"] += 1
        await asyncio.sleep(EVERY_S)


async def _claim(target: Target, seat: str) -> str:
    """Submit the claim form of a table's page; return the status or the error's name."""
    try:
        sent = await form(target, f"/t/{target.code}/seat/", "/", {"seat": seat})
        if target.cookie:
            sent = sent.replace(b"Cookie: ", f"Cookie: {target.cookie}; ".encode(), 1)
        return str((await answer_of(target, sent))[0])
    except (OSError, RuntimeError) as error:
        return type(error).__name__
