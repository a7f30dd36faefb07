"""Each form, API operation and command that writes, in its worst case.

`test_write_lock.py` fails if a URL, operation or command has no entry, or if an entry writes nothing.
"""

import html
import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Propose
from clocks.engine.proposals import EndMatch
from clocks.host.server_time import now_ms
from clocks.interchange import brackets, trf
from clocks.models import Entrant, Match, Pairing, Player, Round, SeatAsk, Table, Tournament
from clocks.seats.devices import join_device
from clocks.tournament import entering
from tests.server.account_writers import ACCOUNTS
from tests.server.advanced import EVENTS
from tests.server.hall import begin
from tests.server.house import make_match
from tests.server.large_hall import MANY, LargeHall, as_text, draw, names_of
from tests.server.late_players import entered_by_phone, replaced
from tests.server.lock_meter import preparing
from tests.server.who_may import PAGES

Work = Callable[[LargeHall], object]


def posted(hall: LargeHall, address: str, data: dict[str, Any], **of: Any) -> HttpResponse:
    """Submit a form as the owner."""
    answer: HttpResponse = hall.owner.post(reverse(address, kwargs={"slug": "open", **of}), data)
    assert answer.status_code in (200, 302), (address, answer.status_code, answer.content[:2000])
    return answer


def page(address: str, **data: Any) -> Work:
    """Post a page's form with its data from `PAGES`, with replacements."""
    entry = next(page for page in PAGES if (page.name, page.method) == (address, "post"))
    return lambda hall: posted(hall, address, {**entry.data, **data}, **{key: hall.of[key] for key in entry.of})


def at_table(number: int, name: str, **data: Any) -> Work:
    """Post a form for the pairing at table T7 in one of the large rounds."""

    def work(hall: LargeHall) -> object:
        pairing = Pairing.objects.get(round__number=number, table__name="T7")
        return posted(hall, name, data, number=number, pairing_id=pairing.pk)

    return work


def imported(number: int, given: dict[str, Any]) -> Work:
    """Preview and import a draw."""

    def work(hall: LargeHall) -> object:
        text = as_text(given)
        shown = posted(hall, "draw", {"pasted": text}, number=number).content.decode()
        found = re.search(r'name="plan" value="(\w+)"', html.unescape(shown))
        assert found, shown[:3000]
        return posted(hall, "draw", {"pasted": text, "plan": found[1]}, number=number)

    return work


def asked(method: str, path: str, body: Any = None) -> Work:
    """Send an API request with an idempotency key."""

    def work(hall: LargeHall) -> object:
        address = path.format(waiting=Pairing.objects.get(round__number=6, table__name="T7").pk)
        answer = hall.program.ask(method, address, body, Idempotency_Key="once")
        assert answer.status_code in (200, 201), answer.content[:2000]
        return answer

    return work


def with_free_tables(work: Work) -> Work:
    """Free all tables before this work, so that it starts round 6's 1,000 matches."""

    def freed(hall: LargeHall) -> object:
        with preparing():
            Round.objects.filter(number=6).update(policy="required")
            Table.objects.update(current=None)
        done = work(hall)
        assert Match.objects.filter(round__number=6).count() == MANY
        return done

    return freed


def drawn_from_list(hall: LargeHall) -> object:
    """Preview and store a first round of all players."""
    way = {"method": "knockout", "order": "random", "byes": "best", "length": "7", "rules": "us-2013", "into": "8"}
    shown = posted(hall, "first-round", {**way, "apart": ["club"]}).content.decode()
    pairs = re.search(r'name="pairs" value="([^"]+)"', shown)
    assert pairs, shown[:3000]
    done = posted(hall, "first-round", {**way, "pairs": pairs[1], "store": "yes"})
    assert Pairing.objects.filter(round__number=8).count() > MANY // 2
    return done


def listed(hall: LargeHall) -> object:
    """Preview and store a player list."""
    shown = posted(hall, "players", {"pasted": MANY_PLAYERS}).content.decode()
    stamp = re.search(r'name="stamp" value="([^"]+)"', shown)
    assert stamp, shown[:3000]
    before = Player.objects.count()
    done = posted(hall, "players", {"pasted": MANY_PLAYERS, "store": "yes", "stamp": stamp[1]})
    assert Player.objects.count() == before + MANY // 2
    return done


def slips_of(hall: LargeHall) -> dict[str, str]:
    """Result slips for every match of round 6."""
    drawn = Pairing.objects.filter(round__number=6).values_list("pk", flat=True)
    return {f"winner-{key}": "left" for key in drawn}


def renamed(hall: LargeHall) -> object:
    """Rename a player."""
    player = Player.objects.get(name=names_of(7)[0])
    return posted(hall, "player", {"name": "Somebody Else", "note": "Misspelt"}, player_id=player.pk)


