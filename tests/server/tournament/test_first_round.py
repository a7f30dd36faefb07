"""Drawing the first round from the player list, on its page."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from clocks.models import Bye, HallEntry, Pairing, Player, Round, Section, Tournament
from clocks.tournament import draw as importing
from clocks.tournament import drawing, first_round
from clocks.tournament import next_round as planning
from clocks.tournament.draw_plan import Tables, preview_hash
from clocks.views.director import first_round as first_round_page
from tests.server.hall import begin, client_of, summer_open, win

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/director/open/draw/"
WISH = {"method": "knockout", "order": "rating", "byes": "best", "length": "5", "rules": "us-2013", "into": "1"}


def listed(number: int, **of: list[str]) -> Client:
    """Director's client for a tournament with players P1, P2, ..., best first."""
    tournament = Tournament.objects.create(slug="open", name="Summer Open")
    for i in range(1, number + 1):
        own = {name: values[i - 1] for name, values in of.items()}
        Player.objects.create(
            tournament=tournament, **{"name": f"P{i}", "number": str(i), "rating": str(2000 - i), **own}
        )
    return client_of("director")


def fields(response: HttpResponse) -> dict[str, str]:
    """Hidden fields of the preview's form."""
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', response.content.decode())
    return {name: html.unescape(value) for name, value in found if name != "csrfmiddlewaretoken"}


def pairs(text: str) -> list[tuple[str, str | None]]:
    """Names in the pairs of a preview."""
    names = {str(each.pk): each.name for each in Player.objects.all()}
    return [(names[pair.split("-")[0]], names.get(pair.split("-")[1])) for pair in text.split()]


def preview(client: Client, **wish: object) -> list[tuple[str, str | None]]:
    """Preview a draw; return its pairs."""
    return pairs(fields(client.get(PATH, {**WISH, **wish}))["pairs"])


def stored(number: int = 1) -> list[tuple[str, ...]]:
    """Matches as (table, left, right) and byes as ("bye", name), in bracket order."""
    matches = Pairing.objects.filter(round__number=number)
    lines = [(each.position, each.table.name, *each.setup["names"]) for each in matches]
    lines += [(each.position, "bye", each.name) for each in Bye.objects.filter(round__number=number)]
    return [line[1:] for line in sorted(lines)]


def test_the_page_stores_exactly_the_knockout_that_it_showed() -> None:
    client = listed(6)
    shown = client.get(PATH, WISH)
    assert pairs(fields(shown)["pairs"]) == [("P1", None), ("P4", "P5"), ("P2", None), ("P3", "P6")]
    assert not Round.objects.exists()
    answer = client.post(PATH, {**fields(shown), "store": "yes"}, follow=True)
    assert answer.redirect_chain == [("/director/open/rounds/1/", 302)]
    assert "2 matches of Round 1 drawn." in html.unescape(answer.content.decode())
    assert stored() == [("bye", "P1"), ("1", "P4", "P5"), ("bye", "P2"), ("2", "P3", "P6")]
    round_ = Round.objects.get()
    assert (round_.number, round_.name, round_.length, round_.rules) == (1, "", 5, "us-2013")
    assert (round_.section.name, round_.section.method) == ("", "knockout")
    assert list(Pairing.objects.values_list("match__status", flat=True)) == ["setup", "setup"]
    drawn = HallEntry.objects.get(event="round_drawn")
    assert drawn.data == {"round": 1, "made": 2, "kept": 0, "gone": 0}


def test_two_players_change_places_with_two_clicks() -> None:
    client = listed(4)
    first = fields(client.get(PATH, WISH))
    assert pairs(first["pairs"]) == [("P1", "P4"), ("P2", "P3")]
    p1, p3 = (str(Player.objects.get(name=name).pk) for name in ("P1", "P3"))
    marked = client.get(PATH, {**first, "pick": p1})
    assert fields(marked)["pairs"] == first["pairs"] and fields(marked)["picked"] == p1
    assert "Choose who changes places with P1." in html.unescape(marked.content.decode())
    assert "picked" not in fields(client.get(PATH, {**fields(marked), "pick": p1}))
    swapped = fields(client.get(PATH, {**fields(marked), "pick": p3}))
    assert pairs(swapped["pairs"]) == [("P3", "P4"), ("P2", "P1")]
    assert "picked" not in swapped


