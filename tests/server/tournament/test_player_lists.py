"""Player lists as people send them: lines read or left out, and the reasons."""

import io
import json
import zipfile
from pathlib import Path

import openpyxl
import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clocks.engine.parsing import hidden_character
from clocks.engine.refusals import Refused
from clocks.interchange import exports, tournament_files, trf
from clocks.models import Player, Tournament
from clocks.tournament import draw, player_columns, player_list, spreadsheet, workbook
from clocks.tournament.players import name_key

LISTS = Path(__file__).parents[2] / "vectors" / "lists"
FILES = sorted(path.name for path in LISTS.iterdir() if path.suffix != ".json")
LETTERS = st.characters(whitelist_categories=["Lu", "Ll"], max_codepoint=0x17F)


def read(data: bytes) -> player_list.PlayerList:
    """Read a file like the players' page."""
    return player_list.parse(tournament_files.players_of(spreadsheet.decode(data)))


def players(found: player_list.PlayerList) -> list[dict[str, str]]:
    """Players that would be stored."""
    taken = found.taken(found.out)
    assert (found.faults, found.faults_of(taken)) == ((), [])
    return [line.player._asdict() for line in taken]


def listed(text: str) -> list[tuple[str, str, str, str]]:
    """Name, number, club, rating and country of each player in a pasted list."""
    found = player_list.parse(text)
    taken = found.taken(found.out)
    assert (found.faults, found.faults_of(taken)) == ((), [])
    return [tuple(line.player) for line in taken]


def book(*rows: tuple[object, ...]) -> bytes:
    """Workbook with an empty sheet and a sheet with these rows."""
    made, file = openpyxl.Workbook(), io.BytesIO()
    sheet = made.create_sheet("Entries")
    for row in rows:
        sheet.append(row)
    made.save(file)
    return file.getvalue()


@pytest.mark.parametrize("name", FILES)
def test_a_list_is_read_as_it_was_meant(name: str) -> None:
    meant = json.loads((LISTS / name).with_suffix(".json").read_text())
    found = read((LISTS / name).read_bytes())
    assert {"players": players(found), "out": sorted(found.out), "notes": list(found.columns.notes)} == meant


def test_there_are_ten_lists() -> None:
    assert len(FILES) == 10


def test_no_line_of_a_list_is_lost() -> None:
    for name in FILES:
        text = tournament_files.players_of(spreadsheet.decode((LISTS / name).read_bytes()))
        rows, _faults = spreadsheet.rows(text)
        found = player_list.parse(text)
        titles = {number for number, cells in rows if found.columns.titles == cells}
        assert {number for number, _cells in rows} - titles == {line.number for line in found.lines}


def test_a_workbook_is_read_by_its_first_sheet_with_text() -> None:
    found = read(book(("Entries 2026",), ("Name", "No", "Rating", "Joined"), ("Berg, Ann", 7, 1510.0, None)))
    assert players(found) == [{"name": "Ann Berg", "number": "7", "club": "", "rating": "1510", "country": ""}]
    assert [line.number for line in found.lines] == [1, 3]


def test_a_workbook_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * (workbook.MOST_BYTES + 1))
    with pytest.raises(Refused, match="This workbook cannot be read"):
        read(packed.getvalue())


def test_entities_of_a_workbook_are_not_expanded() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book(("Name",)))) as made, zipfile.ZipFile(packed, "w") as archive:
        for part in made.namelist():
            archive.writestr(part, f"{bomb}]><a>&j;</a>" if part == "xl/workbook.xml" else made.read(part))
    with pytest.raises(Refused, match="This workbook cannot be read"):
        read(packed.getvalue())


def words(longest: int) -> st.SearchStrategy[str]:
    """Words as typed by people, including characters that are special in lists."""
    signs = st.one_of(LETTERS, st.sampled_from("019 .,;|\"'`=+-@#()[]{}/:&＝−éßø名\u200c"))
    spaced = st.text(signs, max_size=longest).map(lambda text: " ".join(text.split()))
    return spaced.filter(lambda text: hidden_character(text) is None)


LISTS_OF_OURS = st.lists(
    st.builds(
        Player,
        name=words(80).filter(bool),
        number=words(12).map(player_columns.number_of),
        club=words(80),
        rating=words(12),
        country=words(40),
    ),
    min_size=1,
    max_size=9,
    unique_by=lambda player: name_key(player.name),
)


