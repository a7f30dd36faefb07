"""WebSocket consumers for tables, directors' pages and hall screens.

Presses need no query here, unless backdated; opening, rulings, seat requests and claimed alerts do.
"""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from channels.exceptions import StopConsumer
from django.conf import settings

from clocks import desk
from clocks.desk.changes import Change
from clocks.desk.requests import Reply
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.commands import HandOver
from clocks.engine.refusals import Refused, Why
from clocks.host.server_time import now_ms
from clocks.host.version import version
from clocks.journal import stored
from clocks.lag import credit
from clocks.lag.signs import Signs
from clocks.lag.silence import PROBE_MS, SETTLED_MS
from clocks.live import broadcast, command_limit, lookups, protocol, updates
from clocks.live.absentee import Absentee
from clocks.live.admission import MOST_OF_DIRECTOR, MOST_OF_PHONE, TABLE_OPENS, TOURNAMENT_OPENS, admission
from clocks.live.backdating import Backdating, last_sign
from clocks.live.command_limit import PAUSE_S, Charge, OverLimit
from clocks.live.do_frame import Do, read_do
from clocks.live.hub import hub
from clocks.live.lost_seats import lost_seats
from clocks.live.pools import ruling
from clocks.live.settle_ask import settle_ask
from clocks.live.socket import Socket, cookies_of
from clocks.live.table_opens import Asked, table_opens
from clocks.live.table_room import TableRoom
from clocks.live.tournament_room import TournamentRoom
from clocks.live.updates import update_of
from clocks.people import sessions
from clocks.seats import presence
from clocks.serving.asgi import Scope
from clocks.serving.frames import Frame
from clocks.tournament import code_limit, codes, messages

FRESH_S = 0.5  # lookups older than this are repeated


