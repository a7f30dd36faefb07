"""Helpers: set up a tournament, import draws, play matches, sign in."""

import html
import re
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from clocks import desk
from clocks.engine.commands import parse_command
from clocks.models import Match, Membership, Pairing, Round, Tournament
from clocks.tournament import draw, draw_store, player_list


def summer_open(**changes: Any) -> Round:
    """Create a tournament and its first round: US 2013 to 3 points, unless changed."""
    tournament = Tournament.objects.create(slug="open", name="Summer Open")
    return Round.objects.create(**{"tournament": tournament, "number": 1, "length": 3} | changes)


def next_round(round_: Round, **changes: Any) -> Round:
    """Create the next round with the same settings, unless changed."""
    same = {name: getattr(round_, name) for name in ("tournament", "policy", "rules", "format", "length", "options")}
    return Round.objects.create(**same | {"number": round_.number + 1} | changes)


def drawn(round_: Round, *lines: str, give_way: bool = False) -> list[Pairing]:
    """Import a draw of these `table,left,right` lines; return the new pairings."""
    parsed = draw.parse("\n".join(["table,left,right", *lines]), round_).lines
    done = draw_store.store(round_, lambda tables: draw_store.Plan(tables.plan(parsed)), None, give_way=give_way)
    assert [each.words for each in done.plan.lines if each.act == "bad"] == []
    made = zip(done.plan.lines, done.pairings, strict=True)
    return [Pairing.objects.get(pk=pairing.pk) for line, pairing in made if line.makes and pairing]


def do(match: Match, by: str, **command: Any) -> None:
    """Submit a command, which must be accepted."""
    answer = desk.submit_and_wait(desk.Request(match.pk, parse_command(command), by))
    assert answer.ok, answer


def begin(match: Match) -> None:
    """Confirm the match as the director; left starts right's clock."""
    do(match, "director", do="confirm")
    do(match, "left", do="hit")


def win(match: Match, winner: str = "left", points: int = 3) -> None:
    """Finish a game by agreement, first beginning the match if necessary."""
    if Match.objects.get(pk=match.pk).status == "setup":
        begin(match)
    do(match, "left", do="propose", what="game", winner=winner, points=points)
    do(match, "right", do="agree")


def client_of(role: str, slug: str = "open") -> Client:
    """Client signed in with a role, or as `superuser`; a `stranger` is not signed in."""
    client = Client()
    if role == "stranger":
        return client
    user, _ = User.objects.get_or_create(username=role, is_superuser=role == "superuser")
    if role != "superuser":
        Membership.objects.get_or_create(tournament=Tournament.objects.get(slug=slug), user=user, role=role)
    client.force_login(user)
    return client


def plan_in(response: HttpResponse) -> dict[str, str]:
    """Form fields that confirm an import, from a draw preview."""
    page = response.content.decode()
    found = re.search(r'name="plan" value="(\w+)"', page)
    text = re.search(r'<textarea name="pasted" hidden>(.*?)</textarea>', page, re.DOTALL)
    assert found and text
    return {"plan": found.group(1), "pasted": html.unescape(text.group(1))}


def stamp_of(text: str) -> str:
    """Stamp in the preview of this player list."""
    return "-".join(player_list.parse(text).stamps)


def add_players(director: Client, text: str, **more: Any) -> HttpResponse:
    """Add the players of a list, confirming its preview."""
    sent = {"pasted": text, "store": "yes", "stamp": stamp_of(text), "out": sorted(player_list.parse(text).out)}
    return director.post("/director/open/players/", sent | more, follow=True)
