"""`match` frame of a board as received by the director's page."""

from typing import Any

NOW = 10_000_000

BOARD: dict[str, Any] = {
    "t": "match",
    "match": 17,
    "v": 5,
    "now": NOW,
    "status": "running",
    "turn": "left",
    "turn_number": 4,
    "game": 2,
    "reserve_ms": [600_000, 500_000],
    "delay_ms": [12_000, 12_000],
    "turn_reserve_ms": [600_000, 500_000],
    "turn_delay_ms": 12_000,
    "kind": "simple",
    "limits": True,
    "since": NOW - 1_000,
    "used_ms": 0,
    "stop": None,
    "proposal": None,
    "called": False,
    "called_at": None,
    "late": None,
    "table": "12",
    "code": "7K3M9Q",
    "seats": [{"held": True, "seen_at": NOW}, {"held": True, "seen_at": NOW}],
}