def test_a_shuffle_draws_the_same_players_again() -> None:
    client = listed(40)
    sent = fields(client.get(PATH, {**WISH, "order": "random"}))
    again = fields(client.get(PATH, {**sent, "again": "7"}))
    assert pairs(again["pairs"]) != pairs(sent["pairs"])
    drawn = [sorted(name for pair in pairs(each["pairs"]) for name in pair if name) for each in (sent, again)]
    assert drawn[0] == drawn[1] == sorted(f"P{i}" for i in range(1, 41))


def test_a_club_is_kept_apart_or_the_preview_says_so() -> None:
    client = listed(4, club=["Odense", "Aarhus", "Malmö", "odense"])
    assert preview(client) == [("P1", "P4"), ("P2", "P3")]
    assert preview(client, apart="club") == [("P1", "P3"), ("P2", "P4")]
    Player.objects.update(club="Odense")
    assert "Both: Odense" in client.get(PATH, {**WISH, "apart": "club"}).content.decode()


def test_swiss_and_all_play_all_are_drawn_by_number() -> None:
    client = listed(5, rating=[""] * 5)
    assert preview(client, method="swiss", order="number") == [("P1", "P3"), ("P2", "P4"), ("P5", None)]
    assert preview(client, method="circle", order="number") == [("P1", None), ("P2", "P5"), ("P3", "P4")]
    assert preview(client, method="swiss", order="hand") == [("P1", "P2"), ("P3", "P4"), ("P5", None)]


def test_withdrawn_players_and_those_left_out_are_not_drawn() -> None:
    client = listed(4)
    Player.objects.filter(name="P2").update(withdrawn=True)
    gone = str(Player.objects.get(name="P4").pk)
    assert preview(client, out=gone) == [("P1", "P3")]
    answer = client.get(
        PATH, {**WISH, "out": [str(each.pk) for each in Player.objects.exclude(name="P1").exclude(name="P2")]}
    )
    assert "A draw needs at least two players." in answer.content.decode()


def test_a_draw_of_a_list_that_has_changed_is_refused() -> None:
    client = listed(4)
    sent = fields(client.get(PATH, WISH))
    Player.objects.filter(name="P4").update(withdrawn=True)
    answer = client.post(PATH, {**sent, "store": "yes"})
    assert answer.status_code == 400
    assert "The list of players has changed. Draw again." in answer.content.decode()
    assert not Round.objects.exists()


def test_the_same_draw_sent_twice_is_stored_once() -> None:
    client = listed(4)
    sent = {**fields(client.get(PATH, WISH)), "store": "yes"}
    assert client.post(PATH, sent).status_code == 302
    assert client.post(PATH, sent).status_code == 409
    assert Pairing.objects.count() == 2


def test_back_to_the_preview_says_that_the_round_is_drawn_and_leads_to_it() -> None:
    client = listed(4)
    client.post(PATH, {**fields(client.get(PATH, WISH)), "store": "yes"})
    answer = client.get(PATH, WISH)
    text = html.unescape(answer.content.decode())
    assert answer.status_code == 200
    assert "<h1>Round 1 is already drawn</h1>" in text
    assert "You can take back the whole draw there until a match has begun." in text
    assert 'href="/director/open/rounds/1/"' in text
    form = html.unescape(client.get(PATH).content.decode())
    assert '<a href="/director/open/rounds/1/">Round 1</a> is already drawn. This draws another event.' in form


def test_a_preview_that_is_loaded_again_shows_the_same_draw() -> None:
    client = listed(40)
    wish = {**WISH, "order": "random", "lot": "5"}
    assert preview(client, **wish) == preview(client, **wish)
    assert preview(client, **wish, again="6") == preview(client, **wish, again="6") != preview(client, **wish)
    assert client.get(PATH, {**wish, "store": "yes"}).status_code == 200
    assert not Round.objects.exists()


