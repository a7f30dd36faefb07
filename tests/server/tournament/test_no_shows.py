"""A late entrant replaces a no-show: page, refusals and log."""

import pytest
from django.http import HttpResponse

from clocks.engine.refusals import Refused
from clocks.models import Bye, HallEntry, Match, Pairing, Player, Round
from clocks.record import match_record
from clocks.seats import devices
from clocks.tournament import no_shows
from tests.server.hall import begin, client_of, drawn, next_round, summer_open, win
from tests.server.tournament.test_players import of_user, said, sound

pytestmark = pytest.mark.django_db(transaction=True)


def gives(name: str, other: str, **more: str) -> HttpResponse:
    """Give a no-show's place to another player, through the page."""
    path = f"/director/open/players/{Player.objects.get(name=name).pk}/replace/"
    return client_of("director").post(path, {"name": other, "note": "did not come", **more}, follow=True)


def fields() -> list[tuple[list[str], bool]]:
    """Players of each pairing, and whether those of its match are the same."""
    return [
        (each.setup["names"], each.match is not None and each.match.setup["names"] == each.setup["names"])
        for each in Pairing.objects.order_by("pk").select_related("match")
    ]


def present() -> dict[str, bool]:
    """Presence of each player (not withdrawn), by name."""
    return {each.name: not each.withdrawn for each in Player.objects.order_by("pk")}


def test_a_late_entry_takes_the_place_of_a_no_show() -> None:
    round_ = summer_open()
    drawn(round_, "1,Ann,Bob", "2,Chi,Dov")
    page = gives("Dov", "Zoe  Late")
    assert "Zoe Late plays instead of Dov." in said(page)
    assert fields() == [(["Ann", "Bob"], True), (["Chi", "Zoe Late"], True)]
    assert present() == {"Ann": True, "Bob": True, "Chi": True, "Dov": False, "Zoe Late": True}
    entry = HallEntry.objects.get(event="place_taken")
    assert entry.data == {"was": "Dov", "player": "Zoe Late", "reason": "did not come"}
    match = Match.objects.get(setup__names=["Chi", "Zoe Late"])
    assert list(match_record.lines(match.pk))[-1].why == "did not come"
    assert "all as their journals say" in sound()


def test_a_place_that_waits_for_its_table_and_a_bye_can_be_taken() -> None:
    first = summer_open()
    drawn(first, "1,Ann,Bob")
    second = next_round(first)
    drawn(second, "1,Chi,Dov")
    Bye.objects.create(round=first, name="Dov")
    gives("Dov", "Eva")
    assert fields()[1] == (["Chi", "Eva"], False)
    assert Bye.objects.get().name == "Eva"


def test_a_player_of_the_list_who_had_withdrawn_plays_again() -> None:
    round_ = summer_open()
    drawn(round_, "1,Ann,Bob")
    Player.objects.create(tournament=round_.tournament, name="Zoe Berg", withdrawn=True)
    gives("Bob", "berg, zoe")
    assert fields() == [(["Ann", "Zoe Berg"], True)]
    assert present() == {"Ann": True, "Bob": False, "Zoe Berg": True}


@pytest.mark.parametrize(
    ("name", "other", "words"),
    [
        ("Ann", "Zoe", "Ann has played already, so this is no no-show. Correct the players of the match instead."),
        ("Eva", "Zoe", "Eva has no place in a draw."),
        ("Dov", "Ann", "Ann is already drawn in Round 1."),
        ("Dov", "dov", "Nobody takes the place of Dov: this is the same name."),
        ("Dov", "Anna", "Nobody in the list is called Anna. Is it Ann?"),
        ("Dov", "Z\u202eoe", "must not contain the invisible character U+202E"),
        ("Dov", "", "This field is required."),
    ],
)
def test_a_place_is_not_given_wrongly(name: str, other: str, words: str) -> None:
    round_ = summer_open()
    first, _second = drawn(round_, "1,Ann,Bob", "2,Chi,Dov")
    Player.objects.create(tournament=round_.tournament, name="Eva")
    begin(first.match)
    page = gives(name, other)
    assert page.status_code == 400 and words in said(page)
    assert fields() == [(["Ann", "Bob"], True), (["Chi", "Dov"], True)]
    assert Player.objects.count() == 5 and not HallEntry.objects.filter(event="place_taken").exists()


def test_a_new_player_like_another_is_confirmed() -> None:
    drawn(summer_open(), "1,Ann,Bob", "2,Chi,Dov")
    gives("Dov", "Anna", new_player="on")
    assert fields()[1] == (["Chi", "Anna"], True)


def test_a_no_show_whose_own_phone_has_joined_is_not_one() -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Bob")
    phone, _token = devices.join_device({})
    Match.objects.filter(pk=pairing.match_id).update(right_device=phone)
    assert "A phone has the seat of Bob at table 1." in said(gives("Bob", "Zoe"))
    assert fields() == [(["Ann", "Bob"], True)]
    Match.objects.filter(pk=pairing.match_id).update(left_device=phone)  # Ann’s phone for both
    gives("Bob", "Zoe")
    assert fields() == [(["Ann", "Zoe"], True)]


@pytest.mark.parametrize("waits", [False, True], ids=["a match begins", "a result is entered"])
def test_a_place_that_is_played_meanwhile_is_kept(monkeypatch: pytest.MonkeyPatch, waits: bool) -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Chi") if waits else drawn(round_, "1,Ann,Bob")
    if waits:
        (pairing,) = drawn(next_round(round_), "1,Dov,Bob")
    held = no_shows.Held.by(round_.tournament, "Bob")
    if waits:
        Pairing.objects.filter(pk=pairing.pk).update(winner="left")
    else:
        begin(pairing.match)
    client_of("director")
    before, nothing = fields(), no_shows.Held((), (), ())
    monkeypatch.setattr(no_shows.Held, "by", lambda _tournament, name: held if name == "Bob" else nothing)
    with pytest.raises(Refused, match="Somebody else is changing this too"):
        no_shows.replace(Player.objects.get(name="Bob"), "Zoe", of_user("director"), "late")
    assert fields() == before
    assert all(present().values()) and "Zoe" not in present()


def test_the_page_of_a_player_offers_it_while_nothing_has_begun() -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Bob")
    director, offer = client_of("director"), "Did not come: give the place to somebody"
    path = f"/director/open/players/{Player.objects.get(name='Bob').pk}/"
    assert offer in said(director.get(path))
    assert "Somebody else plays instead of Bob" in said(director.get(f"{path}replace/"))
    win(pairing.match)
    assert offer not in said(director.get(path))
    assert Round.objects.count() == 1
