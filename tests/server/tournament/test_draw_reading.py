"""Parsing a draw: formats, columns and errors."""

import pytest

from clocks.engine.refusals import Refused
from clocks.models import Round
from clocks.tournament import draw, draw_columns, spreadsheet
from tests.server.hall import client_of, drawn, next_round, summer_open, win

pytestmark = pytest.mark.django_db(transaction=True)

ROUND = Round(number=1, rules="us-2013", format="singles", length=7, options={"delay_ms": 10_000})


def cells(text: str) -> list[tuple[str, str, str]]:
    """Table, left and right of each line of a draw without errors."""
    sheet = draw.parse(text, ROUND)
    assert (sheet.faults, [line.faults for line in sheet.lines if line.faults]) == ((), [])
    return [(line.table, line.cells["left"], line.cells["right"]) for line in sheet.lines]


def faults(text: str) -> list[str]:
    """Errors of the draw, then of its lines, with line numbers."""
    sheet = draw.parse(text, ROUND)
    return [*sheet.faults, *(f"{line.number}: {fault}" for line in sheet.lines for fault in line.faults)]


def setup_of(line: str) -> dict[str, object]:
    """Setup from a single line with all columns."""
    sheet = draw.parse(f"{','.join(draw_columns.NAMES)}\n{line}", ROUND)
    assert sheet.valid, faults
    setup = sheet.lines[0].setup
    assert setup is not None
    return setup.to_dict()


# --- tolerated input -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "table,left,right\n1,Ann,Bob\n2,Chi,Dov\n",
        "\ufeffTable,Left,Right\r\n1,Ann,Bob\r\n2,Chi,Dov",
        "TABLE;LEFT;RIGHT\n1;Ann;Bob\n2;Chi;Dov",
        "table\tleft\tright\n1\tAnn\tBob\n2\tChi\tDov\n",
        "sep=;\ntable;left;right\n1;Ann;Bob\n2;Chi;Dov",
        "sep=\t\ntable\tleft\tright\n1\tAnn\tBob\n2\tChi\tDov",
        "\n\n table , Player 1 , Player_2 \n\n1,  Ann ,Bob\n,,\n2,Chi,Dov\n\n",
        'right,table,left,,\nBob,1,Ann,,\n"Dov","2.0","Chi",,',
        'table,left,right\n="1",Ann,Bob\n="2",Chi,Dov',
        "table,left,right\r1,Ann,Bob\r2,Chi,Dov",
        "Round 1\ntable;left;right\n1;Ann;Bob\n2;Chi;Dov",
        "Round 1\nBd|White|Black\n1|Ann|Bob\n2|Chi|Dov",
        "1. Ann – Bob\n2. Chi – Dov",
        "Tisch 1: Ann vs Bob\r\n\r\nTisch 2: Chi vs. Dov\r\n",
        " 1   Ann    Bob\n 2   Chi    Dov",
    ],
)
def test_every_spreadsheet_format_is_read(text: str) -> None:
    assert cells(text) == [("1", "Ann", "Bob"), ("2", "Chi", "Dov")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_every_encoding_of_excel_is_read(encoding: str) -> None:
    text = "table,left,right\n1,Jürgen,Zoë\n"
    assert spreadsheet.decode(text.encode(encoding)).lstrip("\ufeff") == text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"PK\x03\x04 and so on", "This workbook cannot be read. In the spreadsheet choose “Save as” or"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "This is not a text file. Save the draw as CSV (UTF-8) and try again."),
        (b"x" * 500_001, "The file has more than 500 kB. Is it really the draw?"),
    ],
)
def test_a_file_that_is_not_a_draw_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(Refused) as refused:
        spreadsheet.decode(data)
    assert refused.value.words.startswith(words)


def test_a_quoted_name_may_contain_the_delimiter() -> None:
    assert cells('table,left,right\n1,"Smith, Ann","Bob ""Bo"" Ray"') == [("1", "Smith, Ann", 'Bob "Bo" Ray')]


def test_a_line_break_in_a_quoted_name_is_a_space() -> None:
    assert cells('table,left,right\n1,"Ann\nBerg",Bob') == [("1", "Ann Berg", "Bob")]


def test_a_bye_creates_no_match() -> None:
    sheet = draw.parse("table,left,right\n1,Ann,Bob\n,Chi,BYE\n,(bye),Dov", ROUND)
    assert (sheet.valid, [line.is_bye for line in sheet.lines]) == (True, [False, True, True])