@pytest.mark.django_db
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LISTS_OF_OURS)
def test_a_list_of_ours_is_read_back_whole(listed: list[Player]) -> None:
    with transaction.atomic():
        tournament = Tournament.objects.create(slug="open", name="Open")
        for player in listed:
            player.tournament, player.pk = tournament, None
        Player.objects.bulk_create(listed)
        file = "".join(exports.players_csv(tournament)).encode()
        transaction.set_rollback(True)
    found = read(file)
    assert (found.faults, found.out, found.columns.notes) == ((), set(), ())
    assert [line.player for line in found.lines] == [
        player_list.Listed(each.name, each.number, each.club, each.rating, each.country) for each in listed
    ]


@given(LISTS_OF_OURS)
def test_a_trf_file_of_ours_is_read_back_whole(listed: list[Player]) -> None:
    named = {name_key(each.name.replace(",", " ")): each for each in listed}  # a comma divides first and last names
    details = {
        " ".join(each.name.replace(",", " ").split()): trf.Details(each.number, each.club, each.rating, each.country)
        for key, each in named.items()
        if key
    }
    written = trf.write(trf.of_rounds("Open", [[(name, "", "") for name in details]], details))
    found = player_list.parse(tournament_files.players_of(written)).lines if details else ()
    assert {line.player.name: trf.Details(*line.player[1:]) for line in found} == details


def test_a_long_name_in_a_trf_file_is_not_cut() -> None:
    name = "Maria del Carmen Fernández de la Vega Sanz"
    details = {name: trf.Details("7", "Club de Backgammon", "1842.5", "Spain"), "Ann Berg": trf.Details()}
    written = trf.write(trf.of_rounds("Open", [[(name, "Ann Berg", "left")]], details))
    lines = written.split("\r\n")
    assert lines[4][4:57].split() == "1 Ann Berg".split()
    assert lines[5] == "### 1 number"
    assert (lines[6][4:8], lines[6][14:47], lines[6][48:52]) == ("   7", "Maria del Carmen Fernández de la ", "1842")
    assert lines[7:11] == [
        f"### 7 name {name}",
        "### 7 club Club de Backgammon",
        "### 7 rating 1842.5",
        "### 7 country Spain",
    ]
    read_back = trf.read(written)
    assert [each.name for each in read_back.players] == ["Ann Berg", name]
    assert read_back.ignored == ()


def test_a_comment_does_not_give_a_player_another_name() -> None:
    text = trf.write(trf.of_rounds("Open", [[("Ann", "Bob", "")]])) + "### 1 name Zoe\r\n### 9 club X\r\n### hello\r\n"
    found = trf.read(text)
    assert ([each.name for each in found.players], found.ignored) == (["Ann", "Bob"], ())


@pytest.mark.parametrize(
    "text",
    [
        "Name,No.,Club,Elo\nAnn Berg,7,Leeds,1510.5\n",
        "Rating;Nachname;Vorname;Startnr;Verein\n1510.5;Berg;Ann;7;Leeds\n",
        "名前\t番号\tクラブ\tレーティング\nAnn Berg\t7\tLeeds\t1510.5\n",
        "7,Ann Berg,Leeds,1510.5",
        "Ann Berg,Leeds,1510.5,7",
        "Ann Berg,7,Leeds,1510.5",  # in the order that the page asks for
        "Ann Berg,1510.5,7,Leeds",
    ],
)
def test_a_list_is_read_with_and_without_column_titles(text: str) -> None:
    assert listed(text) == [("Ann Berg", "7", "Leeds", "1510.5", "")]


@pytest.mark.parametrize(
    ("text", "number", "rating"),
    [
        ("Ann,7\nBob,12", "7", ""),
        ("Berg,Ann,1510\nLee,Bob,1480", "", "1510"),
        ("Ann,1510\nBob,980", "", "1510"),
        ("Ann,1007,Leeds,1510\nBob,1008,York,1480", "1007", "1510"),
        ("Ann,1007,Leeds,1510,Denmark\nBob,1008,York,1480,Norway", "1007", "1510"),
        ("Berg,Ann,1510\nLee,Bob,1480\nHolm,Eva,1400\nDan Lee,Aalborg Syd,1300", "", "1510"),
    ],
)
def test_a_figure_beside_the_name_is_a_number_or_else_a_rating(text: str, number: str, rating: str) -> None:
    _name, found, _club, other, _country = listed(text)[0]
    assert (found, other) == (number, rating)


def test_unused_columns_of_a_list_are_named() -> None:
    found = player_list.parse("name,shoe size\nAnn,38\n")
    assert found.columns.notes == ("These columns are not used: shoe size.",)


