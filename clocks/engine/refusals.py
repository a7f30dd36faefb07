"""Reasons to reject a command, and `Refused`, the exception that carries one."""

from enum import StrEnum

from clocks.engine.words import Words


class Why(StrEnum):
    """Reasons to reject a command; the values are the codes on the wire."""

    NOT_YOUR_TURN = "not-your-turn"
    STALE = "stale"
    STOPPED = "stopped"
    NOT_STOPPED = "not-stopped"
    NOT_RUNNING = "not-running"
    NOT_READY = "not-ready"
    MATCH_OVER = "match-over"
    FLAGGED = "flagged"
    SETUP_NOT_CONFIRMED = "setup-not-confirmed"
    PROPOSAL_PENDING = "proposal-pending"
    NO_PROPOSAL = "no-proposal"
    NOT_YOURS_TO_SETTLE = "not-yours-to-settle"
    CUBE_NOT_YOURS = "cube-not-yours"
    CUBE_FROZEN = "cube-frozen"
    CRAWFORD = "crawford"
    NO_DOUBLE = "no-double"
    DOUBLE_PENDING = "double-pending"
    NO_OFFER_OF_THAT_KIND = "no-offer-of-that-kind"
    NOT_DIRECTOR = "not-director"
    NO_SEAT = "no-seat"
    OVERRULED = "overruled"
    BAD_MESSAGE = "bad-message"
    BAD_VALUE = "bad-value"
    NOT_STORED = "not-stored"


# Default message for each reason.
REFUSALS: dict[str, str] = {
    Why.NOT_YOUR_TURN: Words("It is not your turn."),
    Why.STALE: Words("That turn is already over."),
    Why.STOPPED: Words("The clocks are stopped."),
    Why.NOT_STOPPED: Words("The clocks are not stopped."),
    Why.NOT_RUNNING: Words("No clock is running."),
    Why.NOT_READY: Words("The settings are already confirmed."),
    Why.MATCH_OVER: Words("The match is over."),
    Why.FLAGGED: Words("A player’s time is up. The director must decide first."),
    Why.SETUP_NOT_CONFIRMED: Words("The settings are not confirmed yet."),
    Why.PROPOSAL_PENDING: Words("Answer the open proposal first."),
    Why.NO_PROPOSAL: Words("Nothing is waiting for an answer."),
    Why.NOT_YOURS_TO_SETTLE: Words("That is for the other player or the director to settle."),
    Why.CUBE_NOT_YOURS: Words("The cube is on the other side."),
    Why.CUBE_FROZEN: Words("The cube is frozen in this game."),
    Why.CRAWFORD: Words("There is no doubling in the Crawford game."),
    Why.NO_DOUBLE: Words("No double has been offered."),
    Why.DOUBLE_PENDING: Words("A double has been offered. Take or pass first."),
    Why.NO_OFFER_OF_THAT_KIND: Words("These rules do not allow that."),
    Why.NOT_DIRECTOR: Words("Only the director may do that."),
    Why.NO_SEAT: Words("This device has no seat at the table."),
    Why.OVERRULED: Words("The match was changed elsewhere while this phone had no network."),
    Why.BAD_MESSAGE: Words("That message was not understood."),
    Why.BAD_VALUE: Words("That value is not allowed."),
    Why.NOT_STORED: Words("The server could not store that. Try again."),
}

# Replacements in matches without a director, by message or its template.
BETWEEN_PLAYERS: dict[str, str] = {
    "A player’s time is up. The director must decide first.": Words("A player’s time is up. Settle that first."),
    "That is for the other player or the director to settle.": Words("That is for the other player to settle."),
    "Only the director may do that.": Words("In a match between the two of you nobody can do that."),
    "You proposed it, so the other player or the director must answer.": Words(
        "You proposed it, so the other player must answer."
    ),
    "You have already agreed. The other player or the director must answer.": Words(
        "You have already agreed. The other player must answer."
    ),
    "Under these rules only the director may restart a delay.": Words("Under these rules a delay is not restarted."),
    "%(name)s has no time left. The director decides what happens next.": Words(
        "%(name)s has no time left. Give time back or end the game first."
    ),
    "The server cannot tell at the moment whether %(name)s’s phone is online, so nobody else can act for %(name)s. "
    "Try again in a minute, or ask the director.": Words(
        "The server cannot tell at the moment whether %(name)s’s phone is online, so nobody else can act for "
        "%(name)s. Try again in a minute."
    ),
    "This phone has %(name)s’s seat without the director’s yes, so it can only press, stop and call. "
    "For anything else %(name)s’s own phone must come back, or the director must agree.": Words(
        "This phone took %(name)s’s seat while the phone there was offline, so it can only press and stop. "
        "For anything else %(name)s’s own phone must come back, or the other player must agree."
    ),
    "One phone cannot both ask and answer. %(name)s must answer on another phone, or the director must let this one "
    "act for both players.": Words(
        "One phone cannot both ask and answer. %(name)s must answer on another phone, or both of you let this one act "
        "for both players."
    ),
    "Your request has just been turned down. Ask again in a minute, or ask the director.": Words(
        "Your request has just been turned down. Ask again in a minute."
    ),
    "This phone has asked several times. Speak to the director.": Words(
        "This phone has asked several times. Speak to the other player."
    ),
}


class Refused(Exception):
    """A command or setup is rejected.

    `words` is the message for people, of type `Words` if it contains names or figures.
    """

    def __init__(self, code: Why, words: str = "") -> None:
        self.code = code
        self.words = words or REFUSALS[code]
        super().__init__(f"{code}: {self.words}")

    def between_players(self) -> "Refused":
        """Return the same refusal, worded for a match without a director."""
        template, values = getattr(self.words, "template", self.words), getattr(self.words, "values", {})
        instead = BETWEEN_PLAYERS.get(template)
        return self if instead is None else Refused(self.code, Words(instead, **values))