def test_empty_cells_take_the_setting_of_the_round() -> None:
    assert setup_of("1,Ann,Bob,,,,,,") == {
        "rules": "us-2013",
        "format": "singles",
        "length": 7,
        "score": [0, 0],
        "crawford": "none",
        "names": ["Ann", "Bob"],
        "options": {"delay_ms": 10_000},
    }


def test_cells_override_the_setting_of_the_round() -> None:
    assert setup_of("1,Ann,Bob,9,,Doubles,8,2.0,reserve_ms=600000/480000 lag_credit_ms=0") == {
        "rules": "us-2013",
        "format": "doubles",
        "length": 9,
        "score": [8, 2],
        "crawford": "now",
        "names": ["Ann", "Bob"],
        "options": {"delay_ms": 10_000, "lag_credit_ms": 0, "reserve_ms": [600_000, 480_000]},
    }


def test_the_options_of_the_round_stay_with_its_rule_set() -> None:
    assert setup_of("1,Ann,Bob,,Unified 2001,,,,")["options"] == {}
    assert setup_of("1,Ann,Bob,,UNIFIED-2001,,,,reset=set")["options"] == {"reset": "set"}


def test_the_sample_can_be_imported_as_it_is() -> None:
    assert faults(draw.SAMPLE) == []


# --- reported faults -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("1,Ann,", "2: Both players need a name."),
        ("1,Ann,Ann", "2: The two players need different names."),
        ("the longest name of a table,Ann,Bob", "2: table must be a name of at most 20 characters."),
        (f"1,{'A' * 81},Bob", "2: a name must be text of at most 80 characters."),
        ("1,Ann,Bob,long", "2: length must be a whole number from 1 to 99."),
        ("1,Ann,Bob,7.5", "2: length must be a whole number from 1 to 99."),
        ("1,Ann,Bob,,fide", "2: rules must be one of us-2013, us-2007, unified-2001, aba-2003-standard,"),
        ("1,Ann,Bob,,,triples", "2: format must be one of singles, doubles."),
        ("1,Ann,Bob,,unified-2001,doubles", "2: unified-2001 does not cover doubles. Doubles can be played under"),
        ("1,Ann,Bob,,,,7,0", "2: score in a match to 7 must be a whole number from 0 to 6."),
        ("1,Ann,Bob,,,,-1,0", "2: score in a match to 7 must be a whole number from 0 to 6."),
        ("1,Ann,Bob,,,,,,reset=add", "2: us-2013 has no option “reset”. It has reserve_ms, delay_ms, lag_credit_ms."),
        ("1,Ann,Bob,,,,,,delay_ms", "2: options must be written as name=value, separated by spaces, not “delay_ms”."),
        ("1,Ann,Bob,,,,,,delay_ms=soon", "2: delay_ms must be a whole number from 0 to 600000."),
        (
            "1,Ann,Bob,,,,,,,Chi",
            "2: This line has more cells than there are columns. Put quotes around text that contains a delimiter",
        ),
    ],
)
def test_a_bad_line_is_explained(line: str, fault: str) -> None:
    (found,) = faults(f"{','.join(draw_columns.NAMES)}\n{line}")
    assert found.startswith(fault)


def test_every_bad_line_is_named_not_only_the_first() -> None:
    assert faults("table,left,right\n1,Ann,Bob\n1,Chi,ann\n3,Eva,\n") == [
        "3: Table 1 is already in line 2.",
        "3: ann is already in line 2.",
        "4: Both players need a name.",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "The draw is empty, so there is nothing to import."),
        ("table,left,right\n", "There are no lines below the one that names the columns."),
        ('"sep=""\ntable,left,right\n1,Ann,Bob', "Each line needs both players, such as: 1, Ann, Bob"),
        ("1,7\n2,9\n", "Each line needs both players, such as: 1, Ann, Bob"),
        ("table,left\n1,Ann", "The column right is missing."),
        ("table,left,right,Player 2\n", "Two columns are called right."),
        ("table,left,right\n" + "1,A,B\n" * 1001, "A draw may have at most 1000 lines, and this one has 1001."),
        ('table,left,right\n1,Ann,"' + "B" * 140_000, "Line 2 cannot be read as CSV: field larger than field limit"),
    ],
)
def test_faults_of_the_whole_draw_come_first(text: str, fault: str) -> None:
    assert faults(text)[0].startswith(fault)


