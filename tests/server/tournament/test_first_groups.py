"""Groups drawn from the player list, and the knockout that they feed."""

import pytest

from clocks.engine.refusals import Refused
from clocks.models import Pairing, Player, Round, Section
from clocks.tournament import first_groups
from clocks.tournament.first_round import BY_NUMBER, BY_RATING, Wish
from tests.server.tournament.test_first_round import PATH, WISH, fields, listed, pairs
from tests.server.views.test_advance_page import NEXT, said, sent

pytestmark = pytest.mark.django_db(transaction=True)

GROUPS = {**WISH, "method": "groups", "groups": "2"}


def test_groups_are_drawn_by_snake_seeding_and_feed_a_knockout() -> None:
    client = listed(8)
    shown = client.get(PATH, {**GROUPS, "name": "Play-off"})
    assert pairs(fields(shown)["pairs"]) == [("P1", "P8"), ("P4", "P5"), ("P2", "P7"), ("P3", "P6")]
    assert shown.content.decode().count("Group A") == shown.content.decode().count("Group B") == 2
    assert client.post(PATH, {**fields(shown), "store": "yes"}).status_code == 302
    assert [(str(each), each.method, str(each.feeds or "")) for each in Section.objects.select_related("feeds")] == [
        ("Group A", "circle", "Play-off"),
        ("Group B", "circle", "Play-off"),
        ("Play-off", "knockout", ""),
    ]
    assert [(str(each), each.number, each.length) for each in Round.objects.all()] == [
        ("Group A, round 1", 1, 5),
        ("Group B, round 1", 2, 5),
    ]


def test_the_best_two_of_each_group_meet_in_the_knockout() -> None:
    client = listed(8)
    Round.objects.create(tournament=Player.objects.all()[0].tournament, number=1, policy="on-request")
    client.post(PATH, {**fields(client.get(PATH, GROUPS)), "store": "yes"})
    for _step in range(3):
        for pairing in Pairing.objects.filter(winner=""):
            names = pairing.setup["names"]
            Pairing.objects.filter(pk=pairing.pk).update(winner="left" if min(names) == names[0] else "right")
        page = client.get(NEXT).content.decode()
        assert client.post(NEXT, sent(page)).status_code == 302
    assert str(Round.objects.get(number=1)) == "Group A, round 1"
    last = Round.objects.order_by("-number")[0]
    assert str(last) == "Knockout, round 1"
    assert [each.setup["names"] for each in last.pairings.order_by("position")] == [["P1", "P3"], ["P2", "P4"]]


def test_groups_beyond_the_alphabet_are_numbered() -> None:
    assert [first_groups.name(number) for number in (0, 25, 26)] == ["Group A", "Group Z", "Group 27"]


def test_groups_of_one_player_are_refused() -> None:
    answer = listed(3).get(PATH, GROUPS)
    assert answer.status_code == 400
    assert "2 groups need at least two players each." in said(answer.content.decode())


def test_pairs_of_another_number_of_groups_are_refused() -> None:
    client = listed(8)
    drawn = fields(client.get(PATH, GROUPS))
    byes = " ".join(f"{each.pk}-" for each in Player.objects.all())
    for given in ({"groups": "7"}, {"pairs": byes}):
        for answer in (client.get(PATH, {**drawn, **given}), client.post(PATH, {**drawn, **given, "store": "yes"})):
            assert answer.status_code == 400
            assert "The list of players has changed. Draw again." in said(answer.content.decode())
    assert not Section.objects.exists()


def test_players_change_places_between_groups() -> None:
    client = listed(4)
    shown = fields(client.get(PATH, GROUPS))
    p1, p3 = (str(Player.objects.get(name=name).pk) for name in ("P1", "P3"))
    swapped = fields(client.get(PATH, {**fields(client.get(PATH, {**shown, "pick": p1})), "pick": p3}))
    assert pairs(swapped["pairs"]) == [("P3", "P4"), ("P2", "P1")]


def test_the_draw_of_all_groups_is_taken_back_and_drawn_again() -> None:
    client = listed(8)
    client.post(PATH, {**fields(client.get(PATH, GROUPS)), "store": "yes"})
    page = client.post("/director/open/rounds/2/take-back/", follow=True).content.decode()
    assert "The draw of Group A, round 1 · Group B, round 1 has been taken back." in said(page)
    assert Pairing.objects.count() == 0
    client.post(PATH, {**fields(client.get(PATH, {**GROUPS, "order": "number"})), "store": "yes"})
    assert [(str(each), each.number, each.pairings.count()) for each in Round.objects.all()] == [
        ("Group A, round 1", 1, 2),
        ("Group B, round 1", 2, 2),
    ]
    assert Section.objects.count() == 3


def test_once_a_group_has_begun_the_others_are_taken_back_one_by_one() -> None:
    client = listed(8)
    client.post(PATH, {**fields(client.get(PATH, GROUPS)), "store": "yes"})
    Pairing.objects.filter(pk__in=Pairing.objects.filter(round__number=1)[:1]).update(winner="left")
    assert client.post("/director/open/rounds/1/take-back/").status_code == 409
    assert client.post("/director/open/rounds/2/take-back/").status_code == 302
    assert [each.pairings.count() for each in Round.objects.all()] == [2, 0]


def test_each_group_needs_two_players() -> None:
    players = [Player(pk=number, name=f"P{number}", number=str(number)) for number in range(1, 7)]
    by_number = Wish("groups", order=BY_NUMBER)
    assert first_groups.draw(players, by_number, 3) == [("1", "6"), ("2", "5"), ("3", "4")]
    for each in players:
        each.rating = str(each.pk)
    assert first_groups.draw(players, by_number, 3) == [("1", "6"), ("2", "5"), ("3", "4")]
    assert first_groups.draw(players, Wish("groups", order=BY_RATING), 3) == [("6", "1"), ("5", "2"), ("4", "3")]
    with pytest.raises(Refused, match="3 groups need at least two players each"):
        first_groups.draw(players[:5], by_number, 3)
