"""API operations that write: rounds, draws, results without a clock, messages.

Each is recorded in the tournament's log. No operation presses a clock. Rulings on running matches are left to people,
except that a corrected result stops the clocks of later matches whose players change.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Schema
from pydantic import ValidationError

from clocks.api import gate, idempotency, shapes
from clocks.api.bodies import (
    BracketsGiven,
    DrawGiven,
    MessageGiven,
    MoveGiven,
    PairingGiven,
    ResultGiven,
    RoundGiven,
    TrfGiven,
)
from clocks.api.consequences import StoredResultShape, consequence_shape
from clocks.api.problems import ProblemDocument, at_fault
from clocks.api.reading import WRONG, pairing_of, pairing_shape, round_now, round_of, router
from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import LONGEST_NAME
from clocks.feed.problems import Problem
from clocks.interchange import tournament_files
from clocks.models import Pairing, Round, Tournament
from clocks.people.roles import Action
from clocks.tournament import corrections, drawing, drawn_details, messages, moves, rounds, sections, tables
from clocks.tournament.draw_plan import Act
from clocks.tournament.drawing import Sent

__all__ = ["router"]

DryRun = Annotated[bool, Query(description="1: report what would happen, and change nothing.")]


def answers(shape: Any, status: int = 200) -> dict[int, Any]:
    """Response schemas by status, for an operation that writes."""
    return {status: shape, 409: ProblemDocument, 503: ProblemDocument, **WRONG}


@dataclass(frozen=True)
class _Asked:
    """The tournament to write to, and the token's user."""

    tournament: Tournament
    user: Any


def _asked(request: HttpRequest, slug: str, action: Action) -> _Asked:
    return _Asked(gate.tournament(request, slug, action), gate.token_of(request).user)


# --- rounds --------------------------------------------------------------------------------------------------------


@router.post("/tournaments/{slug:slug}/rounds", response=answers(shapes.RoundShape, 201))
def make_round(
    request: HttpRequest, slug: str, body: RoundGiven, idempotency_key: idempotency.Key = None
) -> HttpResponse:
    """Create a round. Omitted fields take the last round's values."""
    asked = _asked(request, slug, Action.ARRANGE)

    fields = [*(f"options/{name}" for name in body.options or ()), "number", "stage", "rules", "format", "length"]
    given = body.model_dump(exclude_none=True)
    stage = given.pop("stage", "")

    def work() -> Any:
        with at_fault(*fields, usual="options"):
            made = sections.make_round(asked.tournament, stage, given, asked.user)
        return round_now(made)

    return idempotency.done(request, idempotency_key, shapes.RoundShape, work, 201)


@router.post("/tournaments/{slug:slug}/rounds/{int:number}/start", response=answers(shapes.StartedShape))
def start_round(request: HttpRequest, slug: str, number: int, idempotency_key: idempotency.Key = None) -> HttpResponse:
    """Start the waiting matches of a round whose tables are free."""
    asked = _asked(request, slug, Action.ARRANGE)
    round_ = round_of(asked.tournament, number)

    def work(_command_id: str | None) -> Any:
        started = rounds.start(round_, asked.user)
        return {"started": started.matches, "waiting": started.waiting}

    return idempotency.done_by_itself(request, idempotency_key, shapes.StartedShape, work)


# --- the draw ------------------------------------------------------------------------------------------------------


@router.put(
    "/tournaments/{slug:slug}/rounds/{int:number}/pairings",
    response=answers(shapes.DrawShape),
    auth=gate.TokenOfDraw(),
)
def put_pairings(
    request: HttpRequest,
    slug: str,
    number: int,
    body: DrawGiven,
    dry_run: DryRun = False,
    idempotency_key: idempotency.Key = None,
) -> HttpResponse:
    """Replace the draw of a round. If any pairing is invalid, nothing changes.

    Sending the same draw again changes nothing. Matches that have begun stay at their tables and must be in the draw;
    other matches that are not in it are removed. If two draws are sent at the same time, the second replaces the
    first.
    """
    asked = _asked(request, slug, Action.ARRANGE)
    round_ = round_of(asked.tournament, number)
    sent = [pairing.sent() for pairing in body.pairings]

    def work(_command_id: str | None) -> Any:
        return _drawn(round_, sent, asked.user, body.give_way, dry_run)

    return _done(request, dry_run, idempotency_key, shapes.DrawShape, work)


