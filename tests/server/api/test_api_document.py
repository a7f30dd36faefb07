"""The API conforms to its OpenAPI document, for each operation and role."""

import os
from random import Random
from typing import Any, get_args

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from clocks.api import gate, reading, shapes
from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Kind, Seat
from clocks.engine.closed_sets import Format, Status, WonBy
from clocks.feed.recorder import recorder
from clocks.host.ratelimit import RateLimiter
from clocks.interchange import brackets, trf
from clocks.models import HallEntry, Match, Pairing, Round, Table, Tournament
from clocks.people import api_tokens
from clocks.tournament import results
from clocks.tournament.draw_plan import Act
from tests.server import hall
from tests.server.programs import Program, owner_of
from tests.server.views.test_addresses import everything

pytestmark = pytest.mark.django_db(transaction=True)

ROUND = "/tournaments/{slug}/rounds/{number}"
PAIRING = f"{ROUND}/pairings/{{pairing_id}}"
MATCH = "/tournaments/{slug}/matches/{match_id}"
TRF = trf.of_rounds("Open", [[("Chi", "Dov", "")]])
BRACKETS = brackets.write("Open", [(1, [brackets.Line("Chi", "Dov")])])
ANN = {"left": "Ida", "right": "Jon", "table": "9"}

# Each operation's permission and a director's request body, written here independently of the product.
OPERATIONS: dict[tuple[str, str], tuple[str, Any]] = {
    ("get", "/tournaments"): ("anything", None),
    ("get", "/tournaments/{slug}"): ("read", None),
    ("get", "/tournaments/{slug}/rounds"): ("read", None),
    ("post", "/tournaments/{slug}/rounds"): ("write", {}),
    ("get", ROUND): ("read", None),
    ("post", f"{ROUND}/start"): ("write", {}),
    ("get", f"{ROUND}/pairings"): ("read", None),
    ("put", f"{ROUND}/pairings"): ("write", {"pairings": [{"left": "Chi", "right": "Dov", "table": "2"}]}),
    ("put", f"{ROUND}/pairings/trf"): ("write", {"trf": trf.write(TRF), "round": 1}),
    ("put", f"{ROUND}/pairings/brackets"): ("write", {"brackets": BRACKETS, "round": 1}),
    ("post", f"{ROUND}/pairings"): ("write", ANN),
    ("post", f"{PAIRING}/move"): ("write", {"table": "12"}),
    ("put", f"{PAIRING}/result"): ("write", {"winner": "left"}),
    ("get", f"{ROUND}/results"): ("read", None),
    ("get", "/tournaments/{slug}/results"): ("read", None),
    ("get", "/tournaments/{slug}/trf"): ("read", None),
    ("get", "/tournaments/{slug}/brackets"): ("read", None),
    ("get", "/tournaments/{slug}/what-if"): ("read", None),
    ("get", "/tournaments/{slug}/what-if.csv"): ("read", None),
    ("get", "/tournaments/{slug}/tables"): ("read", None),
    ("get", "/tournaments/{slug}/matches"): ("read", None),
    ("get", MATCH): ("read", None),
    ("get", f"{MATCH}/turns"): ("read", None),
    ("get", f"{MATCH}/journal"): ("read", None),
    ("post", "/tournaments/{slug}/messages"): ("write", {"text": "Hello"}),
    ("get", "/tournaments/{slug}/live.json"): ("read", None),
    ("get", "/tournaments/{slug}/events"): ("read", None),
}
FEED = ("get", "/tournaments/{slug}/feed")  # served without Django; see test_feed.py
CALLERS = ("director", "viewer", "director of another tournament", "revoked", "no token", "an owner's browser")
EXPECTED = {  # status by caller, for "anything", "read" and "write"
    "director": (200, 200, 200),
    "viewer": (200, 200, 403),
    "director of another tournament": (200, 404, 404),
    "revoked": (401, 401, 401),
    "no token": (401, 401, 401),
    "an owner's browser": (401, 401, 401),
}


@pytest.fixture(autouse=True)
def nobody_is_counted(monkeypatch) -> None:
    monkeypatch.setattr(gate, "LIMITS", RateLimiter(1_000_000, 1_000_000.0))


@pytest.fixture
def tournament() -> Tournament:
    """A tournament with a running match, and a second round with clocks on request."""
    recorder.forget()
    round_ = hall.summer_open()
    recorder.record()
    (begun,) = hall.drawn(round_, "1,Ann,Bob")
    hall.begin(begun.match)
    hall.do(begun.match, "right", do="hit")
    hall.drawn(hall.next_round(round_, policy="on-request"), "2,Chi,Dov")
    Tournament.objects.create(slug="other", name="Other")
    recorder.record()
    return round_.tournament


def caller(name: str, tournament: Tournament) -> Program:
    other = Tournament.objects.get(slug="other")
    program = {
        "director": lambda: Program(tournament),
        "viewer": lambda: Program(tournament, "viewer"),
        "director of another tournament": lambda: Program(other),
        "revoked": lambda: Program(tournament),
    }.get(name, Program)()
    if name == "revoked":
        api_tokens.revoke(tournament.api_tokens.get(), owner_of(tournament))
    if name == "an owner's browser":
        program.client.force_login(owner_of(tournament))
    return program


