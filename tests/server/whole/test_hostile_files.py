"""Hostile files have bounded cost; invalid ones are rejected with a message."""

import json

import pytest
from django.test import Client

from clocks.api import following
from clocks.engine.refusals import Refused
from clocks.interchange import brackets, trf
from clocks.models import Player, Tournament
from clocks.tournament import draw_columns, players
from clocks.views.director import draw
from tests.server.hall import client_of, summer_open

ACCENTS = "\u0300\u0316" * 65_000  # normalising these blocks all threads for half a minute
PLAYER = "001    1      Ann".ljust(91)


@pytest.mark.parametrize("cell", ["1 2 w 1", "\u0663\u0663\u0663\u0663 w 1", " 1 1 b 0", "-001 w 1", "1e3  w 1"])
def test_a_trf_opponent_that_is_not_a_number_is_refused(cell: str) -> None:
    with pytest.raises(Refused, match="Line 1 has a round that cannot be read"):
        trf.read(PLAYER + cell)


@pytest.mark.parametrize(
    ("cell", "played"), [("0002 w 1", (2, "w", "1")), ("   2 s 0", (2, "b", "0")), ("0000 - U", (0, "-", "U"))]
)
def test_a_trf_file_names_opponents_with_or_without_zeros(cell: str, played: tuple[int, str, str]) -> None:
    assert trf.read(PLAYER + cell).players[0].rounds == (played,)


@pytest.mark.parametrize("id_", [[[[]]], {"a": {}}, "x" * 100_000, 1e400, True, 10**400])
def test_an_odd_id_in_brackets_is_refused_in_a_short_sentence(id_: object) -> None:
    tables = {"participant": [{"id": 0, "name": "Ann"}], "round": [{"id": 0, "number": 1}]}
    tables["match"] = [{"id": id_, "round_id": 0, "opponent1": {"id": id_}, "opponent2": None}]
    with pytest.raises(Refused) as refused:
        brackets.parse(json.dumps(tables))
    assert len(str(refused.value)) < 200


def test_a_nest_of_lists_in_brackets_is_refused_however_deep() -> None:
    for depth in range(100, 1_000, 10):
        text = f'{{"participant": [{{"id": {"[" * depth}{"]" * depth}}}], "round": [{{}}], "match": [{{}}]}}'
        with pytest.raises(Refused):
            brackets.parse(text)


@pytest.mark.parametrize("where", ["name", "extra", "table"])
def test_lone_surrogates_in_brackets_are_refused(where: str) -> None:
    tables = {"participant": [{"id": 0, "name": "Ann"}, {"id": 1, "name": "Bob"}], "round": [{"id": 0, "number": 1}]}
    tables["match"] = [{"id": 0, "round_id": 0, "opponent1": {"id": 0}, "opponent2": {"id": 1}}]
    assert brackets.parse(json.dumps(tables)).rounds == {1: [("Ann", "Bob")]}
    if where == "table":
        tables["\ud800"] = []
    else:
        tables["participant"][0] |= {where: "\ud800", "\ud800" if where == "extra" else "id": 0}
    with pytest.raises(Refused, match="not JSON"):
        brackets.parse(json.dumps(tables))


@pytest.mark.timeout(20)
def test_a_cell_of_accents_costs_no_more_than_a_name() -> None:
    assert draw_columns.normalise_title("a" + ACCENTS) == "a"
    assert len(players.name_key("a" + ACCENTS)) <= 2 * players.LONGEST_WRITTEN
    assert players.name_key("Ann  MARÍA") == "ann maría"


@pytest.mark.django_db(transaction=True)
def test_only_the_first_unknown_names_are_compared(monkeypatch) -> None:
    monkeypatch.setattr(draw, "MOST_COMPARED", 4)
    tournament = summer_open().tournament
    Player.objects.bulk_create(Player(tournament=tournament, name=name) for name in ("Anna Berg", "Bo Dahl"))
    lines = "left,right\nAna Berg,Bo Dal\nAnna Borg,Finn"
    shown = client_of("owner").post("/director/open/rounds/1/draw/", {"pasted": lines}).context["strangers"]
    offered = [(name, [player for player, _value in nearest]) for name, nearest in shown]
    assert offered == [("Ana Berg", ["Anna Berg"]), ("Bo Dal", ["Bo Dahl"]), ("Anna Borg", []), ("Finn", [])]


@pytest.mark.django_db
def test_the_public_list_of_matches_is_cached_for_a_second(monkeypatch) -> None:
    tournament = Tournament.objects.create(slug="open", name="Open", public_feed=True)
    first = Client().get("/api/v1/tournaments/open/live.json")
    Tournament.objects.filter(pk=tournament.pk).update(name="Closed")
    again = Client().get("/api/v1/tournaments/open/live.json?n=2")
    assert (again.content, dict(again.items())) == (first.content, dict(first.items()))
    known = Client().get("/api/v1/tournaments/open/live.json", headers={"If-None-Match": first["ETag"]})
    assert (known.status_code, known["ETag"]) == (304, first["ETag"])
    monkeypatch.setattr(following, "KEPT_S", 0.0)
    assert Client().get("/api/v1/tournaments/open/live.json").json()["name"] == "Closed"
