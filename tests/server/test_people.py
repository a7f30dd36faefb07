"""People: invited by a link that works once, signed in by name and password, given another role, removed."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from clocks import desk
from clocks.engine.commands import Confirm
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.journal import tournament_log
from clocks.live import catchup
from clocks.models import FailedSignIn, HallEntry, Invite, JournalEntry, Membership, Tournament
from clocks.people import members, throttle, tokens
from clocks.record import match_record, tournament_record
from clocks.tournament import tables
from clocks.views.director import sign_in as views
from tests.server.house import US_2013, Page, in_loop
from tests.server.test_roles import socket_of

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "seven green doors"
NEW = {"username": "Hella", "password1": PASSWORD, "password2": PASSWORD}
HOUR = timedelta(hours=1)


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("olga", password=PASSWORD)


@pytest.fixture
def tournament(owner: User) -> Tournament:
    return members.make_tournament("open", "Summer Open", owner)


@pytest.fixture
def desk_of_owner(tournament: Tournament, owner: User) -> Iterator[Client]:
    client = Client()
    client.force_login(owner)
    yield client


def roles(tournament: Tournament) -> dict[str, str]:
    return dict(tournament.memberships.order_by("pk").values_list("user__username", "role"))


def book(tournament: Tournament) -> list[tuple[str, str]]:
    return list(tournament.hall_entries.order_by("pk").values_list("user__username", "event"))


# --- invitations ---------------------------------------------------------------------------------------------------


def test_who_makes_a_tournament_owns_it(tournament: Tournament) -> None:
    assert (roles(tournament), book(tournament)) == ({"olga": "owner"}, [("olga", "tournament_made")])


def test_an_invitation_is_shown_once_and_stored_as_a_hash(desk_of_owner: Client, tournament: Tournament) -> None:
    made = desk_of_owner.post("/director/open/people/", {"role": "helper", "hours": "24"})
    link = made.context["link"]
    token = re.fullmatch(r"http://testserver/director/invite/([\w-]{43})/", link)[1]
    stored = Invite.objects.get()
    assert (stored.token_hash, stored.role) == (tokens.hash_token(token), "helper")
    assert timedelta(hours=23, minutes=59) < stored.expires_at - timezone.now() <= timedelta(hours=24)
    assert made.context["picture"].startswith("data:image/svg+xml")
    assert '<p class="host">testserver</p>' in made.content.decode()
    assert token not in desk_of_owner.get("/director/open/people/").content.decode()
    assert token not in str(list(HallEntry.objects.values()))


def test_a_look_at_an_invitation_takes_nothing(tournament: Tournament, owner: User) -> None:
    path = members.invite(tournament, owner, "helper", HOUR)
    guest = Client()
    shown = [guest.get(path), guest.head(path), guest.get(path)]
    assert [page.status_code for page in shown] == [200] * 3
    assert (roles(tournament), Invite.objects.get().used_at) == ({"olga": "owner"}, None)


def test_a_new_person_chooses_a_name_and_a_password_and_is_in(tournament: Tournament, owner: User) -> None:
    guest = Client()
    answer = guest.post(members.invite(tournament, owner, "helper", HOUR), NEW)
    assert (answer.status_code, answer["Location"]) == (302, "/director/open/")
    assert roles(tournament) == {"olga": "owner", "Hella": "helper"}
    assert guest.get("/director/open/").status_code == 200
    hella = User.objects.get(username="Hella")
    assert (hella.check_password(PASSWORD), hella.is_staff, hella.is_superuser) == (True, False, False)
    assert book(tournament)[-2:] == [("olga", "invited"), ("Hella", "joined")]


def test_the_form_insists_on_a_password_alone_and_not_on_both_names(tournament: Tournament, owner: User) -> None:
    shown = Client().get(members.invite(tournament, owner, "helper", HOUR)).content.decode()
    insisted = {re.search(r'name="(\w+)"', tag)[1] for tag in re.findall(r"<input [^>]*required[^>]*>", shown)}
    assert insisted == {"password1", "password2"}


def test_somebody_is_called_by_the_full_name_and_signs_in_by_another(tournament: Tournament, owner: User) -> None:
    guest = Client()
    sent = {"full_name": "  Hella  von der Heide ", "username": "", "password1": PASSWORD, "password2": PASSWORD}
    assert guest.post(members.invite(tournament, owner, "helper", HOUR), sent).status_code == 302
    hella = User.objects.get(username="Hella.von.der.Heide")
    assert (hella.get_full_name(), roles(tournament)[hella.username]) == ("Hella von der Heide", "helper")
    shown = guest.get("/director/").content.decode()
    assert "Signed in as <b>Hella von der Heide</b>" in shown
    assert sign_in(Client(), hella.username, PASSWORD) == 302


def test_who_has_no_name_is_asked_for_one_and_may_change_it(desk_of_owner: Client, owner: User) -> None:
    assert "What is your name?" in desk_of_owner.get("/director/").content.decode()
    assert desk_of_owner.post("/director/account/name/", {"full_name": " "}, follow=True).status_code == 200
    assert desk_of_owner.post("/director/account/name/", {"full_name": "Olga  Ok"})["Location"] == "/director/"
    owner.refresh_from_db()
    assert (owner.get_full_name(), owner.username) == ("Olga Ok", "olga")
    shown = desk_of_owner.get("/director/").content.decode()
    assert ("Signed in as <b>Olga Ok</b>" in shown, "What is your name?" in shown) == (True, False)


def test_a_ruling_is_recorded_by_name_and_role_as_they_were(tournament: Tournament, owner: User) -> None:
    hella = User.objects.create_user("hella", first_name="Hella Heide")
    Membership.objects.create(tournament=tournament, user=hella, role="helper")
    match = desk.make_match(tables.add_table(tournament, "1"), Setup.parse(US_2013), by="director", user_id=owner.pk)
    assert desk.submit_and_wait(desk.Request(match.pk, Confirm(), "director", user_id=hella.pk)).ok
    tournament_log.write(tournament, hella, "resumed_all")
    Membership.objects.filter(user=hella).update(role="viewer")
    User.objects.filter(pk=hella.pk).update(first_name="Hella Berg")
    stored = JournalEntry.objects.filter(match=match).order_by("seq").values_list("user_name", "user_role")
    assert list(stored) == [("olga", "owner"), ("Hella Heide", "helper")]
    assert [line.who for line in match_record.lines(match.pk)] == ["director olga", "helper Hella Heide"]
    assert next(tournament_record.lines(tournament)).who == "Hella Heide"


def test_an_invitation_works_once(tournament: Tournament, owner: User) -> None:
    path = members.invite(tournament, owner, "helper", HOUR)
    Client().post(path, NEW)
    late = Client()
    assert (late.get(path).status_code, late.post(path, NEW | {"username": "Ivo"}).status_code) == (410, 410)
    assert not User.objects.filter(username="Ivo").exists()


def test_a_known_person_only_joins(tournament: Tournament, owner: User) -> None:
    known = Client()
    known.force_login(User.objects.create_user("dora"))
    path = members.invite(tournament, owner, "director", HOUR)
    assert "Join as dora" in known.get(path).content.decode()
    assert known.post(path)["Location"] == "/director/open/"
    assert (roles(tournament), User.objects.count()) == ({"olga": "owner", "dora": "director"}, 2)


def test_who_has_more_already_keeps_it_and_spends_nothing(
    desk_of_owner: Client, tournament: Tournament, owner: User
) -> None:
    path = members.invite(tournament, owner, "viewer", HOUR)
    assert desk_of_owner.post(path)["Location"] == "/director/open/"
    assert (roles(tournament), Invite.objects.get().used_at) == ({"olga": "owner"}, None)


@pytest.mark.parametrize("end", ["too old", "revoked", "its maker was dismissed", "made up"])
def test_a_dead_invitation_says_so_and_makes_nobody(
    desk_of_owner: Client, tournament: Tournament, owner: User, end: str
) -> None:
    path = members.invite(tournament, owner, "helper", HOUR)
    if end == "too old":
        Invite.objects.update(expires_at=timezone.now())
    elif end == "revoked":
        desk_of_owner.post(f"/director/open/invites/{Invite.objects.get().pk}/revoke/")
    elif end == "made up":
        path = "/director/invite/made-up/"
    else:
        User.objects.update(is_active=False)
    guest = Client()
    answers = [guest.get(path), guest.post(path, NEW)]
    assert [answer.status_code for answer in answers] == [410, 410]
    assert "This invitation no longer works" in answers[0].content.decode()
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"username": ""}, "username"),
        ({"username": "OLGA"}, "username"),
        ({"password2": "another"}, "password2"),
        ({"password1": "short", "password2": "short"}, "password2"),
        ({"password1": "password1", "password2": "password1"}, "password2"),
        ({"password1": "hella1234", "password2": "hella1234", "username": "hella123"}, "password2"),
    ],
)
def test_a_wrong_name_or_a_weak_password_is_refused_and_the_invitation_stays(
    tournament: Tournament, owner: User, wrong: dict[str, str], field: str
) -> None:
    answer = Client().post(members.invite(tournament, owner, "helper", HOUR), NEW | wrong)
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [field])
    assert (User.objects.count(), Invite.objects.get().used_at) == (1, None)


# --- roles ---------------------------------------------------------------------------------------------------------


def test_a_role_is_changed_and_taken_and_the_book_says_who_did_it(
    desk_of_owner: Client, tournament: Tournament
) -> None:
    dora = User.objects.create_user("dora")
    Membership.objects.create(tournament=tournament, user=dora, role="helper")
    desk_of_owner.post(f"/director/open/people/{dora.pk}/role/", {"role": "director"})
    assert roles(tournament) == {"olga": "owner", "dora": "director"}
    desk_of_owner.post(f"/director/open/people/{dora.pk}/remove/")
    assert roles(tournament) == {"olga": "owner"}
    entries = list(tournament.hall_entries.order_by("pk").values_list("event", "data"))[1:]
    assert entries == [
        ("role_changed", {"of": "dora", "before": "helper", "after": "director"}),
        ("removed", {"of": "dora", "role": "director"}),
    ]


@pytest.mark.parametrize("what", ["role", "remove"])
def test_the_last_owner_stays(desk_of_owner: Client, tournament: Tournament, owner: User, what: str) -> None:
    answer = desk_of_owner.post(f"/director/open/people/{owner.pk}/{what}/", {"role": "director"})
    assert answer.status_code == 409
    assert "olga is the only owner. Make somebody else an owner first." in answer.content.decode()
    assert roles(tournament) == {"olga": "owner"}


def test_an_owner_who_may_not_sign_in_any_more_does_not_count(tournament: Tournament, owner: User) -> None:
    gone = User.objects.create_user("gone", is_active=False)
    Membership.objects.create(tournament=tournament, user=gone, role="owner")
    with pytest.raises(Refused):
        members.remove(tournament, owner.pk, owner)
    members.remove(tournament, gone.pk, owner)
    assert roles(tournament) == {"olga": "owner"}


def test_one_of_two_owners_may_leave(desk_of_owner: Client, tournament: Tournament, owner: User) -> None:
    other = User.objects.create_user("otto")
    Membership.objects.create(tournament=tournament, user=other, role="owner")
    desk_of_owner.post(f"/director/open/people/{owner.pk}/remove/")
    assert roles(tournament) == {"otto": "owner"}
    assert desk_of_owner.get("/director/open/people/").status_code == 404


def test_a_wrong_role_changes_nothing(desk_of_owner: Client, tournament: Tournament, owner: User) -> None:
    assert desk_of_owner.post(f"/director/open/people/{owner.pk}/role/", {"role": "king"}).status_code == 409
    assert roles(tournament) == {"olga": "owner"}


async def look() -> None:
    await database_sync_to_async(catchup.look)()


@pytest.mark.parametrize("end", ["removed", "deactivated"])
@in_loop
async def test_a_removed_members_page_closes_with_4403(tournament: Tournament, owner: User, end: str) -> None:
    vera = await User.objects.acreate(username="vera")
    await Membership.objects.acreate(tournament=tournament, user=vera, role="viewer")
    pages: dict[str, Page] = {}
    for user in (vera, owner):
        client = Client()
        await database_sync_to_async(client.force_login)(user)
        pages[user.username] = socket_of(client, "/ws/director/open/")
        await pages[user.username].open()
    await look()
    if end == "removed":
        await database_sync_to_async(members.remove)(tournament, vera.pk, owner)
    else:
        await User.objects.filter(pk=vera.pk).aupdate(is_active=False)
    await look()
    assert await pages["vera"].closed_with() == 4403
    await pages["olga"].say({"t": "ping", "c": 1})
    assert (await pages["olga"].hear("pong"))["c"] == 1
    assert await socket_of(client, "/ws/director/open/").open()


# --- name and password ---------------------------------------------------------------------------------------------


def sign_in(client: Client, name: str = "olga", password: str = PASSWORD, **more: str) -> int:
    return client.post("/director/", {"username": name, "password": password, **more}).status_code


def test_name_and_password_lead_to_where_one_wanted_to_go(tournament: Tournament) -> None:
    client = Client()
    assert client.get("/director/open/")["Location"] == "/director/?next=/director/open/"
    assert 'name="next" value="/director/open/"' in client.get("/director/?next=/director/open/").content.decode()
    answer = client.post("/director/", {"username": "olga", "password": PASSWORD, "next": "/director/open/"})
    assert (answer.status_code, answer["Location"]) == (302, "/director/open/")
    assert client.get("/director/open/").status_code == 200


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_nobody_is_led_to_another_site(tournament: Tournament, elsewhere: str) -> None:
    answer = Client().post("/director/", {"username": "olga", "password": PASSWORD, "next": elsewhere})
    assert answer["Location"] == "/director/"


@pytest.mark.parametrize(("name", "password"), [("olga", "wrong"), ("nobody", PASSWORD), ("", ""), ("olga", "")])
def test_a_wrong_name_or_password_says_the_same_of_both(owner: User, name: str, password: str) -> None:
    client = Client()
    assert sign_in(client, name, password) == 400
    assert "_auth_user_id" not in client.session


def test_too_many_wrong_passwords_for_a_name_from_an_address_must_wait(owner: User) -> None:
    hall = Client(REMOTE_ADDR="203.0.113.7")
    assert [sign_in(hall, password="guess") for _ in range(throttle.MOST)] == [400] * throttle.MOST
    assert sign_in(hall) == 429
    assert sign_in(hall, "OLGA ") == 429
    # Nobody else in the hall has to wait, and neither has she at another address.
    User.objects.create_user("dora", password=PASSWORD)
    assert sign_in(hall, "dora") == 302
    assert sign_in(Client(REMOTE_ADDR="203.0.113.8")) == 302


def test_the_wait_ends_by_itself_and_a_right_password_is_never_counted(owner: User) -> None:
    client = Client()
    for _ in range(throttle.MOST):
        sign_in(client, password="guess")
    FailedSignIn.objects.update(at=timezone.now() - throttle.WINDOW)
    assert sign_in(client) == 302
    for _ in range(throttle.MOST - 1):
        sign_in(Client(), password="guess")
    assert [sign_in(Client()) for _ in range(3)] == [302] * 3
    assert FailedSignIn.objects.filter(at__gt=timezone.now() - throttle.WINDOW).count() == throttle.MOST - 1


def test_a_password_is_changed_with_the_old_one_and_other_devices_are_signed_out(owner: User) -> None:
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        assert sign_in(client) == 302
    new = {"new_password1": "nine quiet lakes", "new_password2": "nine quiet lakes"}
    assert here.post("/director/password/", new | {"old_password": "guess"}).status_code == 400
    assert here.post("/director/password/", new | {"old_password": PASSWORD})["Location"] == "/director/"
    assert [client.get("/director/password/").status_code for client in (here, elsewhere)] == [200, 302]
    assert sign_in(Client(), password="nine quiet lakes") == 302


def test_who_came_by_a_link_sets_a_first_password(client: Client) -> None:
    client.post(views.links.make_link())
    page = client.get("/director/password/")
    assert list(page.context["form"].fields) == ["new_password1", "new_password2"]
    client.post("/director/password/", {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert sign_in(Client(), "director") == 302


def test_the_forms_need_their_own_token(owner: User) -> None:
    assert sign_in(Client(enforce_csrf_checks=True)) == 403
