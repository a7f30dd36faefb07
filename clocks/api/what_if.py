"""Operations that replay matches under other settings."""

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from pydantic import Field

from clocks.api import gate, problems
from clocks.api.reading import WRONG
from clocks.api.shapes import Shape
from clocks.api.values import Pair, Rules, Seat
from clocks.feed.problems import Problem
from clocks.interchange import exports, what_if_files
from clocks.people.roles import Action
from clocks.record import long_runs, what_if, what_if_runs

router = Router()

Books = Annotated[list[Rules], Query(default_factory=list, description="Books to try, besides each match as played.")]
MOST_MS = 86_400_000
PerPoint = Annotated[int | None, Query(ge=1, le=MOST_MS)]
Delay = Annotated[int | None, Query(ge=0, le=MOST_MS)]


class FlagShape(Shape):
    """A flag that would have fallen."""

    match: int
    player: str
    seat: Seat
    at: int = Field(description="In milliseconds of server time.")
    turn_number: int
    game: int
    score: Pair


class RoundTimeShape(Shape):
    """Upper bound of a round's playing time: that of its longest match."""

    number: int | None = Field(description="The round's; null for matches without a round.")
    name: str
    matches: int
    longest_ms: int


class ReserveLeftShape(Shape):
    """Reserve left on a clock at the end, for one value of the reserve per point."""

    per_point_ms: int
    reserve_left_ms: dict[str, int] = Field(description="By percentile.")


class WhatIfShape(Shape):
    """Report on the played matches, replayed under one setting."""

    rules: Rules | None = Field(description="Null: each match as it was played.")
    options: dict[str, int]
    per_point_ms: int | None
    matches: int
    left_out: int = Field(description="Matches in a format that the book does not cover.")
    unended: int = Field(description="Matches that had not ended when their turns did.")
    flagged: int = Field(description="Matches with a flag.")
    lost_on_time: int
    flags: list[FlagShape]
    reserve_left_ms: dict[str, int] = Field(description="Reserve left on a clock at the end, by percentile.")
    enough_per_point_ms: dict[str, int] = Field(
        description="Smallest reserve per point at which at most so many percent of the matches see a flag."
    )
    rounds: list[RoundTimeShape]
    curve: list[tuple[int, float]] = Field(description="Share of matches with a flag, by reserve per point.")
    reserve_left_curve: list[ReserveLeftShape]
    assumptions: list[str] = Field(description="What all these figures assume, in English.")


ANSWERS: dict[int, Any] = {200: list[WhatIfShape], 503: problems.ProblemDocument, **WRONG}


@router.get("/tournaments/{slug:slug}/what-if", response=ANSWERS)
def read_what_if(
    request: HttpRequest,
    slug: str,
    rules: Books,
    per_point_ms: PerPoint = None,
    delay_ms: Delay = None,
) -> Any:
    """Replay the turns of the played matches under other rules, reserves and delays."""
    return [what_if.shown(report) for report in _reports(request, slug, rules, per_point_ms, delay_ms)]


@router.get(
    "/tournaments/{slug:slug}/what-if.csv",
    response={503: problems.ProblemDocument, **WRONG},
    openapi_extra={"responses": {200: {"description": "OK", "content": {"text/csv": {"schema": {"type": "string"}}}}}},
)
def read_what_if_csv(
    request: HttpRequest,
    slug: str,
    rules: Books,
    per_point_ms: PerPoint = None,
    delay_ms: Delay = None,
) -> Any:
    """Read the same figures as CSV, one per row."""
    reports = _reports(request, slug, rules, per_point_ms, delay_ms)
    return HttpResponse(exports.table(what_if_files.table(reports)), content_type="text/csv; charset=utf-8")


def _reports(
    request: HttpRequest, slug: str, rules: list[Rules], per_point_ms: int | None, delay_ms: int | None
) -> list[what_if.Report]:
    """Compute a report on the matches as played, then one per rule book."""
    tournament = gate.tournament(request, slug, Action.EXPORT)
    settings = what_if.compared(rules, per_point_ms, delay_ms)
    try:
        with problems.at_fault("delay_ms", "per_point_ms", "rules"):
            return what_if_runs.reports(tournament, settings)
    except long_runs.TooMuch:
        words = "That is too much for one request. Name fewer rules, or use the command manage.py whatif."
        raise Problem(422, words, errors=[("rules", words)]) from None
    except long_runs.Busy:
        raise Problem(503, "Another request is computing this. Try again.", headers={"Retry-After": "2"}) from None