class TableSocket(Socket):
    """Phone or spectator at a table: the code is enough to watch."""

    opens = TABLE_OPENS

    def __init__(self) -> None:
        super().__init__()
        self.table_id = 0
        self.room = TableRoom()
        self._absentee = Absentee()
        self._backdating = Backdating()

    async def open(self, scope: Scope) -> int | None:
        """Send the table's current match, or return a close code.

        4404 if there is no match, 4410 in an archived tournament, 4429 after too many wrong codes, 4409 or 4403 if the
        phone has lost a seat.
        """
        began_s, moves = self._loop.time(), hub.moves
        self.code = codes.normalise_code(scope["url_route"]["kwargs"]["code"])
        token = cookies_of(scope).get(settings.DEVICE_COOKIE_NAME, "")
        found = await table_opens.look_up(Asked(self.code, token, self._transport.is_open, self.address))
        if found is None:
            raise StopConsumer
        if found.refused_with is not None:
            return found.refused_with
        self.table_id, tournament_id, self.device_id, board, message, _ = found
        self.room = hub.join_table(self, self.table_id, tournament_id)
        passed = hub.moves != moves or (board is not None and hub.knows_later(board))
        if passed or self._loop.time() - began_s > FRESH_S:  # it may have missed updates
            board = await self.looked_up(stored.match_at_table, self.table_id)
        if board is None:
            return protocol.NO_SUCH_MATCH
        self._absentee = Absentee(board.tenure.owners, self.device_id)
        self._absentee.heard(now_ms())
        lost = lost_seats(scope["query_string"], board, self.device_id)
        if lost is not None:
            return lost
        now = now_ms()
        seats = board.seats_of(self.device_id)
        if seats:
            admission.recognise(self, ("phone", self.device_id), MOST_OF_PHONE)
        earlier = max((presence.signs(board.id, seat.index).last for seat in seats), default=0)
        self.signs = Signs(now, earlier)
        for seat in seats:
            presence.saw(board.id, seat.index, now)
        self.room.show(self, update_of(Change(board, moved=True), now))
        self.tell(protocol.program(version()))
        hub.tell_message(self.table_id, message.pk if message else 0, updates.message_frame(message, now), joined=self)
        self.room.tell_asks(now, joined=self)
        hub.show_starts(self, tournament_id)
        return None

    def plays(self) -> bool:
        return self.device_id is not None and self.device_id in self.room.devices

    def rests(self) -> bool:
        return not (self.plays() and self.room.runs)

    def may_be_known(self, cookies: Mapping[str, str]) -> bool:
        return settings.DEVICE_COOKIE_NAME in cookies

    def leave(self) -> None:
        hub.leave_table(self, self.table_id)
        if not any(other.device_id == self.device_id for other in self.room.sockets):
            self.room.missed(self.device_id, now_ms())

    def heard(self, frame: dict[str, Any], now: int) -> None:
        self.room.heard(self.device_id, now)
        if frame.get("do") != HandOver.do:
            self.room.sent_all(self.device_id)
        self._absentee.heard(now)

    def spoke(self, now: int) -> None:
        if not self._backdating.waiting:
            self.room.spoke(self.device_id, now)

    def probe_s(self) -> float:
        return PROBE_MS / 1000 if self.room.is_between(self.device_id) else super().probe_s()

    def pinged(self, now: int) -> None:
        self.room.missed(self.device_id, now)

    def ponged(self, pinged_at: int) -> None:
        self.signs.answered(pinged_at)
        self._absentee.heard(pinged_at)
        self.room.answered(self.device_id, pinged_at, now_ms())
        if self._heard_at:
            self.spoke(pinged_at)
        else:  # the browser answers pings before a new page has sent its stored commands
            self._loop.call_later(SETTLED_MS / 1000, self.spoke, pinged_at)

    def v(self) -> int:
        return self.room.v

    def about(self) -> dict[str, Any]:
        return {"match": self.room.match_id, "device": self.device_id}

    def do(self, frame: dict[str, Any], now: int) -> None:
        try:
            self._submit(frame, now)
        except Refused as refusal:
            if isinstance(refusal, OverLimit) or frame.get("do") == HandOver.do:
                self._transport.pause(PAUSE_S)
            raise

    def _submit(self, frame: dict[str, Any], now: int) -> None:
        room, held = self.room, self._held()
        if frame.get("do") == HandOver.do:  # before its many parts are parsed
            command_limit.charge_hand_over(self.device_id)
            room.check_hand_over(self.device_id, frame.get("match"))
        asked = read_do(frame)
        room.check_match(asked.match_id)
        if asked.seat is None and len(held) == 2 and not isinstance(asked.command, HandOver):
            raise Refused(Why.BAD_VALUE, "This phone holds both seats. Say which one is asking: left or right.")
        address = self.address if room.by_players else ""
        own = asked.seat if asked.seat in held else held[0]
        charge = command_limit.charge(asked.command, self.device_id, (room.match_id, own), address)
        request = desk.Request(
            room.match_id,
            asked.command,
            asked.seat or held[0],
            now,
            command_id=asked.id,
            device_id=self.device_id,
            claimed_at=asked.claimed_at,
            credit_ms=credit.measured_ms(asked.claimed_at, now, self.rtt_ms),
            heard_at=last_sign(asked.command, asked.claimed_at, room.signs(self.device_id), now),
            answered=broadcast.replying(partial(self._settle, charge, asked.id)),
        )
        if not room.is_between(self.device_id):
            desk.submit(request)
        elif (later := self._backdating.submit(request, partial(self.spoke, now))) is not None:
            self.soon(asked.id, later)

    def _settle(self, charge: Charge, id_: str, answer: Reply) -> None:
        """Reply, and refund a command that changed nothing."""
        if answer.again or not (answer.ok or answer.partly):
            charge.give_back()
        self.answered(id_, answer)

    def seat(self, frame: dict[str, Any], now: int) -> None:
        """Grant or decline another phone's request for this phone's seat."""
        id_, ask_id, give = protocol.read_seat(frame)
        self.soon(id_, settle_ask(self, id_, ask_id, give, now, by=self._held()[0]))

    def _held(self) -> list[Seat]:
        """Seats held by this phone. Raises Refused for a spectator."""
        mine, holders = self.device_id, self.room.devices
        held = [seat for seat in Seat if mine is not None and holders[seat.index] == mine]
        if not held:
            raise Refused(Why.NO_SEAT)
        return held


class TournamentSocket(Socket):
    """Page that shows all tables of a tournament."""

    opens = TOURNAMENT_OPENS

    def __init__(self) -> None:
        super().__init__()
        self.tournament_id = 0
        self._held_back: list[Frame] | None = None

    async def show(self, tournament_id: int) -> TournamentRoom:
        """Join the tournament and send the matches at all tables. Returns the room."""
        self.tournament_id = tournament_id
        self._held_back = []
        room = hub.join_tournament(self, tournament_id)
        first = room.first_frame(tournament_id)
        missed = first.since[:]  # sent since the read began, before this socket joined
        read = await asyncio.shield(first.reading)
        if not first.is_noted:
            first.is_noted = True
            room.was_read(read.boards)
        async with first.turns:
            since, self._held_back = self._held_back, None
            read.push_to(self)
            for frames in missed:
                frames.push_to(self)
            for frame in since:
                self.push(frame)
            await asyncio.sleep(0)
        return room

    def push(self, frame: Frame) -> None:
        if self._held_back is None:
            super().push(frame)
        else:
            self._held_back.append(frame)

    def leave(self) -> None:
        hub.leave_tournament(self, self.tournament_id)


