"""Transcript skeletons, and adding clock times to transcripts."""

import os
import re
import shutil
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.interchange import transcripts
from clocks.journal import chain
from clocks.models import Match
from clocks.record import replaying
from tests.server import hall

pytestmark = pytest.mark.django_db(transaction=True)

GNUBG = shutil.which("gnubg", path=f"{os.environ['PATH']}:/usr/games")
GAME = (
    "(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07]MI[length:7][game:0][ws:0][bs:0]PW[{white}]PB[{black}]"
    ";B[31abcd]C[quiet];W[double];B[take];W[52abcd];B[double];W[drop])"
)


def match_of_seven(**setup: object) -> Match:
    """Match to 7 points between Ann and Bob, not yet started."""
    (pairing,) = hall.drawn(hall.summer_open(length=7, **setup), "1,Ann,Bob")
    return pairing.match


def won(match: Match, winner: str, points: int) -> None:
    """Play a game, starting it if necessary."""
    if Match.objects.get(pk=match.pk).status == "ready":
        hall.do(match, "left", do="hit")
    hall.win(match, winner, points)


def skeletons(match: Match) -> dict[str, str]:
    """Download the `.mat` and SGF files of a match; return them by format."""
    director = hall.client_of("director")
    path = f"/director/open/match/{match.pk}/transcript"
    return {form: director.get(f"{path}.{form}").content.decode() for form in ("mat", "sgf")}


@pytest.fixture
def played() -> Match:
    """Match of four games, won by Ann (2 points), Bob (1), Ann (4) and Ann (1)."""
    match = match_of_seven()
    for winner, points in (("left", 2), ("right", 1), ("left", 4), ("left", 1)):
        won(match, winner, points)
    return match


def test_skeletons_have_players_length_games_scores_and_winners(played: Match) -> None:
    made = skeletons(played)
    mat = made["mat"].replace("\r\n", "\n")
    assert " 7 point match\n" in mat
    assert re.findall(r" Game (\d)\n Ann : (\d) +Bob : (\d)\n( +)(Wins .*)", mat) == [
        ("1", "0", "0", " " * 6, "Wins 2 points"),
        ("2", "2", "0", " " * 37, "Wins 1 point"),
        ("3", "2", "1", " " * 6, "Wins 4 points"),
        ("4", "6", "1", " " * 6, "Wins 1 point and the match"),
    ]
    trees = re.findall(r"\[game:(\d)\]\[ws:(\d)\]\[bs:(\d)\]PW\[Ann\]PB\[Bob\].*RE\[(.*)\]", made["sgf"])
    assert trees == [("0", "0", "0", "W+2"), ("1", "2", "0", "B+1"), ("2", "2", "1", "W+4"), ("3", "6", "1", "W+1")]


def test_skeletons_have_the_hash_of_the_last_entry(played: Match) -> None:
    made, last = skeletons(played), chain.head(played.pk)
    assert re.findall(r"[0-9a-f]{64}", made["mat"]) == [last]
    assert re.findall(r"GC\[Hash of the record: ([0-9a-f]{64})\]", made["sgf"]) == [last] * 4


def test_a_transcript_leaves_out_reopened_games(played: Match) -> None:
    hall.do(played, "director", do="propose", what="reopen", note="The wrong winner")
    start = MatchState.begin(Setup.parse(played.setup))
    found = transcripts.games(start, replaying.steps(played.pk))
    assert [(game.number, game.score, game.points) for game in found] == [
        (1, (0, 0), 2),
        (2, (2, 0), 1),
        (3, (2, 1), 4),
        (4, (6, 1), 0),
    ]


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed here (Debian: gnubg)")
@pytest.mark.parametrize("form", ["mat", "sgf"])
@pytest.mark.parametrize("names", ["Ann,Bob", "Jérôme O’Neill-Ōkubo,Bob : [x] \\"])
def test_gnu_backgammon_opens_transcripts_with_the_right_score(tmp_path: Path, form: str, names: str) -> None:
    (pairing,) = hall.drawn(hall.summer_open(length=7), f"1,{names}")
    match = pairing.match
    won(match, "left", 2)
    won(match, "right", 3)
    text = skeletons(match)[form]
    (tmp_path / f"match.{form}").write_text(text, newline="")
    load = "import mat match.mat" if form == "mat" else "load match match.sgf"
    (tmp_path / "commands").write_text(f"set confirm save off\n{load}\nshow score\nsave match out.sgf\n")
    ran = subprocess.run(
        [str(GNUBG), "-t", "-q", "-r", "-c", "commands"],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    score = re.search(r"The score \(after 2 games\) is: .* 2, .* 3 \(match to 7 points\)", ran.stdout)
    assert score, ran.stdout + ran.stderr
    saved = (tmp_path / "out.sgf").read_text()
    assert re.findall(r"\[ws:(\d)\]\[bs:(\d)\]", saved) == [("0", "0"), ("2", "0"), ("2", "3")]


# --- clock times in a transcript -----------------------------------------------------------------------------------


def annotated(tmp_path: Path, match: Match, sgf: str) -> tuple[str, list[str]]:
    file, out, err = tmp_path / "match.sgf", StringIO(), StringIO()
    file.write_text(sgf)
    call_command("annotate", str(file), str(match.pk), stdout=out, stderr=err)
    return out.getvalue().replace("\n", ""), err.getvalue().splitlines()


@pytest.fixture
def with_cube() -> Match:
    match = match_of_seven()
    hall.begin(match)
    for by, do in (("right", "hit"), ("left", "double"), ("right", "take"), ("left", "hit"), ("right", "double")):
        hall.do(match, by, do=do)
    hall.do(match, "left", do="pass")
    return match


@pytest.mark.parametrize(("white", "black"), [("Ann", "Bob"), ("bob", "ann"), ("Player 1", "Player 2")])
def test_each_move_gets_the_time_of_its_player(tmp_path: Path, with_cube: Match, white: str, black: str) -> None:
    sgf = GAME.format(white=white, black=black)
    if white == "bob":
        sgf = re.sub(r";([WB])\[", lambda found: f";{'W' if found[1] == 'B' else 'B'}[", sgf)
    text, notes = annotated(tmp_path, with_cube, sgf)
    assert notes == []
    assert len(re.findall(r"[WB]L\[\d+\.\d\]", text)) == 6
    assert len(re.findall(r"C\[(?:quiet)?\d+\.\d s, \d+:\d\d left\]", text)) == 6


def test_mismatches_of_moves_and_turns_are_reported(tmp_path: Path, with_cube: Match) -> None:
    text, notes = annotated(tmp_path, with_cube, GAME.format(white="Ann", black="Bob").replace(";W[52abcd]", ""))
    assert notes == ["game 1, move 4: the transcript has nothing; the clock has Ann: move (turn 4)"]
    assert len(re.findall(r"[WB]L\[", text)) == 5


def test_invalid_transcripts_are_refused(tmp_path: Path, with_cube: Match) -> None:
    for text in ("no sgf", "(;GM[1]FF[4])"):
        with pytest.raises(CommandError, match=r"match\.sgf cannot be read"):
            annotated(tmp_path, with_cube, text)
    with pytest.raises(CommandError, match="there is no match 9999"):
        call_command("annotate", "-", "9999")
