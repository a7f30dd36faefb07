"""Why a command is refused: the closed list of codes, and the one error type of the engine."""

REFUSALS: dict[str, str] = {
    "not-your-turn": "It is not your turn.",
    "stale": "That turn is already over.",
    "stopped": "The clocks are stopped.",
    "not-stopped": "The clocks are not stopped.",
    "not-running": "No clock is running.",
    "not-ready": "The setting is already confirmed.",
    "match-over": "The match is over.",
    "flagged": "A reserve is used up: the director decides first.",
    "setup-not-confirmed": "The setting is not confirmed yet.",
    "proposal-pending": "A proposal is waiting: settle it first.",
    "no-proposal": "Nothing is waiting for an answer.",
    "not-yours-to-settle": "That is for the other player or the director to settle.",
    "cube-not-yours": "The cube is on the other side.",
    "cube-frozen": "The cube is frozen in this game.",
    "crawford": "This is the Crawford game: no doubling.",
    "no-double": "No double is offered.",
    "double-pending": "A double is offered: take or pass first.",
    "no-offer-of-that-kind": "These rules do not know that.",
    "not-director": "Only the director may do that.",
    "no-seat": "This device has no seat at the table.",
    "bad-message": "That message was not understood.",
    "bad-value": "That value is not allowed.",
    "not-stored": "The server could not store that. Try again.",
}


class Refused(Exception):
    """Says why a command (or a setup) changes nothing.

    `code` is one of REFUSALS; `words` is a sentence for people.
    """

    def __init__(self, code: str, words: str = "") -> None:
        self.code = code
        self.words = words or REFUSALS[code]
        super().__init__(f"{code}: {self.words}")
