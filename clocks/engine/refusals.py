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
    "flagged": Words("A player's time is up. The director must decide first."),
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
    "bad-message": Words("That message was not understood."),
    "bad-value": Words("That value is not allowed."),
    "not-stored": Words("The server could not store that. Try again."),
}


class Refused(Exception):
    """Says why a command (or a setup) changes nothing.

    `code` is one of REFUSALS; `words` is a sentence for people, `Words` where names or figures are in it.
    """

    def __init__(self, code: str, words: str = "") -> None:
        self.code = code
        self.words = words or REFUSALS[code]
        super().__init__(f"{code}: {self.words}")
