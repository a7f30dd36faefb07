"""Enumerations and other types that the API's schemas share."""

from typing import Annotated, Literal

from pydantic import Field

Pair = tuple[int, int]
Stage = Annotated[str, Field(description="Name of the round's stage; empty if the tournament has only one.")]
Seat = Literal["left", "right"]
Format = Literal["singles", "doubles"]
State = Literal["setup", "ready", "running", "stopped", "flagged", "over"]
Rules = Literal[
    "us-2007",
    "us-2013",
    "unified-2001",
    "michigan-2002",
    "aba-2003-standard",
    "aba-2003-bronstein",
    "modern",
    "custom",
]
ResultState = Literal[
    "not begun",
    "between games",
    "being played",
    "stopped",
    "a flag fell",
    "over",
    "waits for its players",
    "no clock asked for",
    "waits for its table",
]