def documented() -> set[tuple[str, str]]:
    paths = Client().get("/api/v1/openapi.json").json()["paths"]
    return {(method, path.removeprefix("/api/v1")) for path, found in paths.items() for method in found}


def test_every_operation_has_an_entry_in_the_table() -> None:
    assert documented() == {*OPERATIONS, FEED}


@pytest.mark.parametrize("name", CALLERS)
def test_each_operation_admits_only_the_roles_that_may_use_it(tournament: Tournament, name: str) -> None:
    program = caller(name, tournament)
    pairing = Pairing.objects.get(round__number=2)
    of = {"slug": "open", "number": 2, "pairing_id": pairing.pk, "match_id": Match.objects.get().pk}
    found, expected = {}, {}
    program.ask("get", "/api/v1/tournaments")  # stores the time of the token's last use
    before = everything()
    for (method, path), (takes, body) in OPERATIONS.items():
        number = ("anything", "read", "write").index(takes)
        answer = program.ask(method, f"/api/v1{path.format(**of)}", body)
        found[method, path] = answer.status_code if answer.status_code != 201 else 200
        expected[method, path] = EXPECTED[name][number]
        if method == "put" and "/pairings" in path and "result" not in path and answer.status_code == 200:
            of["pairing_id"] = Pairing.objects.get(round__number=2).pk
    assert found == expected
    assert (everything() == before) is (name != "director")
    if name == "director":
        book = set(HallEntry.objects.filter(user_name="Draws").values_list("event", flat=True))
        assert book >= {"round_made", "match_added", "match_moved", "result_entered", "message_sent"}


# --- the document and the responses --------------------------------------------------------------------------------

REQUESTS = int(os.environ.get("REQUESTS", "3"))  # generated cases per operation; `make check-attacks` runs more
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
SCHEMA = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application()).exclude(path_regex="/feed$")
CASES = [result.ok() for result in SCHEMA.get_all_operations()]


def test_every_response_matches_the_openapi_document(tournament: Tournament) -> None:
    """Send generated requests to each operation in each role, all to one tournament."""
    tokens = {role: Program(tournament, role).token for role in ("viewer", "director")}
    tokens[""] = ""
    ids = {"pairing_id": Pairing.objects.get(round__number=2).pk, "match_id": Match.objects.get().pk}
    for operation in CASES:

        @settings(
            max_examples=REQUESTS,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(operation.as_strategy(), st.randoms())
        def ask(case: Any, chance: Random) -> None:
            of = {"slug": "open", "number": chance.randrange(3), **ids}
            given_path = dict(case.path_parameters or {})
            # Replace about 80% of the generated path parameters with existing ones.
            case.path_parameters = {
                name: of.get(name, value) if chance.random() < 0.8 else value for name, value in given_path.items()
            }
            for token in tokens.values():
                case.call_and_validate(checks=CHECKS, headers={"Authorization": f"Bearer {token}"} if token else {})

        try:
            ask()
        except BaseException as error:
            error.add_note(operation.label)
            raise


def _words(annotation: Any) -> set[str]:
    """All strings in a possibly nested `Literal` annotation."""
    return (
        {annotation}
        if isinstance(annotation, str)
        else {word for each in get_args(annotation) for word in _words(each)}
    )


def test_the_document_lists_every_value_of_each_enum() -> None:
    match, round_, line = (each.model_fields for each in (shapes.MatchShape, shapes.RoundShape, shapes.PlannedShape))
    assert [_words(match[name].annotation) for name in ("status", "kind", "won_by", "turn")] == [
        set(Status),
        set(Kind),
        set(WonBy),
        set(Seat),
    ]
    assert [_words(round_[name].annotation) for name in ("format", "policy")] == [set(Format), set(Round.Policy)]
    assert _words(line["act"].annotation) == set(Act)
    pairing, result = shapes.PairingShape.model_fields, shapes.ResultShape.model_fields
    assert _words(pairing["rules"].annotation) == _words(match["rules"].annotation) == set(RULESETS)
    assert _words(pairing["format"].annotation) == _words(match["format"].annotation) == set(Format)
    assert _words(pairing["state"].annotation) == {"waiting", "no-clock", *Status}
    assert _words(result["by"].annotation) == {"", *map(str, results.KINDS_OF_WIN)}
    assert _words(result["state"].annotation) == set(map(str, results.STATES))


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(
    score=st.one_of(st.none(), st.tuples(st.integers(0, 3), st.integers(0, 3))),
    winner=st.sampled_from(["", "left", "right"]),
    waits=st.booleans(),
    policy=st.sampled_from(list(Round.Policy)),
    rules=st.sampled_from(list(RULESETS)),
    format_=st.sampled_from(list(Format)),
)
def test_every_result_without_a_clock_fits_its_shape(
    score: tuple[int, int] | None, winner: str, waits: bool, policy: str, rules: str, format_: str
) -> None:
    setup = {"names": ["Ann", "Bob"], "length": 3, "rules": rules, "format": format_, "score": [0, 0], "options": {}}
    round_ = Round(number=1, policy=policy)
    pairing = Pairing(id=1, round=round_, table=Table(name="1"), setup=setup, winner=winner, score=score)
    shapes.ResultShape.model_validate(reading.result_shape(results._without_clock(pairing, waits)))
    shapes.PairingShape.model_validate(reading.pairing_shape(pairing))