def corrected(hall: LargeHall) -> object:
    """Correct the players of a match."""
    match = Match.objects.get(table__name="T7")
    return posted(hall, "correct-players", {"left": "Ida", "right": "Jon", "note": "Wrong"}, match_id=match.pk)


def corrected_without_a_clock(hall: LargeHall) -> object:
    """Correct the players of a match that has a result but was played without a clock."""
    with preparing():
        Pairing.objects.filter(round__number=6, table__name="T7").update(winner="left")
    given = {"left": "Ida", "right": "Jon", "new_player": "on", "note": "Wrong"}
    return at_table(6, "correct-drawn-players", **given)(hall)


def removed(hall: LargeHall) -> object:
    """Remove 1,000 players who are in no match."""
    newcomers = [Player(tournament=hall.tournament, name=f"Newcomer {n}") for n in range(MANY)]
    with preparing():
        Player.objects.bulk_create(newcomers)
    return page("remove-players", all="yes")(hall)


def admitted(hall: LargeHall) -> object:
    """Admit 100 players who entered by phone to a list of 2,000."""
    with preparing():
        made = Entrant.objects.bulk_create(Entrant(tournament=hall.tournament, name=f"Phone {n}") for n in range(100))
    return page("admit-players", admit="all", shown=[entering.stamp(each) for each in made])(hall)


def with_a_running_clock(work: Work) -> Work:
    """Before this work, start the clock at table T7."""

    def running(hall: LargeHall) -> object:
        with preparing():
            begin(Match.objects.get(table__name="T7"))
        return work(hall)

    return running


def of_table(name: str, data: dict[str, Any], **of: Any) -> Work:
    """Post a form from a phone at a table."""

    def work(hall: LargeHall) -> object:
        code = Table.objects.get(name="T7").code
        answer = hall.owner.post(reverse(name, kwargs={"code": code, **of}), data)
        assert answer.status_code in (200, 302), answer.content[:2000]
        return answer

    return work


def rematch(hall: LargeHall) -> object:
    """Start a rematch of a casual match."""
    with preparing():
        match, phone = make_match(), Client()
        code = match.table.code
        assert phone.post(f"/t/{code}/seat/", {"seat": "both"}).status_code == 302
        assert desk.submit_and_wait(desk.Request(match.pk, Propose(EndMatch(Seat.LEFT)), "director")).ok
    answer = phone.post(f"/t/{code}/rematch/")
    assert answer.status_code == 302 and Match.objects.filter(table=match.table).count() == 2
    return answer


def withdrawn(hall: LargeHall) -> object:
    """Withdraw a phone's request for a seat."""
    match, now = Match.objects.get(table__name="T7"), now_ms()
    with preparing():
        device, token = join_device({})
        asked = SeatAsk.objects.create(match=match, device=device, seats="left", asked_at=now, until=now + 60_000)
    phone = Client()
    phone.cookies[settings.DEVICE_COOKIE_NAME] = token
    answer = phone.post(reverse("withdraw", kwargs={"code": match.table.code}))
    assert answer.status_code == 302 and not SeatAsk.objects.get(pk=asked.pk).waits(now_ms())
    return answer


def entered(hall: LargeHall) -> object:
    """Have players enter their own match, in a round of 1,000 pairings and 1,000 byes."""
    with preparing():
        hall.tournament.rounds.get(number=7).delete()
        Tournament.objects.filter(slug="open").update(paper_draw=True)
    free = Table.objects.get(tournament__slug="open", name="3")
    given = {"left": "Ida", "right": "Jon", "length": "5"}
    answer = Client().post(reverse("enter-match", kwargs={"code": free.code}), given)
    assert answer.status_code == 302, answer.content[:3000]
    return answer


def asked_for(hall: LargeHall) -> object:
    """Request a clock at the table."""
    where = {"code": Table.objects.get(tournament__slug="open", name="2").code, "pairing_id": hall.of["pairing_id"]}
    answer = Client().post(reverse("ask-clock", kwargs=where), {"seat": "left", "score_left": "0", "score_right": "0"})
    assert answer.status_code == 302, answer.content[:3000]
    return answer


def open_page(address: str, **data: Any) -> Work:
    """Post a form outside any tournament; ignore the response."""
    return lambda hall: hall.owner.post(reverse(address), data)


def command(*arguments: str) -> Work:
    """Run a management command."""
    return lambda hall: call_command(*arguments, stdout=_Nowhere(), skip_checks=True)


class _Nowhere:
    def write(self, text: str) -> None:
        """Discard the text."""


