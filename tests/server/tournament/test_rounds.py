"""Rounds, single matches and tables on the director's pages, with permissions."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from clocks.models import JournalEntry, Round, Table, Tournament
from clocks.record import tournament_record
from clocks.tournament import codes, draw, draw_plan, draw_store, rounds
from clocks.tournament.tables import add_table
from clocks.views.forms.setting import Duration
from tests.server.hall import begin, client_of, drawn, next_round, summer_open, win

pytestmark = pytest.mark.django_db(transaction=True)

ROUND = {"number": "1", "name": "", "policy": "required", "rules": "us-2013", "format": "singles", "length": "7"}


def at_tables() -> list[tuple[str, str]]:
    """Name and current match of each table."""
    tables = Table.objects.select_related("current").order_by("pk")
    return [(table.name, str(table.current)) for table in tables]


# --- rounds --------------------------------------------------------------------------------------------------------


def test_a_round_is_created_with_its_setting_and_options() -> None:
    Tournament.objects.create(slug="open", name="Summer Open")
    sent = ROUND | {"name": "Final", "length": "13", "reserve_ms": "30:00", "delay_ms": "0:10"}
    response = client_of("director").post("/director/open/rounds/new/", sent)
    assert (response.status_code, response["Location"]) == (302, "/director/open/rounds/1/draw/")
    made = Round.objects.get()
    assert (made.number, str(made), made.posted, made.rules, made.format, made.length, made.options) == (
        1,
        "Final",
        "CLOCKS REQUIRED",
        "us-2013",
        "singles",
        13,
        {"reserve_ms": 1_800_000, "delay_ms": 10_000},
    )


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("us-2013", "CLOCKS ON REQUEST"),
        ("us-2007", "CLOCKS ALLOWED"),
        ("unified-2001", "CLOCKS ALLOWED"),
        ("aba-2003-bronstein", "CLOCKS ALLOWED"),
        ("michigan-2002", "CLOCKS ON REQUEST"),
    ],
)
def test_the_policy_is_shown_in_the_words_of_the_book(rules: str, words: str) -> None:
    summer_open(rules=rules, policy="on-request")
    assert words in client_of("viewer").get("/director/open/rounds/1/").content.decode()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"number": "2"}, "There is already a round 2."),
        ({"length": "100"}, "Ensure this value is less than or equal to 99."),
        ({"rules": "unified-2001", "format": "doubles"}, "unified-2001 does not cover doubles."),
        ({"rules": "unified-2001", "delay_ms": "0:12"}, "unified-2001 has no option “delay_ms”."),
        ({"reserve_ms": "soon"}, "Write a time as 22:00, or 22:00 / 18:00 for left and right."),
        ({"reserve_ms": "22"}, "Write a time as 22:00, or 22:00 / 18:00 for left and right."),
        ({"delay_ms": "12"}, "Write a time as minutes:seconds, such as 0:12."),
        ({"delay_ms": "20:00"}, "delay_ms must be a whole number from 0 to 600000."),
    ],
)
def test_an_invalid_round_is_explained_and_not_stored(wrong: dict[str, str], words: str) -> None:
    next_round(summer_open())
    response = client_of("director").post("/director/open/rounds/1/edit/", ROUND | wrong)
    assert (response.status_code, words in response.content.decode()) == (400, True)
    assert list(Round.objects.values_list("number", "rules", "length", "options")) == [
        (1, "us-2013", 3, {}),
        (2, "us-2013", 3, {}),
    ]


def test_a_new_round_begins_as_a_copy_of_the_last_one() -> None:
    summer_open(rules="us-2007", length=11, options={"bronstein": "precredited"})
    form = client_of("director").get("/director/open/rounds/new/").context["form"]
    values = {name: form[name].value() for name in ("number", "rules", "length", "bronstein")}
    assert values == {"number": 2, "rules": "us-2007", "length": 11, "bronstein": "precredited"}


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("22:00", 1_320_000),
        ("12 s", 12_000),
        ("0:12.5", 12_500),
        ("1:05:00", 3_900_000),
        ("10:00 / 8:00", [600_000, 480_000]),
        ("", None),
    ],
)
def test_times_are_entered_as_minutes_and_seconds(text: str, ms: Any) -> None:
    field = Duration(pair=True)
    assert field.clean(text) == ms
    assert field.clean(field.prepare_value(ms) or "") == ms


def test_a_match_added_by_hand_may_differ_from_its_round() -> None:
    round_ = summer_open(options={"delay_ms": 10_000})
    sent = {"table": "7", "left": "Ann", "right": "Bob", "length": "5", "score_left": "1", "reserve_ms": "10:00 / 8:00"}
    response = client_of("director").post("/director/open/rounds/1/new/", sent | {"delay_ms": "0:10"})
    assert response.status_code == 302
    setup = round_.pairings.get().setup
    assert (setup["length"], setup["score"], setup["options"]) == (
        5,
        [1, 0],
        {"delay_ms": 10_000, "reserve_ms": [600_000, 480_000]},
    )
    assert at_tables() == [("7", "Ann – Bob")]


def test_a_match_that_has_not_begun_can_be_replaced() -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Bob")
    drawn(next_round(round_), "1,Eva,Finn")
    sent = {"table": "2", "left": "Ann", "right": "Zoe"}
    assert client_of("director").post(f"/director/open/rounds/1/{pairing.pk}/", sent).status_code == 302
    assert [str(pairing) for pairing in round_.pairings.all()] == ["Ann – Zoe"]
    assert at_tables() == [("1", "Eva – Finn"), ("2", "Ann – Zoe")]


def test_an_impossible_change_changes_nothing() -> None:
    round_ = summer_open()
    pairing, _ = drawn(round_, "1,Ann,Bob", "2,Chi,Dov")
    response = client_of("director").post(
        f"/director/open/rounds/1/{pairing.pk}/", {"table": "1", "left": "Ann", "right": "Chi"}
    )
    assert response.status_code == 400
    assert "Chi is already drawn in this round, at table 2." in response.content.decode()
    pairing.refresh_from_db()
    assert (str(pairing), at_tables()) == ("Ann – Bob", [("1", "Ann – Bob"), ("2", "Chi – Dov")])


def test_a_match_that_has_begun_cannot_be_changed_or_removed() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    begin(pairing.match)
    director = client_of("director")
    path = f"/director/open/rounds/1/{pairing.pk}/"
    assert [director.get(path).status_code, director.post(f"{path}remove/").status_code] == [409, 409]
    assert at_tables() == [("1", "Ann – Bob")]


def test_removing_a_match_starts_the_next_one_at_its_table() -> None:
    first = summer_open()
    (pairing,) = drawn(first, "1,Ann,Bob")
    drawn(next_round(first), "1,Eva,Finn")
    assert client_of("helper").post(f"/director/open/rounds/1/{pairing.pk}/remove/").status_code == 404
    assert client_of("director").post(f"/director/open/rounds/1/{pairing.pk}/remove/").status_code == 302
    assert (first.pairings.count(), at_tables()) == (0, [("1", "Eva – Finn")])


def test_only_a_round_without_matches_can_be_removed() -> None:
    first = summer_open()
    drawn(first, "1,Ann,Bob")
    next_round(first)
    director = client_of("director")
    assert director.post("/director/open/rounds/1/remove/").status_code == 409
    assert director.post("/director/open/rounds/2/remove/").status_code == 302
    assert list(Round.objects.values_list("number", flat=True)) == [1]


def test_renaming_a_tournament_keeps_its_address() -> None:
    summer_open()
    assert client_of("director").post("/director/open/edit/", {"name": "Winter Open"}).status_code == 302
    assert list(Tournament.objects.values_list("slug", "name")) == [("open", "Winter Open")]


# --- tables --------------------------------------------------------------------------------------------------------


def test_tables_are_created_by_numbers_and_names() -> None:
    summer_open()
    director = client_of("director")
    assert director.post("/director/open/tables/", {"tables": "1-3, Final , 2"}).status_code == 302
    assert list(Table.objects.order_by("pk").values_list("name", flat=True)) == ["1", "2", "3", "Final"]
    again = director.post("/director/open/tables/", {"tables": "4, final"})
    assert (again.status_code, "There is already a table final." in again.content.decode()) == (400, True)
    assert Table.objects.count() == 4


@pytest.mark.parametrize(
    ("path", "marked"),
    [("rounds/", "Rounds"), ("rounds/1/", "Rounds"), ("tables/", "Tables"), ("tables/{table}/", "Tables")],
)
def test_each_page_marks_its_place_in_the_navigation(path: str, marked: str) -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    text = client_of("director").get(f"/director/open/{path.format(table=pairing.table_id)}").content.decode()
    assert re.findall(r'aria-current="page">([^<]+)<', text) == [marked]


def test_an_idle_table_is_renamed_and_an_unused_one_removed() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    director = client_of("director")
    director.post("/director/open/tables/", {"tables": "2"})
    busy, free = f"/director/open/tables/{pairing.table_id}/", f"/director/open/tables/{pairing.table_id + 1}/"
    assert director.post(busy, {"name": "9"}).status_code == 400
    assert director.post(f"{busy}remove/").status_code == 409
    assert director.post(free, {"name": "1"}).status_code == 400
    assert director.post(free, {"name": "Feature"}).status_code == 302
    assert list(Table.objects.order_by("pk").values_list("name", flat=True)) == ["1", "Feature"]
    assert director.post(f"{free}remove/").status_code == 302
    assert list(Table.objects.values_list("name", flat=True)) == ["1"]


def test_a_new_code_is_recorded_with_its_reason() -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Bob")
    empty = add_table(round_.tournament, "2")
    director = client_of("director")
    for table in (pairing.table, empty):
        path = f"/director/open/tables/{table.pk}/"
        assert (director.post(f"{path}code/", {"note": " "}).status_code, Table.objects.get(pk=table.pk).code) == (
            400,
            table.code,
        )
        assert director.post(f"{path}code/", {"note": "The card was lost."})["Location"] == path
        new = Table.objects.get(pk=table.pk).code
        assert (new != table.code, codes.is_retired(table.code)) == (True, True)
    (told,) = tournament_record.lines(round_.tournament)
    assert (told.what, told.why) == (f"Gave table 2 the new code {new}", "The card was lost.")
    last = JournalEntry.objects.filter(match=pairing.match_id).latest("seq")
    assert (last.event, last.command["note"]) == ("code_replaced", "The card was lost.")


# --- permissions ---------------------------------------------------------------------------------------------------

ARRANGING = ["edit/", "rounds/new/", "rounds/1/edit/", "rounds/1/draw/", "rounds/1/new/"]
WATCHING = ["rounds/", "rounds/1/", "tables/", "cards/", "results/", "results.csv", "journals.csv", "journals.zip"]


@pytest.mark.parametrize(
    ("role", "watching", "arranging"),
    [("owner", 200, 200), ("director", 200, 200), ("helper", 200, 404), ("viewer", 200, 404), ("stranger", 302, 302)],
)
def test_each_role_sees_what_it_may_see(role: str, watching: int, arranging: int) -> None:
    drawn(summer_open(), "1,Ann,Bob")
    client = client_of(role)
    assert [client.get(f"/director/open/{path}").status_code for path in WATCHING] == [watching] * len(WATCHING)
    assert [client.get(f"/director/open/{path}").status_code for path in ARRANGING] == [arranging] * len(ARRANGING)


def test_a_director_of_another_tournament_finds_nothing_here() -> None:
    drawn(summer_open(), "1,Ann,Bob")
    Tournament.objects.create(slug="other", name="Other")
    other = client_of("director", "other")
    paths = [*WATCHING, *ARRANGING]
    assert [other.get(f"/director/open/{path}").status_code for path in paths] == [404] * len(paths)


def test_nothing_is_inline_on_any_page() -> None:
    drawn(summer_open(), "1,Ann,Bob")
    director = client_of("director")
    for path in [path for path in [*WATCHING, *ARRANGING] if path.endswith("/")]:
        text = director.get(f"/director/open/{path}").content.decode()
        assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", text) == [], path


def test_the_hash_of_a_preview_changes_with_the_plan() -> None:
    round_ = summer_open()

    def told(line: str) -> str:
        lines = draw.parse(f"table,left,right\n{line}", round_).lines
        return draw_plan.preview_hash(draw_plan.Tables(round_).plan(lines))

    assert told("1,Ann,Bob") == told("1,Ann,Bob")
    assert len({told("1,Ann,Bob"), told("1,Ann,Chi"), told("2,Ann,Bob"), told("1,Ann,bye")}) == 4


def test_starting_a_round_begins_the_matches_at_free_tables() -> None:
    """The server may have stopped between storing a draw and starting its matches."""
    first = summer_open()
    drawn(first, "1,Ann,Bob")
    round_ = next_round(first)
    (over,) = drawn(round_, "2,Gus,Hana")
    win(over.match)
    lines = draw.parse("table,left,right\n1,Chi,Dov\n2,Eva,Finn", round_).lines
    draw_store.store_without_start(round_, lambda tables: draw_store.Plan(tables.plan(lines)), None)
    client_of("director")
    user = User.objects.get(username="director")
    _over, waits, free = round_.pairings.order_by("pk")
    started = rounds.start(round_, user)
    free.refresh_from_db()
    assert started == rounds.Started([free.match_id], [waits.pk])
    assert rounds.start(round_, user) == rounds.Started([], [waits.pk])
    assert [entry.data for entry in round_.tournament.hall_entries.filter(event="round_started")] == [
        {"round": 2, "matches": 1}
    ]
