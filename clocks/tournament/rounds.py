"""Rounds of a tournament: create, count and start them."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet

from clocks import desk
from clocks.engine.closed_sets import Official
from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import Setup
from clocks.engine.words import Words
from clocks.journal import tournament_log
from clocks.journal.tournament_events import RoundMade, RoundStarted
from clocks.models import Pairing, Round, Section, Tournament

LARGEST = 999  # largest number of a round: 32 groups of four and a knockout make more than a hundred


class Started(NamedTuple):
    """Ids of the created matches, and of the pairings that still wait."""

    matches: list[int]
    waiting: list[int]


def with_counts(rounds: QuerySet[Round]) -> QuerySet[Any]:
    """Annotate rounds with counts of pairings: `drawn`, `over` and `waiting`."""
    there = Q(pairings__isnull=False)  # a round without pairings also has a row in the join
    return rounds.annotate(
        drawn=Count("pairings"),
        over=Count("pairings", filter=there & Pairing.decided("pairings__")),
        waiting=Count("pairings", filter=there & Pairing.waiting("pairings__")),
    )


def like_the_last(tournament: Tournament, example: Round | None = None) -> Round:
    """Unsaved next round, with the settings of `example` or else of the last round."""
    last = tournament.rounds.order_by("-number").first()
    round_ = Round(tournament=tournament, number=last.number + 1 if last else 1)
    example = example or last
    if example:
        set_like(round_, example)
    return round_


def set_like(round_: Round, example: Round) -> None:
    """Copy the settings of another round."""
    for name in ("policy", "rules", "format", "length", "options"):
        setattr(round_, name, getattr(example, name))


def change(round_: Round, given: Mapping[str, Any]) -> None:
    """Change a round's settings without saving; drop options of other rules."""
    if given.get("rules", round_.rules) != round_.rules:
        round_.options = {}
    for name, value in given.items():
        setattr(round_, name, value)


def only_section(tournament: Tournament) -> Section | None:
    """The only section of a tournament, which a new round joins, or None."""
    found = list(tournament.sections.all()[:2])
    return found[0] if len(found) == 1 else None


def make(tournament: Tournament, given: dict[str, Any], user: User, section: Section | None = None) -> Round:
    """Store a round, with unset fields copied from the last one.

    Raises Refused for invalid settings or a taken number.
    """
    round_ = like_the_last(tournament)
    round_.section = section or only_section(tournament)
    change(round_, given)
    setting = {name: getattr(round_, name) for name in ("rules", "format", "length", "options")}
    round_.options = Setup.parse(setting).to_dict()["options"]
    try:
        with transaction.atomic():
            round_.save()
            tournament_log.write(tournament, user, RoundMade(round_.number))
    except IntegrityError:
        raise Refused(Why.STALE, Words("There is already a round %(number)s.", number=round_.number)) from None
    return round_


def board_name(round_: Round) -> str:
    """Name of a round on its boards: its own or, in English, `Round 3`."""
    return round_.name or f"Round {round_.number}"


def starts(tournament_ids: Iterable[int]) -> dict[int, dict[str, int]]:
    """Start times of rounds (ms of server time), by tournament id and `board_name`."""
    found: dict[int, dict[str, int]] = {key: {} for key in tournament_ids}
    for round_ in Round.objects.filter(tournament__in=found).exclude(starts_at=None):
        if round_.starts_at:
            found[round_.tournament_id][board_name(round_)] = int(round_.starts_at.timestamp() * 1000)
    return found


def start(round_: Round, user: User) -> Started:
    """Start a round's matches at free tables, except those with a clock on request."""
    waiting = round_.pairings.filter(Pairing.waiting())
    before = set(waiting.values_list("pk", flat=True))
    tables = list(waiting.values_list("table_id", flat=True))
    desk.start_pairings(tables, by=Official.DIRECTOR, user_id=user.pk)
    left = list(waiting.order_by("pk").values_list("pk", flat=True))
    mine = round_.pairings.filter(table__in=tables, match__isnull=False)
    begun = sorted(match_id for key, match_id in mine.values_list("pk", "match_id") if key in before and match_id)
    if begun:
        tournament_log.write(round_.tournament, user, RoundStarted(round_.number, len(begun)))
    return Started(begun, left)
