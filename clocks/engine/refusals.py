"""Why a command is refused: the closed list of codes, and the one error type of the engine."""

from clocks.engine.words import Words

REFUSALS: dict[str, str] = {
    "not-your-turn": Words("It is not your turn."),
    "stale": Words("That turn is already over."),
    "stopped": Words("The clocks are stopped."),
    "not-stopped": Words("The clocks are not stopped."),
    "not-running": Words("No clock is running."),
    "not-ready": Words("The settings are already confirmed."),
    "match-over": Words("The match is over."),
    "flagged": Words("A player’s time is up. The director must decide first."),
    "setup-not-confirmed": Words("The settings are not confirmed yet."),
    "proposal-pending": Words("Answer the open proposal first."),
    "no-proposal": Words("Nothing is waiting for an answer."),
    "not-yours-to-settle": Words("That is for the other player or the director to settle."),
    "cube-not-yours": Words("The cube is on the other side."),
    "cube-frozen": Words("The cube is frozen in this game."),
    "crawford": Words("There is no doubling in the Crawford game."),
    "no-double": Words("No double has been offered."),
    "double-pending": Words("A double has been offered. Take or pass first."),
    "no-offer-of-that-kind": Words("These rules do not allow that."),
    "not-director": Words("Only the director may do that."),
    "no-seat": Words("This device has no seat at the table."),
    "overruled": Words("The match was changed elsewhere while this phone had no network."),
    "bad-message": Words("That message was not understood."),
    "bad-value": Words("That value is not allowed."),
    "not-stored": Words("The server could not store that. Try again."),
}

# What is said instead where there is no director, by the sentence or its template.
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
    """Says why a command (or a setup) changes nothing.

    `code` is one of REFUSALS; `words` is a sentence for people, `Words` where names or figures are in it.
    """

    def __init__(self, code: str, words: str = "") -> None:
        self.code = code
        self.words = words or REFUSALS[code]
        super().__init__(f"{code}: {self.words}")

    def between_players(self) -> "Refused":
        """Return the refusal as it is said in a match without a director."""
        template, values = getattr(self.words, "template", self.words), getattr(self.words, "values", {})
        instead = BETWEEN_PLAYERS.get(template)
        return self if instead is None else Refused(self.code, Words(instead, **values))
