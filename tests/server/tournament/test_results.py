"""Results, corrections of results, and exported journals."""

import csv
import io
import zipfile
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User

from clocks import desk
from clocks.engine import replay
from clocks.engine.commands import Expire, parse_command
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.interchange import exports
from clocks.journal import chain
from clocks.models import JournalEntry, Match, Pairing, Round
from clocks.record import match_record, tournament_record
from clocks.tournament import corrections, results, tables, without_clock
from tests.server.hall import begin, client_of, do, drawn, next_round, summer_open, win

pytestmark = pytest.mark.django_db(transaction=True)


def rows(path: str, role: str = "viewer") -> list[dict[str, str]]:
    """Rows of a CSV export, each by column."""
    response = client_of(role).get(path)
    assert (response.status_code, response["Content-Type"]) == (200, "text/csv; charset=utf-8")
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


def flag(match: Match) -> None:
    """Let the flag of the player whose turn it is fall, and agree to the consequence."""
    flag_at = Match.objects.get(pk=match.pk).flag_at
    assert flag_at is not None
    answer = desk.submit_and_wait(desk.Request(match.pk, Expire(), "server", flag_at + 1_000))
    assert answer.ok, answer
    answer = desk.submit_and_wait(desk.Request(match.pk, parse_command({"do": "agree"}), "director", flag_at + 5_000))
    assert answer.ok, answer


def told(round_: Round) -> list[tuple[str, tuple[int, int] | None, str, str, str]]:
    """Table, score, winner, kind of win and state of each result in a round."""
    lines = results.of_round(round_, 0)
    return [(line.table, line.score, line.winner, line.by, line.state) for line in lines]


def test_a_result_has_winner_score_and_kind_of_win() -> None:
    round_ = summer_open()
    pairings = drawn(round_, "10,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn", "4,Gus,Hana", "Final,Ida,Jon", "5,Kim,Leo")
    points, flagged, ruled, running, corrected, _ = (pairing.match for pairing in pairings)
    win(points, points=2)
    do(points, "left", do="hit")
    do(points, "right", do="propose", what="game", winner="right", points=3)
    do(points, "left", do="agree")
    begin(flagged)
    flag(flagged)
    do(ruled, "director", do="propose", what="end", winner="right", note="Eva did not come")
    begin(running)
    begin(corrected)
    do(corrected, "director", do="propose", what="score", score=[3, 1])
    assert told(round_) == [
        ("2", (0, 0), "Chi", "flag", "over"),
        ("3", (0, 0), "Finn", "ruling", "over"),
        ("4", (0, 0), "", "", "being played"),
        ("5", (0, 0), "", "", "not begun"),
        ("10", (2, 3), "Bob", "points", "over"),
        ("Final", (3, 1), "Ida", "ruling", "over"),
    ]


def test_results_are_in_the_order_of_rounds_and_tables() -> None:
    first = summer_open()
    drawn(next_round(first), "1,Ann,Chi")
    drawn(first, "10,Ann,Bob", "2,Chi,Dov")
    found = results.of_tournament(first.tournament, 0)
    assert [(str(line.round), line.table) for line in found] == [("Round 1", "2"), ("Round 1", "10"), ("Round 2", "1")]


def test_a_result_shows_the_time_left() -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Bob")
    began = JournalEntry.objects.get().at
    story = [
        (0, "director", {"do": "confirm"}),
        (1_000, "left", {"do": "hit"}),
        (33_000, "right", {"do": "hit"}),
        (40_000, "left", {"do": "propose", "what": "game", "winner": "left", "points": 3}),
        (41_000, "right", {"do": "agree"}),
    ]
    for after, by, command in story:
        assert desk.submit_and_wait(desk.Request(pairing.match_id, parse_command(command), by, began + after)).ok
    (line,) = results.of_round(round_, began + 1_000_000)
    assert line.time_left == ("6:00", "5:40")
    assert line.ended_at is not None and round(line.ended_at.timestamp() * 1000) == began + 41_000


def test_results_are_exported() -> None:
    first = summer_open(length=1)
    (pairing,) = drawn(first, "1,=Ann,Bob")
    drawn(next_round(first), "1,Eva,Finn")
    win(pairing.match, points=1)
    (over, next_) = rows("/director/open/results.csv")
    assert "" < over.pop("begun") <= over.pop("ended")
    assert over.pop("hash") == chain.head(pairing.match_id)
    assert over == {
        "round": "Round 1",
        "table": "1",
        "left": "'=Ann",
        "right": "Bob",
        "length": "1",
        "rules": "us-2013",
        "format": "singles",
        "score_left": "1",
        "score_right": "0",
        "winner": "'=Ann",
        "by": "points",
        "state": "over",
        "time_left_left": "2:00",
        "time_left_right": "2:00",
        "match": str(pairing.match_id),
    }
    assert (next_["round"], next_["left"], next_["state"], next_["winner"]) == ("Round 2", "Eva", "not begun", "")
    assert [row["left"] for row in rows("/director/open/rounds/2/results.csv")] == ["Eva"]


