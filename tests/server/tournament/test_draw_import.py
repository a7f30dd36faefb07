"""Importing a draw: preview, atomic import, assigned tables."""

import html

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clocks.models import JournalEntry, Match, Pairing, Round, Table
from clocks.tournament import draw, draw_plan
from tests.server.hall import begin, client_of, drawn, next_round, plan_in, summer_open, win

pytestmark = pytest.mark.django_db(transaction=True)
PATH = "/director/open/rounds/1/draw/"


# --- preview -------------------------------------------------------------------------------------------------------


def told(round_: Round, *lines: str, give_way: bool = False) -> list[tuple[str, str]]:
    """Planned act and message for each line."""
    sheet = draw.parse("\n".join(["table,left,right", *lines]), round_)
    return [(each.act, each.words) for each in draw_plan.Tables(round_, give_way).plan(sheet.lines)]


def test_a_line_says_whether_its_match_starts_waits_or_exists() -> None:
    first = summer_open()
    playing, _, _ = drawn(first, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    begin(playing.match)
    assert told(next_round(first), "1,Eva,Ann", "2,Bob,Finn", "4,Gus,Hana", "5,Ida,bye") == [
        ("wait", "Waits until Ann – Bob (Round 1) is over."),
        ("wait", "Waits until Chi – Dov (Round 1) is over."),
        ("start", "New table. Ready to play."),
        ("bye", "A bye, so there is no match."),
    ]
    assert told(first, "1,Ann,Bob", "2,Chi,Kim") == [
        ("keep", "Already drawn. Left as it is."),
        ("start", "Replaces Chi – Dov. Ready to play."),
    ]


def test_matches_that_have_not_begun_give_way_if_asked_to() -> None:
    first = summer_open()
    playing, _ = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    begin(playing.match)
    assert told(next_round(first), "1,Eva,Finn", "2,Gus,Hana", give_way=True) == [
        ("wait", "Waits until Ann – Bob (Round 1) is over."),
        ("start", "Replaces Chi – Dov (Round 1), which has not begun. Ready to play."),
    ]


def test_a_player_cannot_be_drawn_twice_in_a_round() -> None:
    round_ = summer_open()
    drawn(round_, "1,Ann,Bob")
    assert told(round_, "2,Chi,ann") == [("bad", "ann is already drawn in this round, at table 1.")]
    assert told(round_, "1,Chi,Dov", "2,Ann,Bob") == [
        ("start", "Replaces Ann – Bob. Ready to play."),
        ("start", "New table. Ready to play."),
    ]


def test_the_import_stores_what_the_preview_showed() -> None:
    summer_open()
    director = client_of("director")
    file = SimpleUploadedFile("draw.csv", "\ufeffTable;Left;Right\r\n1;Ann;Bob\r\n2;Chi;Dov\r\n".encode())
    preview = director.post(PATH, {"file": file})
    assert (preview.status_code, Pairing.objects.count(), Table.objects.count()) == (200, 0, 0)
    assert "2 matches to import" in preview.content.decode()
    response = director.post(PATH, plan_in(preview))
    assert (response.status_code, response["Location"]) == (302, "/director/open/rounds/1/")
    found = Pairing.objects.values_list("table__name", "setup__names", "match__status", "round__number")
    assert list(found) == [("1", ["Ann", "Bob"], "setup", 1), ("2", ["Chi", "Dov"], "setup", 1)]
    entries = JournalEntry.objects.values_list("match__table__name", "seq", "by", "user__username", "event")
    assert list(entries) == [("1", 1, "director", "director", "setup"), ("2", 1, "director", "director", "setup")]
    assert [table.current.round_id for table in Table.objects.order_by("pk")] == [Round.objects.get().pk] * 2


def test_a_draw_with_one_bad_line_imports_none() -> None:
    summer_open()
    director = client_of("director")
    text = "table,left,right\n1,Ann,Bob\n2,Chi,\n"
    response = director.post(PATH, {"pasted": text})
    page = html.unescape(response.content.decode())
    assert response.status_code == 400
    assert "<b>Line 3</b> · table 2 · Chi – : Both players need a name." in page
    assert 'name="plan"' not in page and text in page
    assert director.post(PATH, {"pasted": text, "plan": "made up"}).status_code == 400
    assert (Pairing.objects.count(), Table.objects.count()) == (0, 0)


def test_a_change_since_the_preview_is_shown_again() -> None:
    round_ = summer_open()
    (playing,) = drawn(round_, "1,Ann,Bob")
    second = next_round(round_)
    director = client_of("director")
    path = f"/director/open/rounds/{second.number}/draw/"
    sent = plan_in(director.post(path, {"pasted": "table,left,right\n1,Chi,Dov", "give_way": "on"}))
    begin(playing.match)
    response = director.post(path, sent | {"give_way": "on"})
    assert response.status_code == 200
    page = response.content.decode()
    assert "The tables have changed since the preview." in page
    assert "Waits until Ann – Bob (Round 1) is over." in page
    assert second.pairings.count() == 0
    assert director.post(path, plan_in(response) | {"give_way": "on"}).status_code == 302
    assert [(pairing.match, str(pairing)) for pairing in second.pairings.all()] == [(None, "Chi – Dov")]


def test_importing_a_draw_again_changes_nothing() -> None:
    round_ = summer_open()
    drawn(round_, "1,Ann,Bob")
    response = client_of("director").post(PATH, {"pasted": "table,left,right\n1,Ann,Bob"})
    assert (response.status_code, "Nothing to import" in response.content.decode()) == (200, True)
    assert (Pairing.objects.count(), Match.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({}, "Choose a file or paste the lines of the draw."),
        ({"file": SimpleUploadedFile("draw.xlsx", b"PK\x03\x04")}, "This workbook cannot be read."),
        ({"pasted": "who knows"}, "Each line needs both players, such as: 1, Ann, Bob"),
        ({"pasted": "table,left,right"}, "There are no lines below the one that names the columns."),
    ],
)
def test_an_unreadable_draw_is_explained(sent: dict[str, object], words: str) -> None:
    summer_open()
    response = client_of("director").post(PATH, sent)
    assert (response.status_code, words in response.content.decode()) == (400, True)


