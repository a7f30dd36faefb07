"""Last contact with phones whose seat is borrowed."""

import asyncio
import logging

from clocks.journal.tenure import Devices
from clocks.live.pools import ruling
from clocks.seats import absence

logger = logging.getLogger(__name__)


class Absentee:
    """Records contact with a socket's phone, if it owns a borrowed seat."""

    def __init__(self, owners: Devices = (None, None), device_id: int | None = None) -> None:
        self.device_id = device_id if device_id in owners else None
        self._stored_at = 0
        self._storing: asyncio.Future[None] | None = None

    def heard(self, at: int) -> None:
        """Record contact with such a phone, at most every SPACING_MS."""
        if self.device_id is not None and at - self._stored_at >= absence.SPACING_MS:
            self._stored_at = at
            self._storing = asyncio.ensure_future(self._store(self.device_id, at))

    async def _store(self, device_id: int, at: int) -> None:
        try:
            await ruling(absence.heard)(device_id, at)
        except Exception:
            logger.exception("a sign of a phone whose seat is on loan could not be stored")
