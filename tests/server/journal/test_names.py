"""Names in journals: users' current names, and removed names."""

import pytest
from django.contrib.auth.models import AnonymousUser, User

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.commands import AnswerCall, Call, RemoveNames
from clocks.journal import entries, names, removal
from clocks.journal.names import Named
from clocks.models import JournalEntry, Match, Membership, Tournament
from tests.server.hall import drawn, summer_open
from tests.server.house import make_match, running_match


@pytest.mark.parametrize(
    ("user", "name"),
    [
        (User(username="dora", first_name="Dora", last_name="Dee"), "Dora Dee"),
        (User(username="dora", last_name="Dee"), "Dee"),
        (User(username="dora"), "dora"),
        (AnonymousUser(), ""),
    ],
)
def test_a_user_is_called_by_full_name_or_sign_in_name(user: User, name: str) -> None:
    assert names.called(user) == name


@pytest.mark.django_db
def test_users_are_named_with_their_role_in_the_tournament() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    casual = make_match()
    dora = User.objects.create_user("dora", first_name="Dora")
    eve = User.objects.create_user("eve")
    tournament = pairing.round.tournament
    Membership.objects.create(tournament=tournament, user=dora, role="owner")
    Membership.objects.create(tournament=Tournament.objects.create(slug="else", name="Else"), user=eve, role="helper")
    assert names.named_at([pairing.match_id, casual.pk], [dora.pk, eve.pk]) == {
        (pairing.match_id, dora.pk): Named("Dora", "owner"),
        (pairing.match_id, eve.pk): Named("eve", ""),
        (casual.pk, dora.pk): Named("Dora", ""),
        (casual.pk, eve.pk): Named("eve", ""),
    }
    assert [names.named_in(tournament.pk, user) for user in (dora, eve)] == [Named("Dora", "owner"), Named("eve", "")]


def test_names_and_notes_are_replaced_at_any_depth() -> None:
    setup = {"names": ["Ann", "Bob"], "length": 7}
    value = {"note": "Ann was late", "parts": [setup, {"note": "Bob too", "names": 2}], "name": "US 2013"}
    assert list(entries.notes(value)) == ["Ann was late", "Bob too"]
    assert entries.without_names(value, ("One", "Two")) == {
        "note": "",
        "parts": [setup | {"names": ["One", "Two"]}, {"note": "", "names": 2}],
        "name": "US 2013",
    }
    assert list(entries.notes({"note": 5})) == list(entries.notes("note")) == []
    assert names.former(12) == "former user 12"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("since", [False, True])
def test_a_removal_is_planned_again_if_the_match_has_changed_since(since: bool) -> None:
    def note(match_id: int, words: str) -> None:
        assert desk.submit_and_wait(Request(match_id, Call(words), "left")).ok
        assert desk.submit_and_wait(Request(match_id, AnswerCall(words), "director")).ok

    match, players = running_match(), ("Player 1", "Player 2")
    note(match.pk, "Ann was late")
    planned = removal.plan_removal(match.pk, players)
    if since:
        note(match.pk, "Bob was late")
    request = Request(
        match.pk, RemoveNames(players), "server", alongside=lambda: removal.remove_names(match.pk, players, planned)
    )
    assert desk.submit_and_wait(request).ok
    written = JournalEntry.objects.filter(match=match).values_list("data", "command")
    text = str([*written, Match.objects.get(pk=match.pk).setup])
    assert [each in text for each in ("Ann", "Bob", "late", "Player 2")] == [False, False, False, True]
