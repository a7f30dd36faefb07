"""A tournament with 1,000 tables and matches, and 2,000 players."""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, connections
from django.test import Client

from clocks import desk
from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.journal import entries
from clocks.models import (
    Bye,
    Delivery,
    FeedEvent,
    HallEntry,
    JournalEntry,
    Match,
    Message,
    Pairing,
    Player,
    Round,
    Table,
    Tournament,
    Webhook,
)
from clocks.tournament.tables import add_tables
from tests.server.house import US_2013
from tests.server.programs import Program
from tests.server.who_may import client_of, make_house

MANY = 1_000
QUIET_MS = 7.1  # CPU time of `_work` on the idle reference machine


class LargeHall(NamedTuple):
    """The tournament, an owner's session and a director's API client."""

    of: dict[str, Any]
    session: str
    program: Program

    @property
    def owner(self) -> Client:
        """New client signed in as owner; new each time because some pages change cookies."""
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = self.session
        return client

    @property
    def tournament(self) -> Tournament:
        """The tournament."""
        return Tournament.objects.get(slug="open")


def make_large_hall(many: int = MANY) -> LargeHall:
    """Create `many` tables and rounds 5 (drawn, not begun), 6 (on request), 7 (empty).

    Also creates as many byes in round 6, messages, log entries and feed events, and webhook deliveries.
    """
    house = make_house()
    tournament = Tournament.objects.get(slug="open")
    add_tables(tournament, [f"T{n}" for n in range(many)])
    tables = list(tournament.tables.filter(name__startswith="T").order_by("pk"))
    Player.objects.bulk_create(Player(tournament=tournament, name=name) for n in range(many) for name in names_of(n))
    rounds = {n: Round.objects.create(tournament=tournament, number=n) for n in (5, 6, 7)}
    rounds[6].policy = "on-request"
    rounds[6].save()
    setups = [Setup.parse(US_2013 | {"names": names_of(n)}) for n in range(many)]
    states = [MatchState.begin(setup) for setup in setups]
    matches = Match.objects.bulk_create(
        Match(table=table, round=rounds[5], setup=s.to_dict(), state=state.to_dict(), version=1, status="setup")
        for table, s, state in zip(tables, setups, states, strict=True)
    )
    nobody = entries.Asker("server")
    entries.append([entries.setup_row(m.pk, s, 1, nobody) for m, s in zip(matches, setups, strict=True)])
    Table.objects.bulk_update(_at(tables, matches), ["current"], batch_size=200)
    Pairing.objects.bulk_create(
        Pairing(round=rounds[number], table=table, setup=s.to_dict(), match=match, external_id=f"m{number}-{n}")
        for number in (5, 6)
        for n, (table, s, played) in enumerate(zip(tables, setups, matches, strict=True))
        for match in [played if number == 5 else None]
    )
    Bye.objects.bulk_create(Bye(round=rounds[6], name=f"Bye {n}") for n in range(many))
    owner = tournament.memberships.get(role="owner").user
    Message.objects.bulk_create(
        Message(tournament=tournament, text=f"Lunch {n}", sent_by=owner, sent_at=n, until=n) for n in range(many)
    )
    HallEntry.objects.bulk_create(
        HallEntry(
            tournament=tournament,
            at=n,
            event="result_entered",
            data={"match": " – ".join(names), "after": {"winner": names[0], "score": None}, "pairing": n},
        )
        for n in range(many)
        for names in [names_of(n)]
    )
    first = {key: pk for pk, key in JournalEntry.objects.filter(seq=1).values_list("pk", "match_id")}
    FeedEvent.objects.bulk_create(
        FeedEvent(tournament=tournament, number=n + 1, at=1, kind="match.made", match=m, entry_id=first[m.pk], data={})
        for n, m in enumerate(matches)
    )
    _send_to_webhooks(tournament, owner, many * 4 // 5)
    return LargeHall(house.of, client_of("owner").cookies[settings.SESSION_COOKIE_NAME].value, Program(tournament))


def _send_to_webhooks(tournament: Tournament, owner: User, sent: int) -> None:
    """Add webhooks with a delivery of each of the first `sent` events.

    This tournament has nine, another has 40. All deliveries are finished, except those of this tournament's last
    webhook.
    """
    older = Tournament.objects.create(slug="last-week", name="Last week")
    Webhook.objects.bulk_create(
        Webhook(tournament=each, url=f"http://127.0.0.1:9/{n}", made_by=owner)
        for each, many in ((older, 40), (tournament, 8))
        for n in range(many)
    )
    Webhook.objects.update(upto=sent)
    waiting = tournament.webhooks.order_by("pk").last()
    states = Delivery.State
    Delivery.objects.bulk_create(
        Delivery(
            webhook=hook,
            event=event,
            state=states.WAITING if hook == waiting else states.DELIVERED,
            made_at=1,
            next_at=1,
        )
        for hook in Webhook.objects.all()
        for event in FeedEvent.objects.filter(number__lte=sent)
    )


def _at(tables: list[Table], matches: list[Match]) -> list[Table]:
    for table, match in zip(tables, matches, strict=True):
        table.current = match
    return tables


def names_of(n: int) -> list[str]:
    """Players in line `n` of a draw."""
    return [f"Left Player {n}", f"Right Player {n}"]


def draw(shift: int = 0, tables: str = "T", ids: str = "m5-", many: int = MANY) -> dict[str, Any]:
    """Draw of `many` pairings for the API; `shift` changes the opponents."""
    return {
        "pairings": [
            {"external_id": f"{ids}{n}", "table": f"{tables}{n}", "left": names_of(n)[0], "right": names_of(other)[1]}
            for n in range(many)
            for other in [(n + shift) % many]
        ]
    }


def as_text(given: dict[str, Any]) -> str:
    """The same draw as pasted text."""
    lines = [f"{line['table']},{line['left']},{line['right']}" for line in given["pairings"]]
    return "\n".join(["table,left,right", *lines])


class Stored:
    """Copy of the database, restored between measurements."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with closing(sqlite3.connect(_database())) as source, closing(sqlite3.connect(path)) as copy:
            source.backup(copy)

    def put_back(self) -> None:
        """Restore the copy."""
        connections.close_all()
        with closing(sqlite3.connect(self._path)) as source, closing(sqlite3.connect(_database())) as target:
            source.backup(target)
        desk.forget()


def _database() -> str:
    return str(connection.settings_dict["NAME"])


def slowness() -> float:
    """Current slowdown of this machine relative to the idle reference; at least 1."""
    return max(1.0, min(_work() for _ in range(3)) / QUIET_MS)


def _work() -> float:
    """CPU time (ms) of work like that done under the lock: JSON, and rows in SQLite."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER, c TEXT)")
        database.execute("CREATE INDEX ab ON a (b)")
        began = time.thread_time_ns()
        rows = [(n, json.dumps({"names": [f"Left {n}", "Right"], "score": [0, n]})) for n in range(1_000)]
        database.executemany("INSERT INTO a (b, c) VALUES (?, ?)", rows)
        assert len([json.loads(row[0]) for row in database.execute("SELECT c FROM a WHERE b >= 0")]) == 1_000
        return (time.thread_time_ns() - began) / 1e6