def test_each_line_that_is_no_player_says_why() -> None:
    found = player_list.parse(f"Entries\nname,number\nAnn,1\n,2\nANN,1\n{'x' * 81},4\n")
    assert [(line.number, line.text, line.out) for line in found.lines] == [
        (1, "Entries", "This is above the names of the columns."),
        (3, "Ann, 1", ""),
        (4, "2", "Line 4 has no name."),
        (5, "ANN, 1", "ANN is already in line 3. Two people need different names."),
        (6, f"{'x' * 81}, 4", ""),
    ]
    assert found.faults_of(found.taken(found.out)) == ["Line 6: name may have at most 80 characters."]
    assert found.faults_of(found.taken({1, 6})) == [
        "Line 4 has no name.",
        "ANN is already in line 3. Two people need different names.",
    ]
    assert found.faults_of(found.taken({1, 3, 4, 6})) == []


def test_an_empty_list_has_a_fault_and_no_players() -> None:
    found = player_list.parse(" \n\n")
    assert (found.lines, found.faults) == ((), ("The draw is empty, so there is nothing to import.",))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1. Ann Berg", [("Ann Berg", "1", "")]),
        ("1. Ann Berg\n2. Bob Lee", [("Ann Berg", "", ""), ("Bob Lee", "", "")]),
        ("4 Ann Berg\nBob Lee", [("4 Ann Berg", "", ""), ("Bob Lee", "", "")]),
        ("4 Ann Berg\n7 Bob Lee", [("Ann Berg", "4", ""), ("Bob Lee", "7", "")]),
        (
            "Ann Berg,\nBob Lee, York City\nChi Dong, Bath",
            [("Ann Berg", "", ""), ("Bob Lee", "", "York City"), ("Chi Dong", "", "Bath")],
        ),
        ("Ann Berg\nChi Lee\nRegards,\nBob", [("Ann Berg", "", ""), ("Chi Lee", "", ""), ("Bob", "", "")]),
        (
            "Ann Berg\nEva Holm\nBob Lee (DEN)\n3. Chi Dong",
            [("Ann Berg", "", ""), ("Eva Holm", "", ""), ("Bob Lee", "", ""), ("Chi Dong", "3", "")],
        ),
        ("Berg, Ann, Leeds\nLee, Bob, York", [("Ann Berg", "", ""), ("Bob Lee", "", "")]),
        (
            "Ann,\nBob,\nChi,\nDov,\nEva\nFinn\nGus",
            [(name, "", "") for name in ("Ann", "Bob", "Chi", "Dov", "Eva", "Finn", "Gus")],
        ),
        (
            "Eva Holm\nIda Lund\nOle Friis\nBo, Leeds\nCy, York\nDan Lee, Aalborg Syd\nEmil Dahl, Odense Vest",
            [
                ("Eva Holm", "", ""),
                ("Ida Lund", "", ""),
                ("Ole Friis", "", ""),
                ("Bo", "", "Leeds"),
                ("Cy", "", "York"),
                ("Dan Lee", "", "Aalborg Syd"),
                ("Emil Dahl", "", "Odense Vest"),
            ],
        ),
    ],
)
def test_what_stands_beside_a_name_depends_on_the_other_lines(text: str, found: list[tuple[str, str, str]]) -> None:
    assert [(name, number, club) for name, number, club, _rating, _country in listed(text)] == found


def test_a_workbook_may_unpack_to_a_limited_number_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    data = book(("Name",), ("Ann Berg",))
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        monkeypatch.setattr(workbook, "MOST_BYTES", sum(part.file_size for part in packed.infolist()))
    assert [each["name"] for each in players(read(data))] == ["Ann Berg"]


def test_a_formula_of_a_workbook_is_no_text() -> None:
    assert [each["number"] for each in players(read(book(("Name", "No"), ("Ann Berg", "=3+4"))))] == [""]


def test_a_list_has_a_limited_number_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw, "MOST_LINES", 2)
    assert [line.player.name for line in player_list.parse("Ann\nBob").lines] == ["Ann", "Bob"]
    words = "A list may have at most 2 players, and this one has {}."
    for number, text in ((3, "Ann\nBob\nChi"), (3, "name,club\nAnn,\nBob,\nChi,"), (5, "name,club\n" + "Ann,\n" * 5)):
        assert player_list.parse(text) == player_list.PlayerList(faults=(words.format(number),))


def test_a_name_may_have_80_characters() -> None:
    assert listed("x" * 80) == [("x" * 80, "", "", "", "")]
