"""A tournament of ours as a TRF26 file."""

from clocks.models import Tournament
from clocks.record import results, trf


def text_of(tournament: Tournament, now: int) -> str:
    """Return the file: each round's matches with who has won by `now`, and its byes."""
    rounds = []
    for round_ in tournament.rounds.order_by("number"):
        played = [(*result.names, _seat(result)) for result in results.of_round(round_, now)]
        byes = [(name, "", "") for name in round_.byes.values_list("name", flat=True)]
        rounds.append([*played, *byes])
    return trf.write(trf.of_rounds(tournament.name, rounds))


def _seat(result: results.Result) -> str:
    if not result.winner:
        return ""
    return "left" if result.winner == result.names[0] else "right"