@pytest.mark.parametrize("first", ['sep="', "sep=", "sep=ab"])
def test_a_first_line_with_a_bad_delimiter_is_ignored(first: str) -> None:
    (note,) = draw.parse(f"{first}\ntable,left,right\n1,Ann,Bob", ROUND).notes
    assert note.startswith("Whatever comes before the line with the column names is ignored: ") and "sep=" in note


# --- arbitrary input -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        "Table,Player 1,Player 2",
        "Board,White,Black",
        "Bord;Venstre spiller;Højre spiller",
        "Tisch;Spieler links;Spieler rechts",
        "Tisch-Nr.;Spieler;Spieler",
        "Mesa;Jugador izquierdo;Jugador derecho",
        "TABLE;Joueur de gauche;Joueur de droite",
        "テーブル,左のプレイヤー,右のプレイヤー",
        "台\t名前\t名前",
    ],
)
def test_the_columns_may_be_named_in_every_language(header: str) -> None:
    delimiter = next(each for each in "\t;," if each in header)
    lines = [delimiter.join(line) for line in (("1", "Ann", "Bob"), ("2", "Chi", "Dov"))]
    assert cells("\n".join([header, *lines])) == [("1", "Ann", "Bob"), ("2", "Chi", "Dov")]


@pytest.mark.parametrize(
    ("text", "found", "read_as"),
    [
        ("1,Ann,Bob\n2,Chi,Dov", [("1", "Ann", "Bob"), ("2", "Chi", "Dov")], "table, left, right"),
        ("Ann;Bob\nChi;Dov", [("", "Ann", "Bob"), ("", "Chi", "Dov")], "left, right"),
        ("Ann\tBob\t1\nChi\tDov\t99", [("", "Ann", "Bob"), ("", "Chi", "Dov")], "left, right, length"),
        ("A1,Ann,Bob\nFinal 2,Chi,Dov", [("A1", "Ann", "Bob"), ("Final 2", "Chi", "Dov")], "table, left, right"),
        ("Final,Ann,Bob", [("Final", "Ann", "Bob")], "table, left, right"),
        ("1,White,Black", [("1", "White", "Black")], "table, left, right"),
        ("1,Ann,1820,Bob,1790", [("1", "Ann", "Bob")], "table, left, not used, right, not used"),
        ("1,Ann,Bob,7,3", [("1", "Ann", "Bob")], "table, left, right, not used, not used"),
        ('"Smith, Ann";"Jones, Bob"', [("", "Smith, Ann", "Jones, Bob")], "left, right"),
        ("Smith, Ann;Jones, Bob", [("", "Smith, Ann", "Jones, Bob")], "left, right"),
    ],
)
def test_columns_without_titles_are_read_by_content(text: str, found: list[tuple[str, str, str]], read_as: str) -> None:
    assert cells(text) == found
    assert draw.parse(text, ROUND).notes == (f"No line names the columns, so they are read as: {read_as}.",)


def test_unused_columns_are_named() -> None:
    text = "Summer Open,,,,\nRound 3,,,,\nBo.,Name,Rtg,Name,Rtg\n1,Ann,1820,Bob,1790"
    assert cells(text) == [("1", "Ann", "Bob")]
    assert draw.parse(text, ROUND).notes == (
        "Whatever comes before the line with the column names is ignored: Summer Open; Round 3.",
        "These columns are not used: Rtg, Rtg.",
    )


def test_exported_results_are_read_as_a_draw() -> None:
    round_ = summer_open()
    first, _ = drawn(round_, "1,Ann,Bob", "2,'=Chi,Dov")
    win(first.match)
    director = client_of("director")
    file = director.get("/director/open/rounds/1/results.csv").content
    sheet = draw.parse(spreadsheet.decode(file), next_round(round_))
    assert [(line.table, line.cells["left"], line.cells["right"], line.faults) for line in sheet.lines] == [
        ("1", "Ann", "Bob", ()),
        ("2", "=Chi", "Dov", ()),
    ]
    assert [line.setup.score for line in sheet.lines if line.setup] == [(0, 0), (0, 0)]
    assert "score_left, score_right, winner" in sheet.notes[0]