@router.put(
    "/tournaments/{slug:slug}/rounds/{int:number}/pairings/trf",
    response=answers(shapes.FileDrawShape),
    auth=gate.TokenOfDraw(),
)
def put_trf(
    request: HttpRequest,
    slug: str,
    number: int,
    body: TrfGiven,
    dry_run: DryRun = False,
    idempotency_key: idempotency.Key = None,
) -> HttpResponse:
    """Replace the draw of a round with a round of a TRF26 file.

    `left` lists the tags that were ignored.
    """
    asked = _asked(request, slug, Action.ARRANGE)
    round_ = round_of(asked.tournament, number)
    with at_fault(usual="trf"):
        given = tournament_files.of_trf(body.trf, body.round or number)
    return _put_file(request, asked, round_, given, body.give_way, dry_run, idempotency_key)


@router.put(
    "/tournaments/{slug:slug}/rounds/{int:number}/pairings/brackets",
    response=answers(shapes.FileDrawShape),
    auth=gate.TokenOfDraw(),
)
def put_brackets(
    request: HttpRequest,
    slug: str,
    number: int,
    body: BracketsGiven,
    dry_run: DryRun = False,
    idempotency_key: idempotency.Key = None,
) -> HttpResponse:
    """Replace the draw of a round with a round of brackets-model.

    `left` lists what was ignored.
    """
    asked = _asked(request, slug, Action.ARRANGE)
    round_ = round_of(asked.tournament, number)
    with at_fault(usual="brackets"):
        given = tournament_files.of_brackets(body.brackets, body.round or number)
    return _put_file(request, asked, round_, given, body.give_way, dry_run, idempotency_key)


def _put_file(
    request: HttpRequest,
    asked: _Asked,
    round_: Round,
    given: tournament_files.ImportedDraw,
    give_way: bool,
    dry_run: bool,
    idempotency_key: str | None,
) -> HttpResponse:
    pairs = ({"left": left, "right": right} for left, right in given.pairings)
    try:
        sent = [PairingGiven.model_validate(pair).sent() for pair in pairs]
    except ValidationError as wrong:
        error = wrong.errors()[0]
        words = f"“{str(error['input'])[:LONGEST_NAME]}”: {error['msg']}."
        raise Problem(422, words, code=Why.BAD_VALUE, errors=[("", words)]) from None

    def work(_command_id: str | None) -> Any:
        drawn = _drawn(round_, sent, asked.user, give_way, dry_run)
        if not dry_run:
            details = {name: each._asdict() for name, each in given.details.items()}
            drawn_details.keep(asked.tournament, details.items())
        return {**drawn, "left": list(given.ignored)}

    return _done(request, dry_run, idempotency_key, shapes.FileDrawShape, work)


def _done(request: HttpRequest, dry_run: bool, key: str | None, shape: type[Schema], work: Any) -> HttpResponse:
    """Run `work` under the Idempotency-Key; a dry run's response is not stored."""
    return idempotency.done_by_itself(request, None if dry_run else key, shape, work)


def _drawn(round_: Round, sent: Sequence[Sent], user: Any, give_way: bool, dry_run: bool) -> dict[str, Any]:
    """Replace the draw; return the outcome for each pairing.

    Raises Problem (422) if any pairing is invalid.
    """
    drawn = drawing.replace(round_, sent, user, give_way=give_way, dry_run=dry_run)
    if not drawn.plan.possible:
        bad = [each for each in drawn.plan.lines if each.act == Act.BAD]
        errors = [(f"/pairings/{each.line.number}", each.words) for each in bad]
        words = f"Nothing was changed: {len(bad)} of {len(sent)} lines are wrong."
        raise Problem(422, words, code=Why.BAD_VALUE, errors=errors)
    lines = [
        {
            "line": each.line.number,
            "external_id": one.external_id,
            "act": each.act.value,
            "words": each.words,
            "table": each.line.table,
            "names": (each.line.cells["left"], each.line.cells["right"]),
            "pairing": None if dry_run or pairing is None else pairing.pk,
        }
        for one, each, pairing in zip(sent, drawn.plan.lines, drawn.pairings, strict=True)
    ]
    return {"dry_run": dry_run, "lines": lines, "removed": [str(pairing) for pairing in drawn.plan.removed]}