def test_a_whole_draw_is_taken_back_until_a_match_has_begun() -> None:
    client = listed(6)
    client.post(PATH, {**fields(client.get(PATH, WISH)), "store": "yes"})
    assert "Take back the whole draw" in client.get("/director/open/rounds/1/").content.decode()
    assert client.post("/director/open/rounds/1/take-back/").status_code == 302
    assert (Pairing.objects.count(), Bye.objects.count(), stored()) == (0, 0, [])
    assert HallEntry.objects.order_by("-pk")[0].data == {"round": 1, "made": 0, "kept": 0, "gone": 2}
    again = {**fields(client.get(PATH, {**WISH, "method": "swiss"})), "store": "yes"}
    assert client.post(PATH, again).status_code == 302
    assert [each.method for each in Section.objects.all()] == ["swiss"]
    begin(Pairing.objects.order_by("pk")[0].match)
    assert "Take back the whole draw" not in client.get("/director/open/rounds/1/").content.decode()
    answer = client.post("/director/open/rounds/1/take-back/")
    assert answer.status_code == 409
    assert "has begun and must stay in the draw." in html.unescape(answer.content.decode())
    assert Pairing.objects.count() == 3


def test_winners_of_a_drawn_knockout_meet_as_in_its_bracket() -> None:
    client = listed(20)
    client.post(PATH, {**fields(client.get(PATH, WISH)), "store": "yes"})
    round_ = Round.objects.get()
    for pairing in Pairing.objects.all():
        win(pairing.match, points=5)
    byes = planning.players_with_bye(round_, 0)
    found = planning.propose(planning.Event(round_, 0, byes), "winners")
    assert found.text.splitlines()[1:] == [
        "P1,P16", "P8,P9", "P4,P13", "P5,P12", "P2,P15", "P7,P10", "P3,P14", "P6,P11",
    ]  # fmt: skip
    assert found.notes == ()
    losers = planning.propose(planning.Event(round_, 0, byes), "losers").text.splitlines()[1:]
    assert losers == ["P17,P20", "P18,P19"]
    left = [name for name in byes if name != "P8"]
    assert planning.propose(planning.Event(round_, 0, left), "winners").text.splitlines()[2] == "P9,bye"


def test_rounds_of_two_sections_have_their_names() -> None:
    client = listed(4)
    client.post(PATH, {**fields(client.get(PATH, WISH)), "store": "yes"})
    for pairing in Pairing.objects.all():
        win(pairing.match, points=5)
    client.post("/director/open/rounds/1/next/", {"how": "losers", "into": "2"})
    client.post("/director/open/rounds/1/next/", {"how": "winners", "into": "3"})
    page = client.get("/director/open/rounds/").content.decode()
    assert page.count("/director/open/next/") == 1
    assert [(str(each), each.section.name, each.section.method) for each in Round.objects.all()] == [
        ("Main, round 1", "Main", "knockout"),
        ("Consolation, round 1", "Consolation", "knockout"),
        ("Main, round 2", "Main", "knockout"),
    ]


def test_an_imported_round_of_a_drawn_knockout_has_places_in_the_bracket() -> None:
    client = listed(4)
    client.post(PATH, {**fields(client.get(PATH, WISH)), "store": "yes"})
    section = Section.objects.get()
    round_ = Round.objects.create(tournament=section.tournament, number=2, section=section)
    lines = importing.parse("left,right\nP1,P2\nP3,bye\n", round_).lines
    seen = preview_hash(Tables(round_).plan(lines))
    drawing.import_lines(round_, lines, seen, User.objects.get(username="director"))
    assert stored(2) == [("1", "P1", "P2"), ("bye", "P3")]
    Bye.objects.filter(round=round_).delete()
    more = importing.parse("left,right\nP3,P4\n", round_).lines
    seen = preview_hash(Tables(round_).plan(more))
    drawing.import_lines(round_, more, seen, User.objects.get(username="director"))
    assert list(Pairing.objects.filter(round=round_).order_by("pk").values_list("position", flat=True)) == [0, None]


def test_doubles_are_not_drawn_from_a_list_of_single_players() -> None:
    summer_open(format="doubles")
    for name in ("P1", "P2"):
        Player.objects.create(tournament=Tournament.objects.get(), name=name)
    client = client_of("director")
    answer = client.post(PATH, {**fields(client.get(PATH, WISH)), "store": "yes"})
    assert answer.status_code == 400
    words = "The list has players, not teams. Import the draw of Round 1 instead."
    assert words in html.unescape(answer.content.decode())


