"""Request schemas."""

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from clocks.engine.parsing import LONGEST_NOTE, hidden_character, note_must_be_stored
from clocks.engine.refusals import Refused
from clocks.engine.setup import LONGEST_MATCH, LONGEST_NAME
from clocks.models import Table
from clocks.tournament.draw import MOST_LINES
from clocks.tournament.drawing import Sent
from clocks.tournament.messages import LONGEST_TEXT
from clocks.tournament.rounds import LARGEST

LONGEST_TABLE = Table._meta.get_field("name").max_length or 0
MOST_TABLES = 500


def _refuse_hidden(value: str) -> str:
    """Validator: reject invisible and direction-changing characters."""
    hidden = hidden_character(value)
    if hidden is not None:
        raise ValueError(f"contains the invisible character {hidden}; send it without that character")
    return value


def _as_stored(note: str) -> str:
    try:
        note_must_be_stored(note)
    except Refused as refused:
        raise ValueError(str(refused.words)) from None
    return note


TEXT = r"^[^\x00-\x1f\x7f-\x9f]*$"
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_NAME, pattern=TEXT)]
TableName = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_TABLE, pattern=TEXT)]
AtTable = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_TABLE, pattern=TEXT)]
Note = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=LONGEST_NOTE, pattern=TEXT),
    AfterValidator(_as_stored),
]
Points = Annotated[int, Field(ge=0, le=LONGEST_MATCH)]
OptionValue = str | int | tuple[int, int]


class Given(Schema):
    """A request body. Unknown fields are rejected, so that a typo is not ignored."""

    model_config = ConfigDict(extra="forbid")


class PairingGiven(Given):
    """A pairing of a draw. Omitted fields take the round's values.

    If one player is called `bye`, the other gets a bye.
    """

    external_id: Annotated[str, StringConstraints(max_length=64, pattern=TEXT)] = Field(
        "", description="Your own id for this match, returned with its result."
    )
    table: TableName = Field("", description="Empty: the next free table.")
    left: Name
    right: Name
    length: Annotated[int, Field(ge=1, le=LONGEST_MATCH)] | None = None
    rules: Annotated[str, StringConstraints(max_length=24, pattern=TEXT)] | None = Field(
        None, description="The key of a rule set, such as us-2013."
    )
    format: Literal["singles", "doubles"] | None = None
    score: tuple[Points, Points] = Field((0, 0), description="The score at the start.")
    options: dict[str, OptionValue] = {}

    def sent(self) -> Sent:
        """Convert to the input of `tournament.drawing`."""
        cells: dict[str, Any] = {
            "table": " ".join(self.table.split()),
            "left": self.left,
            "right": self.right,
            "length": self.length or "",
            "rules": self.rules or "",
            "format": self.format or "",
            "score_left": self.score[0],
            "score_right": self.score[1],
        }
        return Sent(self.external_id, {name: str(value) for name, value in cells.items()}, self.options)


class DrawGiven(Given):
    """The whole draw of a round.

    Matches that are not in it are removed. Those that have begun must be in it.
    """

    pairings: Annotated[list[PairingGiven], Field(max_length=MOST_LINES)]
    give_way: bool = Field(False, description="Take matches of other rounds that have not begun off their tables.")


class TrfGiven(Given):
    """A TRF26 file, and the number of the round to import."""

    trf: Annotated[str, StringConstraints(min_length=1, max_length=500_000)] = Field(description="The file's text.")
    round: Annotated[int, Field(ge=1, le=99)] | None = Field(
        None, description="Which of its rounds; null: this number."
    )
    give_way: bool = False


class BracketsGiven(Given):
    """Brackets as JSON (brackets-model), and the number of the round to import."""

    brackets: dict[str, Any] = Field(description="The tables participant, stage, group, round and match.")
    round: Annotated[int, Field(ge=1, le=99)] | None = Field(
        None, description="Which of its rounds; null: this number."
    )
    give_way: bool = False


class RoundGiven(Given):
    """A new round. Omitted fields take the last round's values."""

    number: Annotated[int, Field(ge=1, le=LARGEST)] | None = None
    name: (
        Annotated[
            str,
            StringConstraints(strip_whitespace=True, max_length=60, pattern=TEXT),
            AfterValidator(_refuse_hidden),
        ]
        | None
    ) = None
    stage: (
        Annotated[
            str,
            StringConstraints(strip_whitespace=True, max_length=40, pattern=TEXT),
            AfterValidator(_refuse_hidden),
        ]
        | None
    ) = None
    policy: Literal["required", "on-request"] | None = None
    rules: Annotated[str, StringConstraints(max_length=24, pattern=TEXT)] | None = None
    format: Literal["singles", "doubles"] | None = None
    length: Annotated[int, Field(ge=1, le=LONGEST_MATCH)] | None = None
    options: dict[str, OptionValue] | None = None


class MoveGiven(Given):
    """The table to move a match to, created if needed."""

    table: Annotated[AtTable, AfterValidator(_refuse_hidden)]


class ResultGiven(Given):
    """The result of a match played without a clock."""

    winner: Literal["left", "right"]
    score: tuple[Points, Points] | None = Field(None, description="Null if unknown.")
    reason: Note = Field("", description="Why you correct an earlier result, for the record.")


class MessageGiven(Given):
    """A message to all phones and the hall screens, or to the phones at some tables."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_TEXT, pattern=TEXT)]
    tables: Annotated[list[AtTable], Field(max_length=MOST_TABLES)] = Field([], description="Names; empty: all.")
    minutes: Annotated[int, Field(ge=1, le=1440)] = Field(15, description="How long to show it.")
