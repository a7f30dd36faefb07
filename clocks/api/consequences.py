"""Response schemas for the consequences of a corrected result."""

from typing import Any, Literal

from pydantic import Field

from clocks.api.shapes import PairingShape, Shape
from clocks.tournament.consequences import ByeConsequence, Consequence


class ConsequenceShape(Shape):
    """Later match or bye of a player whose result was corrected."""

    pairing: int | None = Field(description="Null for a bye.")
    round: int
    table: str = Field(description="Empty for a bye.")
    names: list[str] = Field(description="The players now: two, or the one with the bye.")
    changed: bool = Field(description="False if it stays as drawn.")
    state: Literal["waits", "plays", "over"] | None = Field(
        description="State before. Where it was played, its clocks are stopped. Null: a bye."
    )


class StoredResultShape(PairingShape):
    """Pairing with its stored result, and the consequences for later rounds."""

    consequences: list[ConsequenceShape]


def consequence_shape(each: Consequence | ByeConsequence) -> dict[str, Any]:
    """Build the response for one consequence: a later match or bye."""
    row = each.bye if isinstance(each, ByeConsequence) else each.pairing
    now = {"round": row.round.number, "changed": each.changes}
    if isinstance(each, ByeConsequence):
        return now | {"pairing": None, "table": "", "names": [each.after or each.bye.name], "state": None}
    names = each.after if each.changes and each.after else each.pairing.setup["names"]
    return now | {"pairing": row.pk, "table": each.pairing.table.name, "names": list(names), "state": each.state}
