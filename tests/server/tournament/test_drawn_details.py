"""Players' details in a draw: stored in the player list, exported as TRF."""

import pytest

from clocks.interchange import trf
from clocks.models import Player, Round, Tournament
from tests.server.hall import client_of, plan_in, summer_open
from tests.server.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)
NOTE = "Numbers, clubs, countries and ratings go to the list of players, where it has none yet."


def imported(text: str, slug: str = "open") -> str:
    """Import a draw, confirming its preview; return the preview."""
    director, path = client_of("director", slug), f"/director/{slug}/rounds/1/draw/"
    preview = director.post(path, {"pasted": text})
    assert director.post(path, plan_in(preview)).status_code == 302
    return preview.content.decode()


def listed(round_: Round, *players: tuple[str, str, str, str, str]) -> None:
    """Add players, each with name, number, club, rating and country."""
    for name, number, club, rating, country in players:
        details = {"number": number, "club": club, "rating": rating, "country": country}
        Player.objects.create(tournament=round_.tournament, name=name, **details)


def details_of(slug: str = "open") -> list[tuple[str, str, str, str, str]]:
    """Players in the format of `listed`."""
    players = Player.objects.filter(tournament__slug=slug).order_by("name")
    return list(players.values_list("name", "number", "club", "rating", "country"))


def test_a_list_of_names_in_a_draw_keeps_their_details() -> None:
    listed(summer_open(), ("Ann Smith", "3", "", "1700", ""))
    shown = imported(
        "1. Møller, Jørgen (DEN) 1842\n2. Smith, Ann (ENG) 1800\n3. Jones, Bob (USA)\n4. Dong, Chi (CHN) 1650"
    )
    assert NOTE in shown
    assert details_of() == [
        ("Ann Smith", "3", "", "1700", "ENG"),
        ("Bob Jones", "", "", "", "USA"),
        ("Chi Dong", "", "", "1650", "CHN"),
        ("Jørgen Møller", "", "", "1842", "DEN"),
    ]


def test_a_name_that_is_repeated_in_a_draw_is_no_club() -> None:
    summer_open()
    shown = imported("Jørgen Møller;Møller, Jørgen\nAnn Smith;Smith, Ann")
    assert NOTE not in shown
    assert details_of() == [("Ann Smith", "", "", "", ""), ("Jørgen Møller", "", "", "", "")]


def test_details_go_to_trf_and_back_with_a_draw() -> None:
    round_ = summer_open()
    ours = [
        ("Ann Smith", "7", "Leeds", "1700.5", "England"),
        ("Bob Jones", "", "York; Hull", "", "USA"),
        ("Maria del Carmen Fernández de la Vega", "12", "", "1500", "ESP"),
    ]
    listed(round_, *ours, ("Never Drawn", "2", "", "", ""), ("Gone Home", "3", "", "", ""))
    Player.objects.filter(name="Gone Home").update(withdrawn=True)
    imported("1,Ann Smith,Bob Jones\n,Maria del Carmen Fernández de la Vega,bye")
    file = client_of("owner").get("/director/open/tournament.trf").content.decode()
    numbers = [(each.name, each.number) for each in trf.read(file).players]
    assert numbers == [("Bob Jones", 1), ("Never Drawn", 2), ("Ann Smith", 7), (ours[2][0], 12)]
    Round.objects.create(tournament=Tournament.objects.create(slug="again", name="Again"), number=1, length=3)
    imported(file, "again")
    assert details_of("again") == ours


def test_a_program_sends_details_with_a_trf_file() -> None:
    round_ = summer_open()
    details = {"Ann Smith": trf.Details("7", "Leeds", "1700.5", "ENG"), "Bob Jones": trf.Details()}
    sent = {"trf": trf.write(trf.of_rounds("Open", [[("Ann Smith", "Bob Jones", "")]], details))}
    program = Program(round_.tournament)
    program.ask("put", "/rounds/1/pairings/trf?dry_run=true", sent)
    assert details_of("open") == []
    assert program.ask("put", "/rounds/1/pairings/trf", sent).status_code == 200
    assert details_of("open") == [("Ann Smith", "7", "Leeds", "1700.5", "ENG"), ("Bob Jones", "", "", "", "")]


def test_a_name_that_a_program_cut_is_that_of_its_only_player() -> None:
    round_ = summer_open()
    name = "Maria del Carmen Fernández de la Vega"
    listed(round_, (name, "", "", "", ""), ("Ann Smith", "", "", "", ""))
    imported(f"1,{name[:33].strip()},Ann Smith")
    assert [str(each) for each in round_.pairings.all()] == [f"{name} – Ann Smith"]


def test_a_detail_that_cannot_be_stored_is_left_out() -> None:
    summer_open()
    titles = "left,right,left_club,right_club,right_country,left_rating"
    imported(f"{titles}\nAnn Smith,Bob Jones,{'x' * 81},{'y' * 80},S\u202ePA,1500")
    assert details_of() == [("Ann Smith", "", "", "1500", ""), ("Bob Jones", "", "y" * 80, "", "")]


def test_the_list_of_players_says_whose_names_are_too_long_for_trf() -> None:
    round_ = summer_open()
    name = "Maria del Carmen Fernández de la Vega"
    listed(round_, (name, "", "", "", ""), ("Ann Smith", "", "", "", ""))
    page = client_of("director").get("/director/open/players/").content.decode()
    assert f"so other programs read only the beginning of: {name}." in " ".join(page.split())
    assert "/director/open/players.csv" in page
