"""Members: one-time invitations, roles, removal."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from clocks import desk
from clocks.engine.commands import Confirm
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.journal import tournament_log
from clocks.journal.tournament_events import ResumedAll
from clocks.live import catchup
from clocks.models import HallEntry, Invite, JournalEntry, Membership, Tournament
from clocks.people import members, tokens
from clocks.record import match_record, tournament_record
from clocks.tournament import tables
from tests.server.house import US_2013, Page, in_loop
from tests.server.staff import PASSWORD, sign_in
from tests.server.who_may import socket_of

pytestmark = pytest.mark.django_db(transaction=True)
NEW = {"username": "Hella", "password1": PASSWORD, "password2": PASSWORD}
HOUR = timedelta(hours=1)


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


def test_the_creator_of_a_tournament_owns_it(tournament: Tournament) -> None:
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


def test_opening_an_invitation_does_not_use_it_up(tournament: Tournament, owner: User) -> None:
    path = members.invite(tournament, owner, "helper", HOUR)
    guest = Client()
    shown = [guest.get(path), guest.head(path), guest.get(path)]
    assert [page.status_code for page in shown] == [200] * 3
    assert (roles(tournament), Invite.objects.get().used_at) == ({"olga": "owner"}, None)


def test_a_new_person_joins_with_a_name_and_a_password(tournament: Tournament, owner: User) -> None:
    guest = Client()
    answer = guest.post(members.invite(tournament, owner, "helper", HOUR), NEW)
    assert (answer.status_code, answer["Location"]) == (302, "/director/open/")
    assert roles(tournament) == {"olga": "owner", "Hella": "helper"}
    assert guest.get("/director/open/").status_code == 200
    hella = User.objects.get(username="Hella")
    assert (hella.check_password(PASSWORD), hella.is_staff, hella.is_superuser) == (True, False, False)
    assert book(tournament)[-2:] == [("olga", "invited"), ("Hella", "joined")]


def test_a_password_is_hashed_before_the_write_lock(
    tournament: Tournament, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, encode = members.invite(tournament, owner, "helper", HOUR), MD5PasswordHasher.encode
    hashed_in_a_transaction = []

    def noted(hasher: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed_in_a_transaction.append(connection.in_atomic_block)
        return encode(hasher, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", noted)
    assert Client().post(path, NEW).status_code == 302
    assert hashed_in_a_transaction == [False]


def test_of_two_new_people_of_one_name_the_second_chooses_another(
    tournament: Tournament, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, accept = members.invite(tournament, owner, "helper", HOUR), members.accept

    def comes_second(token: str, user: User) -> Tournament | None:
        User.objects.get_or_create(username=user.username)
        return accept(token, user)

    monkeypatch.setattr(members, "accept", comes_second)
    page = Client().post(path, NEW)
    assert page.status_code == 400 and "A user with that username already exists." in page.content.decode()
    monkeypatch.undo()
    assert Client().post(path, NEW | {"username": "Hella2"}).status_code == 302
    assert roles(tournament) == {"olga": "owner", "Hella2": "helper"}


def test_only_the_password_is_required_of_a_new_person(tournament: Tournament, owner: User) -> None:
    shown = Client().get(members.invite(tournament, owner, "helper", HOUR)).content.decode()
    insisted = {re.search(r'name="(\w+)"', tag)[1] for tag in re.findall(r"<input [^>]*required[^>]*>", shown)}
    assert insisted == {"password1", "password2"}


def test_pages_show_the_full_name_not_the_sign_in_name(tournament: Tournament, owner: User) -> None:
    guest = Client()
    sent = {"full_name": "  Hella  von der Heide ", "username": "", "password1": PASSWORD, "password2": PASSWORD}
    assert guest.post(members.invite(tournament, owner, "helper", HOUR), sent).status_code == 302
    hella = User.objects.get(username="Hella.von.der.Heide")
    assert (hella.get_full_name(), roles(tournament)[hella.username]) == ("Hella von der Heide", "helper")
    shown = guest.get("/director/").content.decode()
    assert "Signed in as <b>Hella von der Heide</b>" in shown
    assert sign_in(Client(), hella.username, PASSWORD) == 302


def test_a_user_without_a_name_is_asked_for_one(desk_of_owner: Client, owner: User) -> None:
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
    tournament_log.write(tournament, hella, ResumedAll([]))
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


def test_a_signed_in_user_joins_by_a_button(tournament: Tournament, owner: User) -> None:
    known = Client()
    known.force_login(User.objects.create_user("dora"))
    path = members.invite(tournament, owner, "director", HOUR)
    assert "Join as dora" in known.get(path).content.decode()
    assert known.post(path)["Location"] == "/director/open/"
    assert (roles(tournament), User.objects.count()) == ({"olga": "owner", "dora": "director"}, 2)


def test_a_higher_role_is_kept_and_the_invitation_stays_open(
    desk_of_owner: Client, tournament: Tournament, owner: User
) -> None:
    path = members.invite(tournament, owner, "viewer", HOUR)
    assert desk_of_owner.post(path)["Location"] == "/director/open/"
    assert (roles(tournament), Invite.objects.get().used_at) == ({"olga": "owner"}, None)


def test_an_invitation_opened_by_another_member_lets_nobody_back(tournament: Tournament, owner: User) -> None:
    former, user = Client(), User.objects.create_user("dora")
    former.force_login(user)
    former.post(members.invite(tournament, owner, "director", HOUR))
    path = members.invite(tournament, owner, "helper", HOUR)
    assert former.post(path)["Location"] == "/director/open/"
    assert roles(tournament) == {"olga": "owner", "dora": "director"}
    members.remove(tournament, user.pk, owner)
    assert (former.post(path).status_code, roles(tournament)) == (410, {"olga": "owner"})


@pytest.mark.parametrize("end", ["too old", "revoked", "its maker was dismissed", "its maker was removed", "made up"])
def test_a_void_invitation_creates_no_user(
    desk_of_owner: Client, tournament: Tournament, owner: User, end: str
) -> None:
    path = members.invite(tournament, owner, "helper", HOUR)
    if end == "too old":
        Invite.objects.update(expires_at=timezone.now())
    elif end == "revoked":
        desk_of_owner.post(f"/director/open/invites/{Invite.objects.get().pk}/revoke/")
    elif end == "its maker was removed":
        Membership.objects.update(role="director")
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
def test_an_invalid_name_or_weak_password_does_not_use_up_the_invitation(
    tournament: Tournament, owner: User, wrong: dict[str, str], field: str
) -> None:
    answer = Client().post(members.invite(tournament, owner, "helper", HOUR), NEW | wrong)
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [field])
    assert (User.objects.count(), Invite.objects.get().used_at) == (1, None)


# --- roles ---------------------------------------------------------------------------------------------------------


def test_changes_and_removals_of_roles_are_logged(desk_of_owner: Client, tournament: Tournament) -> None:
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
def test_the_last_owner_cannot_be_removed(
    desk_of_owner: Client, tournament: Tournament, owner: User, what: str
) -> None:
    answer = desk_of_owner.post(f"/director/open/people/{owner.pk}/{what}/", {"role": "director"})
    assert answer.status_code == 409
    assert "olga is the only owner. Make somebody else an owner first." in answer.content.decode()
    assert roles(tournament) == {"olga": "owner"}


def test_an_inactive_owner_does_not_count(tournament: Tournament, owner: User) -> None:
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