class DirectorSocket(TournamentSocket):
    """Director's page: watches all tables and makes rulings."""

    def __init__(self) -> None:
        super().__init__()
        self._scope: Scope = {}

    def may_be_known(self, cookies: Mapping[str, str]) -> bool:
        return settings.SESSION_COOKIE_NAME in cookies

    async def open(self, scope: Scope) -> int | None:
        """Show the tournament, or return 4401, 4403 or 4404 if the user may not watch."""
        self._scope = scope
        self.session = sessions.stored_key(lookups.session_key(scope))
        tournament_id, self.user_id, refused_with = await self.looked_up(lookups.tournament_to_watch, scope)
        if refused_with is not None:
            return refused_with
        admission.recognise(self, ("user", self.user_id), MOST_OF_DIRECTOR)
        await self.looked_up(code_limit.note_hall, self.address, tournament_id)
        room = await self.show(tournament_id)
        self.tell(room.all_taken())
        room.tell_asks(now_ms(), joined=self)
        room.tell_starts(joined=self)
        if room.kept:
            self.tell(room.kept)
        return None

    def do(self, frame: dict[str, Any], now: int) -> None:
        asked = read_do(frame)
        if asked.match_id is None:
            raise Refused(Why.BAD_VALUE, "Say which match is meant by its number in “match”.")
        self.soon(asked.id, self._rule(asked, asked.match_id, now))

    def seat(self, frame: dict[str, Any], now: int) -> None:
        """Answer a seat request, if the user still has permission."""
        id_, ask_id, give = protocol.read_seat(frame)
        self.soon(id_, self._seat(id_, ask_id, give, now))

    async def _seat(self, id_: str, ask_id: int, give: bool, now: int) -> None:
        may, may_end = await ruling(lookups.may_seat)(self._scope, self.tournament_id, ask_id)
        if not may:
            raise Refused(Why.NOT_DIRECTOR)
        await settle_ask(self, id_, ask_id, give, now, by=Official.DIRECTOR, may_end=may_end)

    def claim_alert(self, frame: dict[str, Any], now: int) -> None:
        id_, alert = protocol.read_claim(frame)
        self.soon(id_, self._take(id_, alert, now))

    async def _take(self, id_: str, alert: str, now: int) -> None:
        """Publish that the user handles an alert, if they may still make rulings."""
        name = await ruling(lookups.name_of_ruler)(self._scope, self.tournament_id, alert)
        if name is None:
            raise Refused(Why.NOT_DIRECTOR)
        broadcast.claim_alert(self.tournament_id, alert, name, now)
        self.tell(protocol.ack(id_, 0, 0))

    async def _rule(self, asked: Do, match_id: int, now: int) -> None:
        """Submit a ruling to the desk, if the user may still rule on that match."""
        given = await ruling(lookups.ruling)(self._scope, self.tournament_id, match_id, asked.command)
        desk.submit(
            desk.Request(
                match_id,
                given.command,
                Official.DIRECTOR,
                now,
                command_id=asked.id,
                user_id=given.user_id,
                claimed_at=asked.claimed_at,
                answered=broadcast.replying(partial(self.answered, asked.id)),
                alongside=given.alongside,
                may_end=given.may_end,
            )
        )
        for request in given.then:
            desk.submit(request)


class HallSocket(TournamentSocket):
    """Hall screen: anybody may watch, nobody may send commands."""

    async def open(self, scope: Scope) -> int | None:
        """Show the tournament, or return 4404 (unknown or casual) or 4410 (archived)."""
        slug = lookups.slug_of(scope)
        tournament_id = hub.shown_as(slug)
        if tournament_id is None:
            found = await self.looked_up(lookups.tournament_to_show, slug)
            tournament_id, refused_with = found
            if refused_with is not None:
                return refused_with
        room = await self.show(tournament_id)
        room.slug = slug
        if room.message_text is None:  # later sockets get the cached one
            now = now_ms()
            message = await self.looked_up(messages.message_to_all, tournament_id, now)
            room.tell_message(message.pk if message else 0, updates.message_frame(message, now), joined=self)
        else:
            room.tell_message(room.message, room.message_text, joined=self)
        return None

    def do(self, frame: dict[str, Any], now: int) -> None:
        raise Refused(Why.NO_SEAT, "This screen can only watch.")
