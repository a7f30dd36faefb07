"""Drawing rounds of several events in one step: all or none, at different tables."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from clocks.engine.refusals import Refused, Why
from clocks.models import Bye, Match, Pairing, Player, Round, Section, Tournament
from clocks.tournament import advance, draw_store, drawing, first_groups, first_round, sections
from tests.server.hall import drawn, summer_open

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def dora() -> User:
    return User.objects.create(username="dora")


def two_events(**setting: Any) -> Tournament:
    """Two knockouts of four, each with a decided first round."""
    first = summer_open(**setting)
    tournament = first.tournament
    sections.put(first, sections.make(tournament, "knockout"))
    second = sections.new_round(sections.make(tournament, "knockout", "Ladies"))
    sections.put(second, second.section)
    drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    drawn(second, "3,Eva,Finn", "4,Gus,Hana")
    Pairing.objects.update(winner="left")
    return tournament


def stored() -> dict[str, list[str]]:
    """Matches and byes by round, including empty rounds."""
    found: dict[str, list[str]] = {str(each): [] for each in Round.objects.order_by("number")}
    for pairing in Pairing.objects.select_related("round", "table").order_by("pk"):
        found[str(pairing.round)].append(f"{pairing.table.name}: {pairing}")
    for bye in Bye.objects.select_related("round"):
        found[str(bye.round)].append(f"bye: {bye}")
    return found


def refused_at(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reject the `number`-th draw to be stored."""
    store, calls = draw_store.store_without_start, list[int]()

    def refusing(*args: Any, **options: Any) -> draw_store.Drawn:
        calls.append(1)
        if len(calls) == number:
            raise Refused(Why.STALE, draw_store.BUSY)
        return store(*args, **options)

    monkeypatch.setattr(draw_store, "store_without_start", refusing)


def test_a_faulty_line_of_one_event_leaves_the_others_undrawn(dora: User) -> None:
    found = advance.of_tournament(two_events(policy="on-request"), 0)
    before = stored()
    with pytest.raises(Refused, match="Gus – Gus"):
        advance.store([found[0], found[1]._replace(text="left,right\nGus,Gus\n")], dora)
    assert stored() == before


def test_a_refusal_midway_takes_back_what_was_drawn_before_it(dora: User, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = two_events(policy="on-request")
    empty = sections.new_round(Section.objects.get(name="Main"))
    sections.put(empty, Section.objects.get(name="Main"))
    found, before = advance.of_tournament(tournament, 0), stored()
    assert before == {
        "Main, round 1": ["1: Ann – Bob", "2: Chi – Dov"],
        "Ladies, round 1": ["3: Eva – Finn", "4: Gus – Hana"],
        "Main, round 2": [],
    }
    refused_at(2, monkeypatch)
    with pytest.raises(Refused):
        advance.store(found, dora)
    assert stored() == before


def test_empty_rounds_of_a_server_that_stopped_are_drawn_at_the_next_try(dora: User) -> None:
    tournament = two_events(policy="on-request")
    for section in Section.objects.order_by("pk"):
        sections.put(sections.new_round(section), section)
    before = stored()
    advance.store(advance.of_tournament(tournament, 0), dora)
    assert stored() == before | {"Main, round 2": ["1: Ann – Chi"], "Ladies, round 2": ["2: Eva – Gus"]}


def test_no_match_begins_before_all_events_are_drawn(dora: User, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = two_events(policy="on-request")
    Round.objects.update(policy="required")
    found = advance.of_tournament(tournament, 0)
    refused_at(2, monkeypatch)
    with pytest.raises(Refused):
        advance.store(found, dora)
    assert Match.objects.count() == 0
    monkeypatch.undo()
    advance.store(found, dora)
    assert sorted(str(each) for each in Match.objects.all()) == ["Ann – Chi", "Eva – Gus"]


@pytest.mark.parametrize("policy", ["required", "on-request"])
def test_events_drawn_together_share_no_table(dora: User, policy: str) -> None:
    tournament = two_events(policy="on-request")
    Round.objects.update(policy=policy)
    advance.store(advance.of_tournament(tournament, 0), dora)
    assert stored()["Main, round 2"] + stored()["Ladies, round 2"] == ["1: Ann – Chi", "2: Eva – Gus"]


def test_an_event_gets_tables_that_no_other_event_is_playing_at(dora: User) -> None:
    first = summer_open(policy="on-request")
    sections.put(first, sections.make(first.tournament, "knockout"))
    drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    given = {"number": 2, "length": 5, "rules": "us-2013"}
    first_round.store(first.tournament, [("Eva", "Finn"), ("Gus", "Hana")], ("swiss", "Side"), given, dora)
    assert stored()["Side, round 1"] == ["3: Eva – Finn", "4: Gus – Hana"]


def groups(tournament: Tournament, dora: User, **given: Any) -> list[Round]:
    """Draw two groups of four from the player list; return their rounds."""
    for name in "ABCDEFGH":
        Player.objects.get_or_create(tournament=tournament, name=name)
    pairs = [[("A", "B"), ("C", "D")], [("E", "F"), ("G", "H")]]
    return first_groups.store(tournament, pairs, "Finals", {"number": 2, **given}, dora)


def test_groups_have_tables_of_their_own_and_the_chosen_book(dora: User) -> None:
    options = {"delay_ms": 10_000}
    tournament = summer_open(policy="on-request", options=options).tournament
    made = groups(tournament, dora, length=5, rules="unified-2001")
    assert made == list(Round.objects.filter(number__gt=1).order_by("number"))
    assert stored() == {
        "Round 1": [],
        "Group A, round 1": ["1: A – B", "2: C – D"],
        "Group B, round 1": ["3: E – F", "4: G – H"],
    }
    assert list(Round.objects.filter(number__gt=1).values_list("rules", "length", "options")) == [
        ("unified-2001", 5, {}),
        ("unified-2001", 5, {}),
    ]


def test_a_refused_group_leaves_neither_rounds_nor_events(dora: User, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = summer_open(policy="on-request").tournament
    refused_at(2, monkeypatch)
    with pytest.raises(Refused):
        groups(tournament, dora)
    assert (stored(), Section.objects.count()) == ({"Round 1": []}, 0)


def test_a_round_for_teams_takes_no_groups_from_the_list(dora: User) -> None:
    tournament = summer_open(format="doubles").tournament
    with pytest.raises(Refused, match="players, not teams"):
        groups(tournament, dora, number=1)
    assert Section.objects.count() == 0


def test_a_bye_that_waits_for_a_match_is_taken_back_too(dora: User, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = two_events(policy="on-request")
    Pairing.objects.filter(setup__names=["Ann", "Bob"]).update(winner="")
    found = advance.of_tournament(tournament, 0)
    waits = found[0]._replace(text="left,right\nwinner of table 1,bye\n")
    refused_at(2, monkeypatch)
    with pytest.raises(Refused):
        advance.store([waits, found[1]], dora)
    assert Bye.objects.count() == 0


def test_a_round_that_was_drawn_meanwhile_is_refused(dora: User) -> None:
    tournament = two_events(policy="on-request")
    empty = sections.new_round(Section.objects.get(name="Main"))
    sections.put(empty, Section.objects.get(name="Main"))
    found = advance.of_tournament(tournament, 0)
    drawing.draw(Round.objects.get(pk=empty.pk), [("Ann", "Chi")], dora)
    with pytest.raises(Refused, match="has a draw already"):
        advance.store(found, dora)
    assert stored()["Main, round 2"] == ["1: Ann – Chi"] and "Ladies, round 2" not in stored()