@router.post("/tournaments/{slug:slug}/rounds/{int:number}/pairings", response=answers(shapes.PairingShape, 201))
def add_pairing(
    request: HttpRequest, slug: str, number: int, body: PairingGiven, idempotency_key: idempotency.Key = None
) -> HttpResponse:
    """Add a match to a round's draw."""
    asked = _asked(request, slug, Action.ARRANGE)
    round_ = round_of(asked.tournament, number)

    def work(_command_id: str | None) -> Any:
        with at_fault("external_id", "table"):
            planned, pairing = drawing.add(round_, body.sent(), asked.user)
        if pairing is None:
            raise Problem(422, planned.words, code=Why.BAD_VALUE, errors=[("", planned.words)])
        return pairing_shape(Pairing.objects.select_related("table", "match").get(pk=pairing.pk))

    return idempotency.done_by_itself(request, idempotency_key, shapes.PairingShape, work, 201)


@router.post(
    "/tournaments/{slug:slug}/rounds/{int:number}/pairings/{int:pairing_id}/move", response=answers(shapes.PairingShape)
)
def move_pairing(
    request: HttpRequest,
    slug: str,
    number: int,
    pairing_id: int,
    body: MoveGiven,
    idempotency_key: idempotency.Key = None,
) -> HttpResponse:
    """Move a match to another table, with its clock if it has one.

    The table is created if needed.
    """
    asked = _asked(request, slug, Action.TABLE)
    round_ = round_of(asked.tournament, number)
    pairing = pairing_of(round_, pairing_id)

    def work(command_id: str | None) -> Any:
        with at_fault(usual="table"):
            moves.move(pairing, " ".join(body.table.split()), asked.user, command_id)
        return pairing_shape(pairing_of(round_, pairing_id))

    return idempotency.done_by_itself(request, idempotency_key, shapes.PairingShape, work)


# --- results, messages ---------------------------------------------------------------------------------------------


@router.put(
    "/tournaments/{slug:slug}/rounds/{int:number}/pairings/{int:pairing_id}/result",
    response=answers(StoredResultShape),
)
def put_result(
    request: HttpRequest,
    slug: str,
    number: int,
    pairing_id: int,
    body: ResultGiven,
    idempotency_key: idempotency.Key = None,
) -> HttpResponse:
    """Enter the result of a match played without a clock.

    Correcting a result needs a reason. If the winner changes, the two players swap places in later rounds, as on the
    director's page: clocks there are stopped first. `consequences` lists these matches and byes.
    """
    asked = _asked(request, slug, Action.END)
    round_ = round_of(asked.tournament, number)
    pairing = pairing_of(round_, pairing_id)

    def work(_command_id: str | None) -> Any:
        if pairing.match_id is not None:
            raise Refused(Why.STALE, "It is played with a clock, so its result is entered there.")
        score = body.score or (None, None)
        with at_fault("score", "reason"):
            found = corrections.enter(pairing, body.winner, score, asked.user, body.reason)
        return {
            **pairing_shape(pairing_of(round_, pairing_id)),
            "consequences": [consequence_shape(each) for each in found],
        }

    return idempotency.done_by_itself(request, idempotency_key, StoredResultShape, work)


@router.post("/tournaments/{slug:slug}/messages", response=answers(shapes.MessageShape, 201))
def send_message(
    request: HttpRequest, slug: str, body: MessageGiven, idempotency_key: idempotency.Key = None
) -> HttpResponse:
    """Send a message to the phones and, if it is for all tables, to the hall screens."""
    asked = _asked(request, slug, Action.HALL)
    known = tables.tables_named(asked.tournament.tables.all(), body.tables)
    unknown = [
        (f"/tables/{i}", f"There is no table {name}.") for i, name in enumerate(body.tables) if name not in known
    ]
    if unknown:
        raise Problem(422, unknown[0][1], code=Why.BAD_VALUE, errors=unknown)

    def work() -> Any:
        at = list(dict.fromkeys(known.values()))
        message = messages.send(asked.tournament, asked.user, body.text, at, body.minutes)
        names = [table.name for table in at]
        fields = {name: getattr(message, name) for name in ("text", "sent_at", "until")}
        return {"id": message.pk, "tables": names, **fields}

    return idempotency.done(request, idempotency_key, shapes.MessageShape, work, 201)