def test_of_a_file_with_several_rounds_only_this_one_is_read() -> None:
    text = "round,table,left,right\nRound 1,1,Ann,Bob\nRound 2,1,Ann,Chi"
    second = Round(number=2, rules="us-2013", format="singles", length=7)
    assert [line.names for line in draw.parse(text, second).lines] == ["Ann – Chi"]
    third = Round(number=3, rules="us-2013", format="singles", length=7)
    assert draw.parse(text, third).faults == (
        "The lines belong to several rounds (Round 1, Round 2), and none of them is Round 3.",
    )


def test_everybody_is_in_a_draw_only_once() -> None:
    text = "left,right\nAnn / Bob,Chi / Dov\nEva / ann,Gus / Hana\nChi / Ida,bye\nIda / Jan,Jan / Kim\n"
    lines = draw.parse(text, Round(number=1, rules="us-2013", format="doubles", length=7)).lines
    assert [line.faults for line in lines] == [
        (),
        ("ann is already in line 2.",),
        ("Chi is already in line 2.",),
        ("Ida is already in line 4.", "Jan is already in line 5."),
    ]
    assert [line.faults for line in draw.parse("left,right\nAnn,Bob\nbye,Ann\n", ROUND).lines] == [
        (),
        ("Ann is already in line 2.",),
    ]


def test_names_with_commas_may_be_separated_by_a_dash() -> None:
    assert cells("Berg, Ann – Carr, Bob\nDong, Chi - Eli, Dov") == [
        ("", "Berg, Ann", "Carr, Bob"),
        ("", "Dong, Chi", "Eli, Dov"),
    ]
    assert cells("1,Ann - sub,Bob") == [("1", "Ann - sub", "Bob")]


def test_without_a_table_the_first_two_names_are_the_players() -> None:
    assert cells("Ann,Bob,Leeds,York\nChi,Dov,Bath,Hull") == [("", "Ann", "Bob"), ("", "Chi", "Dov")]


def test_a_player_may_be_called_like_a_column() -> None:
    assert cells("Ann,Bob\nWhite,Dov") == [("", "Ann", "Bob"), ("", "White", "Dov")]


def test_a_line_without_a_round_is_of_none() -> None:
    assert cells("left,right,round\nAnn,Bob,1\nChi,Dov,2\nEva,Finn") == [("", "Ann", "Bob")]


def test_the_name_of_a_table_has_at_most_20_characters() -> None:
    assert cells(f"table,left,right\n{'x' * 20},Ann,Bob") == [("x" * 20, "Ann", "Bob")]
    assert faults(f"table,left,right\n{'x' * 21},Ann,Bob") == ["2: table must be a name of at most 20 characters."]


@pytest.mark.parametrize("part", ["=5", "delay_ms=", "delay_ms", "="])
def test_an_option_needs_a_name_and_a_value(part: str) -> None:
    with pytest.raises(Refused, match=f"must be written as name=value, separated by spaces, not “{part}”"):
        draw.read_options(f"reserve_ms=600000 {part}")


def test_a_setting_that_has_two_columns_is_ignored() -> None:
    sheet = draw.parse("table,left,right,length,length\n1,Ann,Bob,5,9", ROUND)
    assert (sheet.valid, sheet.notes) == (True, ("These columns are not used: length, length.",))
    assert [line.setup and line.setup.length for line in sheet.lines] == [7]


@pytest.mark.parametrize(("text", "valid"), [("1,Ann,Bob", True), ("1,Ann,Ann", False), ("", False)])
def test_a_draw_is_valid_without_any_fault(text: str, valid: bool) -> None:
    assert draw.parse(text and f"table,left,right\n{text}", ROUND).valid is valid


def test_a_file_may_have_500_kb() -> None:
    assert spreadsheet.decode(b"x" * 500_000) == "x" * 500_000


def test_the_number_of_lines_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw, "MOST_LINES", 2)
    assert cells("1,Ann,Bob\n2,Chi,Dov") == [("1", "Ann", "Bob"), ("2", "Chi", "Dov")]
    words = "A draw may have at most 2 lines, and this one has 3."
    assert faults("1,Ann,Bob\n2,Chi,Dov\n3,Eva,Finn") == [words]


def test_some_lines_may_lack_the_last_cell() -> None:
    sheet = draw.parse("1,Ann,Bob,5\n2,Chi,Dov", ROUND)
    assert [line.setup and line.setup.length for line in sheet.lines] == [5, 7]
