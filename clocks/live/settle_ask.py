"""Answer a seat request, by the seat's phone or a director."""

from functools import partial

from clocks import desk
from clocks.engine.closed_sets import Official, Party
from clocks.live import broadcast, protocol
from clocks.live.pools import ruling
from clocks.live.socket import Socket
from clocks.seats import takeover


async def settle_ask(
    socket: Socket, id_: str, ask_id: int, give: bool, now: int, by: Party, may_end: bool = True
) -> None:
    """Answer a seat request; the desk makes the claim once it is fully granted."""
    device_id = None if by == Official.DIRECTOR else socket.device_id
    match_id, claim, asks = await ruling(takeover.settle)(ask_id, give, device_id, now)
    broadcast.tell_asks_here(asks)
    if claim is None:
        socket.tell(protocol.ack(id_, socket.v(), 0))
        return
    desk.submit(
        desk.Request(
            match_id,
            claim,
            by,
            now,
            command_id=id_,
            device_id=device_id,
            user_id=socket.user_id or None,
            answered=broadcast.replying(partial(socket.answered, id_)),
            may_end=may_end,
        )
    )