def test_a_draw_of_three_hundred_is_one_import() -> None:
    round_ = summer_open()
    made = drawn(round_, *(f"{number},L{number},R{number}" for number in range(1, 301)))
    assert (len(made), Match.objects.filter(version=1).count(), JournalEntry.objects.count()) == (300, 300, 300)


def test_the_sample_is_a_file_to_download() -> None:
    summer_open()
    response = client_of("viewer").get("/director/open/rounds/1/draw.csv")
    assert response["Content-Disposition"] == 'attachment; filename="draw.csv"'
    assert response.content.decode("utf-8-sig") == draw.SAMPLE


@pytest.mark.parametrize(("role", "status"), [("viewer", 404), ("helper", 404), ("stranger", 302), ("owner", 302)])
def test_only_those_who_may_arrange_can_import(role: str, status: int) -> None:
    round_ = summer_open()
    sheet = draw.parse("table,left,right\n1,Ann,Bob", round_)
    plan = draw_plan.preview_hash(draw_plan.Tables(round_).plan(sheet.lines))
    sent = {"pasted": "table,left,right\n1,Ann,Bob", "plan": plan}
    assert client_of(role).post(PATH, sent).status_code == status
    assert Pairing.objects.count() == (1 if role == "owner" else 0)


def test_a_clock_on_request_comes_when_the_table_is_free() -> None:
    first = summer_open()
    (playing,) = drawn(first, "1,Ann,Bob")
    begin(playing.match)
    assert told(next_round(first, policy="on-request"), "1,Eva,Finn", "2,Gus,Hana") == [
        ("ask", "A player at the table can ask for a clock once Ann – Bob (Round 1) is over."),
        ("ask", "New table. A player at the table can ask for a clock."),
    ]


# --- assigned tables -----------------------------------------------------------------------------------------------


def tables_of(round_: Round, text: str) -> list[str]:
    """Planned table for each line of a draw."""
    return [each.line.table for each in draw_plan.Tables(round_).plan(draw.parse(text, round_).lines)]


def test_lines_without_a_table_get_tables_in_order() -> None:
    round_ = summer_open()
    assert tables_of(round_, "Ann,Bob\nChi,Dov\nEva,bye\nFinn,Gus") == ["1", "2", "", "3"]
    assert tables_of(round_, "table,left,right\n,Ann,Bob\n1,Chi,Dov\n,Eva,Finn") == ["2", "1", "3"]


def test_free_tables_are_assigned_before_busy_ones() -> None:
    first = summer_open()
    playing, over, _ = drawn(first, "1,Ann,Bob", "2,Chi,Dov", "10,Eva,Finn")
    begin(playing.match)
    win(over.match)
    second = next_round(first)
    assert tables_of(second, "Gus,Hana") == ["2"]
    assert tables_of(second, "Gus,Hana\nIda,Jo\nKim,Lou\nMia,Ned") == ["1", "2", "3", "10"]


def test_importing_a_draw_without_tables_again_changes_nothing() -> None:
    round_ = summer_open()
    director = client_of("director")
    director.post(PATH, plan_in(director.post(PATH, {"pasted": "Ann,Bob\nChi,Dov"})))
    assert told_of(round_, "Chi,Dov\nAnn,Bob") == [("2", "keep"), ("1", "keep")]
    assert told_of(round_, "Eva,Finn") == [("3", "start")]
    assert told_of(round_, "Ann,Chi\nBob,Dov") == [("1", "start"), ("2", "start")]


def told_of(round_: Round, text: str) -> list[tuple[str, str]]:
    """Planned table and act for each line of a draw."""
    return [(each.line.table, each.act) for each in draw_plan.Tables(round_).plan(draw.parse(text, round_).lines)]