MANY_PLAYERS = "name,club\n" + "\n".join(f"Newcomer {n},Hall" for n in range(MANY // 2))
MANY_PLAYERS += "".join(f"\n{names_of(n)[0]},Hall" for n in range(MANY // 2))

ROUND = {"policy": "required", "rules": "us-2013", "format": "singles", "length": "7"}

# By URL name.
FORMS: dict[str, Work] = {
    "first-round": drawn_from_list,
    **EVENTS,
    "take-back-draw": lambda hall: posted(hall, "take-back-draw", {}, number=5),
    "draw": imported(7, draw(1, "N", "")),
    "draw over another": imported(5, draw(1)),
    "tables": page("tables", tables="2001-2500"),
    "players": listed,
    "player": renamed,
    "correct-players": corrected,
    "correct-drawn-players": corrected_without_a_clock,
    "edit-round": with_free_tables(lambda hall: posted(hall, "edit-round", {**ROUND, "number": 6}, number=6)),
    "new-round": page("new-round", **ROUND, number="8"),
    "remove-round": lambda hall: posted(hall, "remove-round", {}, number=7),
    "new-pairing": lambda hall: posted(hall, "new-pairing", {"table": "Z", "left": "Ida", "right": "Jon"}, number=7),
    "edit-pairing": at_table(5, "edit-pairing", table="T7", left="Ida", right="Jon"),
    "remove-pairing": at_table(5, "remove-pairing"),
    "enter-result": at_table(6, "enter-result", winner="left", score_left="7", score_right="3"),
    "slips": lambda hall: posted(hall, "slips", slips_of(hall), number=6),
    "use-clock": page("use-clock", score_left="0", score_right="0"),
    "next-round": lambda hall: posted(hall, "next-round", {"how": "hand", "into": "8"}, number=5),
    "send-message": page("send-message", tables=f"T1, {', '.join(f'T{n}' for n in range(50))}"),
    "archive": page("archive"),
    "delete-tournament": page("delete-tournament"),
    "forget": page("forget"),
    "forget-person": page("forget-person", person=names_of(7)[0]),
    **{
        name: page(name)
        for name in (
            "start-round events edit-event remove-event "
            "wifi new-match tie-breaks strike-out edit-tournament remove-bye "
            "edit-table new-code remove-table withdraw-message people change-role remove-person "
            "revoke-invite new-stage remove-stage programs publish-feed remove-webhook new-token "
            "revoke-token"
        ).split()
    },
    "remove-players": removed,
    "admit-players": admitted,
    "stop-all": with_a_running_clock(page("stop-all")),
    "resume-all": page("resume-all"),
    "point-stage": lambda hall: page("point-stage", table=str(hall.of["table_id"]))(hall),
    "seat": of_table("seat", {"seat": "left"}),
    "withdraw": withdrawn,
    "rematch": rematch,
    "enter-match": entered,
    "ask-clock": asked_for,
    "enter": entered_by_phone,
    "replace-player": replaced,
    "start": open_page("start", left="Ann", right="Bob", length="5", rules="us-2013", format="singles"),
    **ACCOUNTS,
}
FORMS_THAT_STORE_NOTHING = {"set_language", "reopen", "public-me", "backups"}

LINES = [(left, right, "") for left, right in map(names_of, range(MANY))]
DRAWN = [brackets.Line(left, right) for left, right, _winner in LINES]
ONE = "/rounds/7/pairings"
# By name of the operation's function.
OPERATIONS: dict[str, Work] = {
    "make_round": asked("post", "/rounds", {"length": 9}),
    "start_round": with_free_tables(asked("post", "/rounds/6/start", {})),
    "put_pairings": asked("put", ONE, draw(1, "N", "n")),
    "put_pairings over others": asked("put", "/rounds/5/pairings", draw(1)),
    "put_pairings with other ids": asked("put", "/rounds/5/pairings", draw(0, ids="x")),
    "put_trf": asked("put", f"{ONE}/trf", {"trf": trf.write(trf.of_rounds("Open", [LINES])), "round": 1}),
    "put_brackets": asked("put", f"{ONE}/brackets", {"brackets": brackets.write("Open", [(1, DRAWN)]), "round": 1}),
    "add_pairing": asked("post", ONE, {"left": "Ida", "right": "Jon", "external_id": "late"}),
    "move_pairing": asked("post", "/rounds/6/pairings/{waiting}/move", {"table": "Elsewhere"}),
    "put_result": asked("put", "/rounds/6/pairings/{waiting}/result", {"winner": "left"}),
    "send_message": asked("post", "/messages", {"text": "Lunch", "tables": [f"T{n}" for n in range(500)]}),
}

# By command name.
COMMANDS: dict[str, Work] = {
    "newmatch": command("newmatch", "--rules", "us-2013", "--length", "5", "--tournament", "open", "--table", "X"),
    "directorlink": command("directorlink"),
    "forget": command("forget", "--tournament", "open", "--yes"),
    "forget a person": command("forget", "--person", names_of(7)[0], "--yes"),
    "demo": command("demo", "--tables", "40"),
}
# These only read, or refuse to run while a server does.
COMMANDS_THAT_STORE_NOTHING = {
    "annotate",
    "backup",
    "makemessages",
    "move",  # into another database
    "replay",
    "restore",
    "serve",
    "upgrade",
    "verify",
    "whatif",
}