def test_a_match_has_begun_when_its_first_clock_ran() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    assert [row["begun"] for row in rows("/director/open/results.csv")] == [""]
    begin(pairing.match)
    do(pairing.match, "right", do="hit")
    first = JournalEntry.objects.filter(match=pairing.match, event="hit").earliest("seq")
    (row,) = rows("/director/open/results.csv")
    assert row["begun"] == datetime.fromtimestamp(first.at / 1000, UTC).isoformat(timespec="seconds")


def test_a_match_set_aside_before_it_began_has_no_result() -> None:
    round_ = summer_open()
    drawn(round_, "1,Ann,Bob")
    drawn(round_, "1,Ann,Chi")
    assert [row["right"] for row in rows("/director/open/results.csv")] == ["Chi"]


# --- without a clock -----------------------------------------------------------------------------------------------


def test_the_result_of_a_match_without_a_clock_is_entered() -> None:
    round_ = summer_open(policy="on-request", length=7)
    (pairing,) = drawn(round_, "1,Ann,Bob")
    path = f"/director/open/rounds/1/{pairing.pk}/result/"
    sent = {"winner": "right", "score_left": "4", "score_right": "7"}
    assert told(round_) == [("1", None, "", "", "no clock asked for")]
    assert client_of("viewer").post(path, sent).status_code == 404
    assert client_of("director").post(path, sent).status_code == 302
    assert told(round_) == [("1", (4, 7), "Bob", "no clock", "over")]
    pairing.refresh_from_db()
    assert (pairing.entered_by.get_username(), Match.objects.count()) == ("director", 0)


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"score_left": "7"}, "This field is required."),
        ({"winner": "left", "score_left": "7"}, "Enter the points of both players, or of neither."),
        ({"winner": "left", "score_left": "4", "score_right": "7"}, "In a match to 7 the winner has 7 and the other"),
        ({"winner": "left", "score_left": "7", "score_right": "7"}, "In a match to 7 the winner has 7 and the other"),
    ],
)
def test_an_impossible_result_is_explained(sent: dict[str, str], words: str) -> None:
    (pairing,) = drawn(summer_open(policy="on-request", length=7), "1,Ann,Bob")
    response = client_of("director").post(f"/director/open/rounds/1/{pairing.pk}/result/", sent)
    assert (response.status_code, words in response.content.decode()) == (400, True)
    assert Pairing.objects.get().winner == ""


def test_a_ruling_corrects_the_result_of_a_finished_match() -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Bob")
    path = f"/director/open/rounds/1/{pairing.pk}/result/"
    sent = {"winner": "right", "score_left": "1", "score_right": "3"}
    begin(pairing.match)
    assert client_of("director").post(path, sent).status_code == 409
    do(pairing.match, "left", do="propose", what="game", winner="left", points=3)
    do(pairing.match, "right", do="agree")
    opened = client_of("director").get(path).context["form"]
    assert [opened[name].value() for name in ("winner", "score_left", "score_right")] == ["left", 3, 0]
    assert client_of("director").post(path, sent).status_code == 400  # a reason is required
    assert client_of("director").post(path, sent | {"note": "Bob won: both agree"}).status_code == 302
    assert told(round_) == [("1", (1, 3), "Bob", "ruling", "over")]
    last = JournalEntry.objects.order_by("seq").last()
    assert last is not None and last.user is not None
    assert (last.event, last.by, last.user.get_username()) == ("score_set", "director", "director")
    *_, line = match_record.lines(pairing.match.pk)
    assert line.why == "Bob won: both agree"


def test_correcting_a_result_without_a_clock_is_logged() -> None:
    round_ = summer_open(policy="on-request", length=7)
    (pairing,) = drawn(round_, "1,Ann,Bob")
    path = f"/director/open/rounds/1/{pairing.pk}/result/"
    director = client_of("director")
    assert "note" not in director.get(path).context["form"].fields
    assert director.post(path, {"winner": "left"}).status_code == 302
    opened = director.get(path).context["form"]
    assert [opened[name].value() for name in ("winner", "score_left", "score_right")] == ["left", None, None]
    sent = {"winner": "right", "score_left": "4", "score_right": "7"}
    assert director.post(path, sent).status_code == 400
    assert told(round_) == [("1", None, "Ann", "no clock", "over")]
    assert director.post(path, sent | {"note": "The slip was misread"}).status_code == 302
    assert told(round_) == [("1", (4, 7), "Bob", "no clock", "over")]
    line, entered = tournament_record.lines(round_.tournament)
    assert (entered.who, entered.what) == ("director", "Entered the result of Ann – Bob: “Ann won”")
    assert (line.who, line.what, line.why) == (
        "director",
        "Corrected the result of Ann – Bob: it was “Ann won” and is “Bob won, 4–7”",
        "The slip was misread",
    )