def test_a_draw_refused_for_doubles_leaves_no_empty_round() -> None:
    client = listed(4)
    round_ = Round.objects.create(tournament=Tournament.objects.get(), number=1, format="doubles", rules="us-2013")
    lines = importing.parse("1,Ann/Bob,Chi/Dov", round_).lines
    drawing.import_lines(round_, lines, preview_hash(Tables(round_).plan(lines)), User.objects.get(username="director"))
    wish = {**WISH, "into": "2"}
    answer = client.post(PATH, {**fields(client.get(PATH, wish)), "store": "yes"})
    words = "The list has players, not teams. Import the draw of Round 2 instead."
    assert answer.status_code == 400 and words in html.unescape(answer.content.decode())
    assert list(Round.objects.values_list("number", flat=True)) == [1]


@pytest.mark.parametrize("text", ["", "1-2", "x", "1-1 2-2", "1-2 3-4 5-6", "--"])
def test_pairs_that_are_not_the_listed_players_are_refused(text: str) -> None:
    client = listed(4)
    answer = client.post(PATH, {**WISH, "pairs": f"{text}x", "store": "yes"})
    assert answer.status_code == 400
    assert not Round.objects.exists()


def test_a_rating_is_read_as_a_number() -> None:
    ratings = [first_round.rating(Player(rating=text)) for text in ("1650", "1650,5", "ELO 1700", "", "?")]
    assert ratings == [1650.0, 1650.5, 1700.0, 0.0, 0.0]


def test_a_random_draw_gives_no_player_a_fixed_place() -> None:
    players = [Player(pk=number, name=f"P{number}", number=str(number)) for number in range(1, 5)]
    for method in ("knockout", "swiss"):
        draws = [first_round.draw(players, first_round.Wish(method, lot=lot)) for lot in range(40)]
        assert {pairs[0][0] for pairs in draws} == {"1", "2", "3", "4"}


def test_the_order_of_seeds_is_chosen() -> None:
    players = [Player(pk=i, name=f"P{i}", number=str(i), rating=str(i)) for i in range(1, 5)]
    best = {order: first_round.draw(players, first_round.Wish("knockout", order))[0] for order in ("number", "rating")}
    assert best == {"number": ("1", "4"), "rating": ("4", "1")}


def test_a_draw_too_long_for_an_address_is_changed_by_post(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_round_page, "LONGEST_QUERY", 10)
    client = listed(8)
    shown = client.get(PATH, WISH)
    drawn, (first, second) = fields(shown), pairs(fields(shown)["pairs"])[0]
    ids = {each.name: each.pk for each in Player.objects.all()}
    assert '" method="post" class="drawn">' in shown.content.decode()
    marked = fields(client.post(PATH, {**drawn, "pick": ids[first]}))
    assert (marked["pairs"], marked["picked"]) == (drawn["pairs"], str(ids[first]))
    swapped = pairs(fields(client.post(PATH, {**marked, "pick": ids[str(second)]}))["pairs"])
    assert swapped[0] == (second, first)


def test_many_who_are_left_out_of_a_draw_are_posted(monkeypatch: pytest.MonkeyPatch) -> None:
    client = listed(8)
    out = [str(each.pk) for each in Player.objects.all()[:6]]
    one = max(len(f"&out={each}") for each in out)

    def methods(longest: int) -> list[str]:
        monkeypatch.setattr(first_round_page, "LONGEST_QUERY", longest)
        shown = [client.get(PATH), client.get(PATH, {**WISH, "out": out})]
        return [re.findall(r'method="(\w+)"\s+class="(?:card|drawn)', each.content.decode())[0] for each in shown]

    assert [methods(longest) for longest in (10 * one, 5 * one, 2 * one)] == [
        ["get", "get"],
        ["get", "post"],
        ["post", "post"],
    ]
    marked = client.get(PATH).content.decode()
    assert marked.index('class="card') < marked.index("csrfmiddlewaretoken") < marked.index('name="lot"')
    assert len(pairs(fields(client.post(PATH, {**WISH, "out": out}))["pairs"])) == 1


def test_an_event_that_is_drawn_again_gets_its_new_name() -> None:
    tournament, names = summer_open(policy="on-request").tournament, [("P1", "P2"), ("P3", "P4")]
    user = User.objects.create(username="dora")
    for method, name in (("knockout", "Main"), ("swiss", "Masters"), ("swiss", "")):
        round_, _lines = first_round.store(tournament, names, (method, name), {"number": 1}, user)
        section = Section.objects.get()
        assert (section.method, section.name) == (method, name or "Masters")
        drawing.take_back(round_, user)
