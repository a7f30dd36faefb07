"""Planning and storing a draw: replanned after a change, stored atomically."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command

from clocks.engine.refusals import Refused, Why
from clocks.journal import tournament_log
from clocks.journal.tournament_events import DrawImported, PlayerRenamed
from clocks.models import Bye, Match, Pairing, Player, Round
from clocks.tournament import draw, draw_store, drawing
from clocks.tournament.draw_plan import Tables
from clocks.tournament.draw_store import Plan
from clocks.tournament.drawing import Sent
from tests.server.hall import begin, drawn, next_round, summer_open, win
from tests.server.programs import owner_of

pytestmark = pytest.mark.django_db(transaction=True)


def planner(round_: Round, text: str, before: Callable[[int], object] = lambda _number: None) -> Callable[..., Plan]:
    """Planner of a draw; first calls `before` with the number of earlier plans."""
    plans: list[Tables] = []

    def plan(tables: Tables) -> Plan:
        before(len(plans))
        plans.append(tables)
        return Plan(tables.plan(draw.parse(text, round_).lines), event=DrawImported(round_.number))

    return plan


def drawn_names(round_: Round) -> list[list[str]]:
    """Names of the players in each pairing of a round."""
    return [pairing.setup["names"] for pairing in round_.pairings.order_by("pk")]


def log_of(round_: Round) -> list[str]:
    """Events in the tournament log, in order."""
    return list(round_.tournament.hall_entries.order_by("pk").values_list("event", flat=True))


def test_a_draw_is_planned_again_if_its_round_has_changed() -> None:
    round_ = summer_open()
    seen: list[int] = []

    def change_once(number: int) -> None:
        seen.append(number)
        if number == 0:
            Bye.objects.create(round=round_, name="Eva")

    done = draw_store.store(round_, planner(round_, "1,Ann,Bob", change_once), None)
    assert seen == [0, 1]
    assert [pairing.setup["names"] for pairing in done.pairings if pairing] == drawn_names(round_) == [["Ann", "Bob"]]
    assert log_of(round_) == ["draw_imported"]


def test_a_draw_is_planned_again_if_a_player_was_renamed() -> None:
    round_ = summer_open()
    seen: list[int] = []

    def rename_once(number: int) -> None:
        seen.append(number)
        if number == 0:
            tournament_log.write(round_.tournament, None, PlayerRenamed("An", "Ann", "misspelt"))

    draw_store.store(round_, planner(round_, "1,Ann,Bob", rename_once), None)
    assert seen == [0, 1]


def test_a_draw_gives_up_if_its_round_keeps_changing() -> None:
    round_ = summer_open()
    seen: list[int] = []

    def change(number: int) -> None:
        seen.append(number)
        Bye.objects.create(round=round_, name=f"Eva {number}")

    with pytest.raises(Refused) as refused:
        draw_store.store(round_, planner(round_, "1,Ann,Bob", change), None)
    assert refused.value.code == Why.STALE
    assert seen == list(range(draw_store.TRIES))
    assert (drawn_names(round_), log_of(round_)) == ([], [])


def test_one_impossible_line_stores_nothing_of_a_draw() -> None:
    round_ = summer_open()
    done = draw_store.store(round_, planner(round_, "table,left,right\n1,Ann,Bob\n2,Ann,Chi"), None)
    assert not done.plan.possible
    assert (list(done.pairings), drawn_names(round_), log_of(round_)) == ([None, None], [], [])


def test_a_dry_run_returns_the_plan_and_stores_nothing() -> None:
    round_ = summer_open()
    done = draw_store.store(round_, planner(round_, "1,Ann,Bob"), None, dry_run=True)
    assert [line.act for line in done.plan.lines] == ["start"]
    assert (drawn_names(round_), log_of(round_)) == ([], [])


def test_a_draw_that_changes_nothing_is_not_logged() -> None:
    round_ = summer_open()
    draw_store.store(round_, planner(round_, "1,Ann,Bob"), None)
    again = draw_store.store(round_, planner(round_, "1,Ann,Bob"), None)
    assert [pairing.pk for pairing in again.pairings if pairing] == [Pairing.objects.get().pk]
    assert log_of(round_) == ["draw_imported"]


def sent(*lines: str) -> list[Sent]:
    """Lines as sent by an API client, from `id table left right`; `-` means no table."""
    cells = (line.split() for line in lines)
    return [
        Sent(id_, {"table": table.strip("-"), "left": left, "right": right}, {}) for id_, table, left, right in cells
    ]


def test_replacing_a_draw_logs_what_it_made_kept_and_removed() -> None:
    round_ = summer_open()
    owner = owner_of(round_.tournament)
    drawing.replace(round_, sent("m1 1 Ann Bob", "m2 2 Chi Dov", "m3 3 Eva Finn"), owner)
    again = drawing.replace(round_, sent("m1 1 Ann Bob", "m2 2 Gus Hana"), owner)
    assert [(line.act, str(pairing)) for line, pairing in zip(again.plan.lines, again.pairings, strict=True)] == [
        ("keep", "Ann – Bob"),
        ("start", "Gus – Hana"),
    ]
    assert [entry.data for entry in round_.tournament.hall_entries.filter(event="round_drawn").order_by("pk")] == [
        {"round": 1, "made": 3, "kept": 0, "gone": 0},
        {"round": 1, "made": 1, "kept": 1, "gone": 2},
    ]


@pytest.mark.parametrize("change", [begin, lambda match: match.pairing.delete()])
def test_a_match_that_has_begun_or_gone_is_not_changed(change: Callable[[Match], object]) -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Bob")
    line = draw.parse("table,left,right\n1,Ann,Chi", round_).lines[0]
    change(pairing.match)
    before = drawn_names(round_)
    with pytest.raises(Refused) as refused:
        drawing.change(round_, pairing, line, owner_of(round_.tournament))
    assert (refused.value.code, drawn_names(round_)) == (Why.STALE, before)


def test_the_same_line_again_changes_nothing() -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Bob")
    line = draw.parse("table,left,right\n1,Ann,Bob", round_).lines[0]
    planned = drawing.change(round_, pairing, line, owner_of(round_.tournament))
    assert (planned.act, planned.words, planned.table) == ("keep", "Nothing has changed.", pairing.table)
    assert list(round_.pairings.all()) == [pairing]


def test_an_impossible_or_taken_line_is_not_added() -> None:
    round_ = summer_open()
    owner = owner_of(round_.tournament)
    planned, pairing = drawing.add(round_, sent("m1 1 Ann Bob")[0], owner)
    assert (planned.act, pairing and str(pairing)) == ("start", "Ann – Bob")
    for wrong in ("m2 2 Ann Chi", "m2 2 Chi bye"):
        planned, pairing = drawing.add(round_, sent(wrong)[0], owner)
        assert (planned.act, pairing) == ("bad", None)
    for taken in ("m1 2 Chi Dov", "m2 1 Chi Dov"):
        with pytest.raises(Refused) as refused:
            drawing.add(round_, sent(taken)[0], owner)
        assert refused.value.code == Why.BAD_VALUE
    assert drawn_names(round_) == [["Ann", "Bob"]]


def test_the_draw_and_the_list_of_players_are_in_no_chain() -> None:
    drawn(summer_open(policy="on-request"), "1,Ann,Bob")
    (pairing,), ann = Pairing.objects.all(), Player.objects.get(name="Ann")
    Pairing.objects.update(setup=pairing.setup | {"names": ["Eve", "Bob"]}, winner="left")
    Player.objects.filter(pk=ann.pk).update(name="Eve")
    printed = StringIO()
    call_command("verify", stdout=printed)
    assert printed.getvalue() == "0 matches, 0 journal entries: all as their journals say\n"


def test_a_match_that_has_begun_stays_if_its_line_has_another_setting() -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Bob")
    begin(Match.objects.get())
    done = draw_store.store(round_, planner(round_, "table,left,right,length\n1,Ann,Bob,9"), None)
    assert [(each.act, each.words) for each in done.plan.lines] == [("keep", "Already begun. Left as it is.")]
    assert Pairing.objects.get() == pairing == done.pairings[0]
    assert Pairing.objects.get().setup["length"] == 3


def test_a_match_that_has_begun_is_known_by_its_id_after_a_correction() -> None:
    round_ = summer_open()
    owner = owner_of(round_.tournament)
    drawing.replace(round_, sent("m1 1 Ann Bob"), owner)
    begin(Match.objects.get())
    again = drawing.replace(round_, sent("m1 2 Anna Bob"), owner)
    assert [(each.act, each.line.table, each.line.names) for each in again.plan.lines] == [("keep", "1", "Ann – Bob")]
    again = drawing.replace(round_, sent("m1 2 Ann Bobby"), owner)
    assert [(each.act, each.line.table, each.line.names) for each in again.plan.lines] == [("keep", "1", "Ann – Bob")]
    assert drawn_names(round_) == [["Ann", "Bob"]]


def test_a_draw_is_planned_again_if_a_match_that_it_waits_for_ends() -> None:
    round_ = summer_open()
    one, _other = drawn(round_, "1,Ann,Bob", "2,Chi,Dov")
    final = next_round(round_)
    seen: list[int] = []

    def win_once(number: int) -> None:
        seen.append(number)

    lines = "table,left,right\n1,winner of table 1,winner of table 2"
    planned = planner(final, lines, win_once)

    def plan(tables: Tables) -> Plan:
        found = planned(tables)
        if len(seen) == 1:
            win(one.match, "right")
        return found

    draw_store.store(final, plan, None)
    assert seen == [0, 1]
    assert drawn_names(final) == [["Bob", "winner of table 2, round 1"]]


def test_a_line_names_the_earlier_line_of_its_player() -> None:
    lines = drawing.lines_of(summer_open(), [("Ann", "Bob"), ("Chi", None), ("Dov", "Ann")])
    assert [(line.number, line.seats, line.faults) for line in lines] == [
        (1, ["Ann", "Bob"], ()),
        (2, ["Chi"], ()),
        (3, ["Dov", "Ann"], ("Ann is already in line 1.",)),
    ]


def test_a_bye_that_is_sent_again_is_kept() -> None:
    round_ = summer_open()
    owner, kept = owner_of(round_.tournament), []
    for _time in range(2):
        drawing.replace(round_, sent("m1 1 Ann Bob", "m2 - Chi bye"), owner)
        kept.append((drawn_names(round_), [(bye.pk, bye.name) for bye in round_.byes.all()]))
    assert kept[0] == kept[1] == ([["Ann", "Bob"]], [(Bye.objects.get().pk, "Chi")])
    drawing.replace(round_, sent("m1 1 Ann Bob"), owner)
    assert (drawn_names(round_), list(round_.byes.all())) == ([["Ann", "Bob"]], [])


def test_a_match_that_is_drawn_already_is_not_added_again() -> None:
    round_ = summer_open()
    owner = owner_of(round_.tournament)
    acts = [drawing.add(round_, sent(line)[0], owner)[0].act for line in ("m1 1 Ann Bob", "m2 1 Ann Bob")]
    assert (acts, log_of(round_)) == (["start", "keep"], ["match_added"])
    assert Pairing.objects.get().external_id == "m1"


def test_the_id_of_a_match_that_has_begun_gets_no_other_players() -> None:
    round_ = summer_open()
    owner = owner_of(round_.tournament)
    drawing.replace(round_, sent("m1 1 Ann Bob"), owner)
    begin(Match.objects.get())
    again = drawing.replace(round_, sent("m1 2 Chi Dov", "m2 1 Ann Bob"), owner)
    assert [(each.act, each.words) for each in again.plan.lines] == [
        ("bad", "m1 is Ann – Bob, which has begun and cannot be drawn again."),
        ("keep", "Already drawn. Left as it is."),
    ]
    assert drawn_names(round_) == [["Ann", "Bob"]]


def test_a_player_with_a_bye_gets_no_second_one() -> None:
    round_ = summer_open()
    Bye.objects.create(round=round_, name="Chi")
    (line,) = draw.parse("left,right\nchi,bye", round_).lines
    planned = drawing.change(round_, None, line, owner_of(round_.tournament))
    assert (planned.act, planned.words) == ("keep", "Already has a bye.")
    assert [bye.name for bye in round_.byes.all()] == ["Chi"]


def test_a_round_with_a_match_or_a_bye_has_a_draw() -> None:
    round_ = summer_open()
    drawing.reject_drawn(round_)
    Bye.objects.create(round=round_, name="Eva")
    with pytest.raises(Refused, match="Round 1 has a draw already"):
        drawing.reject_drawn(round_)
    Bye.objects.all().delete()
    drawn(round_, "1,Ann,Bob")
    with pytest.raises(Refused, match="Round 1 has a draw already"):
        drawing.reject_drawn(round_)
