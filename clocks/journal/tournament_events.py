"""Types of events in the log of a tournament.

`record/tournament_record.py` puts them into words. Fields are the keys of `HallEntry.data`, so neither they nor the
names of the events may change. Rows from earlier versions may lack the fields that have a default here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypedDict, dataclass_transform


class LoggedResult(TypedDict):
    """Result of a match played without a clock; `score` is [left, right] or None."""

    winner: str
    score: list[int] | None


@dataclass_transform(frozen_default=True)
class LogEvent:
    """Base class of log events: frozen dataclasses, registered by stored name."""

    name: ClassVar[str]

    def __init_subclass__(cls, *, name: str) -> None:
        cls.name = name
        KINDS[name] = dataclass(frozen=True)(cls)

    def to_data(self) -> dict[str, Any]:
        """Return the fields as stored."""
        return dict(vars(self))


KINDS: dict[str, type[LogEvent]] = {}


def parse(name: str, data: Mapping[str, Any]) -> LogEvent | None:
    """Parse a stored entry; None if this version does not know the event."""
    kind: Any = KINDS.get(name)
    if kind is None:
        return None
    event: LogEvent = kind(**{key: data[key] for key in kind.__annotations__ if key in data})
    return event


# --- the whole hall ---------------------------------------------------------------------------------------------------


class StoppedAll(LogEvent, name="stopped_all"):
    """The director stopped all clocks; this entry's id is the id of the stop."""

    reason: str


class ResumedAll(LogEvent, name="resumed_all"):
    """The director resumed the clocks that these `stops` had stopped."""

    stops: list[int]


class MessageSent(LogEvent, name="message_sent"):
    """The director sent a message; to all tables if `tables` is empty."""

    text: str
    tables: list[str]
    minutes: int


class MessageWithdrawn(LogEvent, name="message_withdrawn"):
    """The director withdrew a message."""

    text: str


class CodeReplaced(LogEvent, name="code_replaced"):
    """The director gave an empty table a new code."""

    table: str
    after: str
    reason: str


# --- rounds and draws -------------------------------------------------------------------------------------------------


class RoundMade(LogEvent, name="round_made"):
    """Somebody created a round."""

    round: int


class RoundStarted(LogEvent, name="round_started"):
    """The director started a round; `matches` is the number of matches that began."""

    round: int
    matches: int


class RoundDrawn(LogEvent, name="round_drawn"):
    """A draw was made, replaced or taken back: pairings added, kept and removed."""

    round: int
    made: int
    kept: int
    gone: int


class DrawImported(LogEvent, name="draw_imported"):
    """The director imported a draw."""

    round: int


class MatchAdded(LogEvent, name="match_added"):
    """A program added a match to a draw."""

    match: str
    table: str
    round: int


class MatchEntered(LogEvent, name="match_entered"):
    """The players entered their match on a phone."""

    match: str
    table: str
    round: int
    phone: int


class MatchStruckOut(LogEvent, name="match_struck_out"):
    """The director struck out a match that the players had entered."""

    match: str
    table: str


class MatchMoved(LogEvent, name="match_moved"):
    """Somebody moved a match; `before` and `after` are tables."""

    match: str
    before: str
    after: str


# --- results of matches played without a clock ------------------------------------------------------------------------


class ResultEntered(LogEvent, name="result_entered"):
    """The director entered a result."""

    match: str
    after: LoggedResult
    pairing: int | None = None


class ResultCorrected(LogEvent, name="result_corrected"):
    """The director corrected a result."""

    match: str
    before: LoggedResult
    after: LoggedResult
    reason: str
    pairing: int | None = None


class ResultWithdrawn(LogEvent, name="result_withdrawn"):
    """The director withdrew a result."""

    match: str
    before: LoggedResult
    reason: str
    pairing: int | None = None


# --- players ----------------------------------------------------------------------------------------------------------


class PlayersListed(LogEvent, name="players_listed"):
    """The director imported a list of players."""


class PlayerRenamed(LogEvent, name="player_renamed"):
    """The director corrected the name of a player."""

    was: str
    player: str
    reason: str


class PlayerJoined(LogEvent, name="player_joined"):
    """The director merged a player into another one."""

    was: str
    player: str
    reason: str


class PlaceTaken(LogEvent, name="place_taken"):
    """The director gave the places of a no-show, `was`, to another player."""

    was: str
    player: str
    reason: str


class PlayerAdmitted(LogEvent, name="player_admitted"):
    """The director admitted a player who had entered by phone."""

    player: str


class PlayerDeclined(LogEvent, name="player_declined"):
    """The director declined a player who had entered by phone."""

    player: str


class EntryOpened(LogEvent, name="entry_opened"):
    """The director let players enter by phone."""


class EntryClosed(LogEvent, name="entry_closed"):
    """The director no longer lets players enter by phone."""


class NamesCorrected(LogEvent, name="names_corrected"):
    """The director corrected who played a match; the fields name both players."""

    was: str
    player: str
    reason: str


class NamesRemoved(LogEvent, name="names_removed"):
    """The server removed all names and notes."""


# --- people and programs ----------------------------------------------------------------------------------------------


class TournamentMade(LogEvent, name="tournament_made"):
    """The owner created the tournament."""


class Archived(LogEvent, name="archived"):
    """The owner archived the tournament."""


class BroughtBack(LogEvent, name="brought_back"):
    """The owner restored the tournament from the archive."""


class Invited(LogEvent, name="invited"):
    """Somebody created an invitation."""

    role: str
    until: str


class InviteRevoked(LogEvent, name="invite_revoked"):
    """Somebody revoked an invitation."""

    role: str


class Joined(LogEvent, name="joined"):
    """A user accepted the invitation of `by`."""

    role: str
    by: str


class RoleChanged(LogEvent, name="role_changed"):
    """Somebody changed the role of the member `of`."""

    of: str
    before: str
    after: str


class Removed(LogEvent, name="removed"):
    """Somebody removed the member `of`."""

    of: str
    role: str


class TokenMade(LogEvent, name="token_made"):
    """Somebody created a token for a program; `until` is "" if it never expires."""

    token: str
    role: str
    until: str


class TokenRevoked(LogEvent, name="token_revoked"):
    """Somebody revoked the token of a program."""

    token: str


class WebhookMade(LogEvent, name="webhook_made"):
    """Somebody added a webhook; `address` is its host."""

    address: str


class WebhookRemoved(LogEvent, name="webhook_removed"):
    """Somebody removed a webhook."""

    address: str


class FeedOpened(LogEvent, name="feed_opened"):
    """Somebody opened the feed to the public."""


class FeedClosed(LogEvent, name="feed_closed"):
    """Somebody limited the feed to programs with a token."""