def test_the_players_of_a_match_without_a_clock_can_be_corrected() -> None:
    (pairing,) = drawn(summer_open(policy="on-request", length=7), "1,Ann,Bob")
    director = client_of("director")
    path, players = (f"/director/open/rounds/1/{pairing.pk}/{page}/" for page in ("result", "players"))
    assert f'href="{players}"' not in director.get(path).content.decode()
    director.post(path, {"winner": "left"})
    assert f'href="{players}"' in director.get(path).content.decode()
    sent = {"left": "Eva", "right": "Bob", "new_player": "on", "note": "Misread"}
    assert director.post(players, sent).headers["Location"] == "/director/open/rounds/1/"
    assert Pairing.objects.get(pk=pairing.pk).setup["names"] == ["Eva", "Bob"]


# --- all journals --------------------------------------------------------------------------------------------------


def test_one_csv_has_every_journal() -> None:
    first, second = drawn(summer_open(length=1), "1,Ann,Bob", "2,Chi,Dov")
    win(first.match, points=1)
    entries = JournalEntry.objects.order_by("match", "seq").values_list("match", "seq", "event")
    found = [(int(row["match"]), int(row["seq"]), row["event"]) for row in rows("/director/open/journals.csv")]
    assert found == list(entries)
    row = rows("/director/open/journals.csv")[-1]
    assert (row["round"], row["table"], row["left"], row["right"]) == ("Round 1", "2", "Chi", "Dov")
    assert int(row["match"]) == second.match_id


def test_every_journal_in_the_zip_replays_to_the_match_as_stored() -> None:
    first = summer_open(length=1)
    one, _ = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    drawn(next_round(first), "1,Eva,Finn")
    win(one.match, points=1)
    response = client_of("viewer").get("/director/open/journals.zip")
    assert response["Content-Disposition"] == 'attachment; filename="open-journals.zip"'
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    replayed = {}
    for name in archive.namelist():
        lines = archive.read(name).decode().splitlines()
        told = list(replay.run(lines))
        assert [line for line in told if not line["ok"]] == []
        replayed[name] = (told[-1]["status"], told[-1]["score"])
    stored = Match.objects.select_related("table").order_by("pk")
    expected = {f"{exports.file_name(match)}.jsonl": (match.status, match.state["score"]) for match in stored}
    assert replayed == expected


def test_an_empty_tournament_suggests_the_first_step() -> None:
    summer_open()
    page = client_of("director").get("/director/open/results/").content.decode()
    assert "No match yet" in page
    assert rows("/director/open/results.csv") == []


def test_matches_without_a_round_come_before_those_that_lost_theirs() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    begin(pairing.match)
    Match.objects.filter(pk=pairing.match_id).update(round=pairing.round)
    Pairing.objects.all().delete()
    alone = desk.make_match(tables.add_table(pairing.round.tournament, "2"), Setup.parse(pairing.setup))
    found = results.of_tournament(pairing.round.tournament, 0)
    assert [(each.match_id, each.table, each.round) for each in found] == [
        (alone.pk, "2", None),
        (pairing.match_id, "1", pairing.round),
    ]


def test_a_stamp_changes_with_the_results() -> None:
    round_ = summer_open(policy="on-request")
    (pairing,) = drawn(round_, "1,Ann,Bob")
    user = User.objects.create(username="dora")

    def stamps() -> tuple[list[object], list[object]]:
        return results.stamp_of_tournament(round_.tournament), results.stamp_of_round(round_)

    before = stamps()
    assert stamps() == before
    for _time in range(2):
        pairing.refresh_from_db()
        without_clock.enter(round_.tournament, pairing, "left", (3, 1), user)
    assert [one == other for one, other in zip(before, stamps(), strict=True)] == [False, False]
    assert [entry.event for entry in round_.tournament.hall_entries.all()] == ["result_entered"]
    pairing.refresh_from_db()
    without_clock.take_back(round_.tournament, pairing, user, "Misheard")
    with pytest.raises(Refused, match="There is no result to take back"):
        without_clock.take_back(round_.tournament, pairing, user, "Misheard")


@pytest.mark.parametrize("score", [(3, None), (None, 1), (None, None)])
def test_a_match_with_a_clock_is_corrected_by_both_points(score: tuple[int | None, int | None]) -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    win(pairing.match)
    with pytest.raises(Refused, match="Enter the points of both players"):
        corrections.enter(pairing, "left", score, User.objects.create(username="dora"), "Misheard")


def test_a_score_that_the_players_agree_on_wins_by_points() -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Bob")
    begin(pairing.match)
    do(pairing.match, "left", do="propose", what="score", score=[1, 3])
    do(pairing.match, "right", do="agree")
    assert told(round_) == [("1", (1, 3), "Bob", "points", "over")]
