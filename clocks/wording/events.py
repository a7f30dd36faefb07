"""Describe events in the language of the rule books, with the players' names."""

from collections.abc import Iterable
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clocks.engine import events as e
from clocks.engine import proposals as p
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import ConsequenceKind, Fate, HowWon, Official, Party, Reason, Status, Swap, Win
from clocks.engine.match import Match
from clocks.engine.refusals import REFUSALS
from clocks.wording.amounts import clock, points, seconds

STOPS = {
    Reason.CONCESSION: gettext_lazy("%(name)s stopped both clocks to offer a concession"),
    Reason.BREAK: gettext_lazy("%(name)s stopped both clocks for an authorized break"),
    Reason.DICE: gettext_lazy("%(name)s stopped both clocks to retrieve fallen dice"),
    Reason.CONTEST: gettext_lazy("%(name)s stopped both clocks to contest an action"),
    Reason.DICE_PICKED_UP: gettext_lazy(
        "%(name)s stopped both clocks to move with the clocks stopped: the dice were picked up in error"
    ),
    Reason.SCORE: gettext_lazy("%(name)s stopped both clocks to verify score or cube"),
    Reason.DIRECTOR: gettext_lazy("%(name)s stopped both clocks for the director"),
    Reason.OTHER: gettext_lazy("%(name)s stopped both clocks"),
    Reason.OUTAGE: gettext_lazy(
        "%(name)s stopped both clocks as of the last sign of life before the server went away; nobody is charged"
    ),
}
# Sentences for a reason given after the stop.
EXPLAINED = {
    Reason.CONCESSION: gettext_lazy("%(name)s gave the reason for the stop: to offer a concession"),
    Reason.BREAK: gettext_lazy("%(name)s gave the reason for the stop: an authorised break"),
    Reason.DICE: gettext_lazy("%(name)s gave the reason for the stop: to retrieve fallen dice"),
    Reason.CONTEST: gettext_lazy("%(name)s gave the reason for the stop: to contest an action"),
    Reason.DICE_PICKED_UP: gettext_lazy(
        "%(name)s gave the reason for the stop: "
        "to move with the clocks stopped, the dice having been picked up in error"
    ),
    Reason.SCORE: gettext_lazy("%(name)s gave the reason for the stop: to verify score or cube"),
    Reason.DIRECTOR: gettext_lazy("%(name)s gave the reason for the stop: to call the director"),
}
DECLINED = {
    Fate.WITHDRAWN: gettext_lazy("%(name)s withdrew it"),
    Fate.ENDED: gettext_lazy("%(name)s declined"),
    Fate.STANDING: gettext_lazy("%(name)s declined; the director is called"),
}

WINS = {
    Win.SINGLE: gettext_lazy("%(name)s won a single game, %(points)s"),
    Win.GAMMON: gettext_lazy("%(name)s won a gammon, %(points)s"),
    Win.BACKGAMMON: gettext_lazy("%(name)s won a backgammon, %(points)s"),
    None: gettext_lazy("%(name)s won the game, %(points)s"),  # the points are no single, gammon or backgammon
}
CLAIMS = {
    Win.SINGLE: gettext_lazy("claims a single game"),
    Win.GAMMON: gettext_lazy("claims a gammon"),
    Win.BACKGAMMON: gettext_lazy("claims a backgammon"),
}
CONCESSIONS = {
    Win.SINGLE: gettext_lazy("concedes a single game"),
    Win.GAMMON: gettext_lazy("concedes a gammon"),
    Win.BACKGAMMON: gettext_lazy("concedes a backgammon"),
}


def party_name(names: tuple[str, str], by: Party) -> str:
    """Name of a player or official."""
    if isinstance(by, Seat):
        return names[by.index]
    return _("The director") if by == Official.DIRECTOR else _("The server")


def describe(match: Match, event: e.Event) -> str:
    """Describe the effect of `event` on `match` in one sentence, without a full stop."""
    names = match.setup.names

    name = partial(party_name, names)

    match event:
        case e.Confirmed():
            words = ngettext("%(names)s confirmed the setting", "%(names)s confirmed the setting", len(event.seats))
            return words % {"names": listed(name(seat) for seat in event.seats)}
        case e.ClockHit():
            return _hit(match, event, name(event.seat))
        case e.Doubled():
            return _("%(name)s doubled to %(value)s after %(delay)s") % {
                "name": name(event.seat),
                "value": 2 * match.cube.value,
                "delay": _spent(match, event.at),
            }
        case e.Took():
            return _("%(name)s took after %(delay)s") % {"name": name(event.seat), "delay": _spent(match, event.at)}
        case e.Stopped():
            why = STOPS.get(event.reason, gettext_lazy("%(name)s stopped both clocks to propose something"))
            return str(why) % {"name": name(event.by)}
        case e.StopExplained():
            why = EXPLAINED.get(event.reason, gettext_lazy("%(name)s said why the clocks were stopped"))
            return str(why) % {"name": name(event.by)}
        case e.StopContested():
            return _("%(name)s contests that the dice were picked up; the clocks stay stopped") % {
                "name": name(event.by)
            }
        case e.StoppedAll():
            return _("The director stopped all clocks of the hall")
        case e.Resumed():
            return _resumed(match, event, name(event.turn_of), "" if event.by is None else name(event.by))
        case e.Proposed():
            return _("%(name)s proposed: %(terms)s") % {
                "name": name(event.by),
                "terms": describe_terms(match, event.by, event.terms),
            }
        case e.Agreed():
            words = _("%(name)s agreed") if event.settled else _("%(name)s agreed; the other side’s word is still due")
            return words % {"name": name(event.by)}
        case e.Declined():
            return str(DECLINED[event.left]) % {"name": name(event.by)}
        case e.AgreementWithdrawn():
            return _("%(name)s took back having agreed") % {"name": name(event.by)}
        case e.GameEnded():
            if event.how == HowWon.PASS:
                words = _("%(name)s won the game by a pass, %(points)s")
                return words % {"name": name(event.winner), "points": points(event.points)}
            return _won(match, name(event.winner), event.points)
        case e.MatchEnded():
            if not match.setup.director:
                return _("The players ended the match: %(name)s won") % {"name": name(event.winner)}
            return _("The director ended the match: %(name)s won") % {"name": name(event.winner)}
        case e.Reopened():
            if not match.setup.director:
                return _("The players took back the last end")
            if match.status == Status.OVER:
                return _("The director took back the end of the match")
            return _("The director took back the end of the last game")
        case e.DelayForfeited():
            return _("%(name)s forfeits the delay of the next checker play") % {"name": name(event.seat)}
        case e.ForfeitDropped():
            return _("The forfeit of %(name)s is dropped") % {"name": name(event.seat)}
        case e.HitUndone():
            return (
                _("%(name)s took the last hit back") % {"name": name(event.by)}
                if event.by == Official.DIRECTOR
                else _("The last hit was taken back")
            )
        case e.ScoreSet():
            return _("Score set to %(left)s–%(right)s") % {"left": event.score[0], "right": event.score[1]}
        case e.CubeSet():
            if event.owner is None:
                return _("Cube set to %(value)s, in the middle") % {"value": event.value}
            return _("Cube set to %(value)s, %(owner)s") % {"value": event.value, "owner": name(event.owner)}
        case e.TimeGiven():
            return _("%(name)s’s time changed by %(change)s") % {
                "name": name(event.seat),
                "change": _change(event.by_ms),
            }
        case e.FlagFell():
            return _("%(name)s’s time is up; the rules prescribe: %(consequence)s") % {
                "name": name(event.seat),
                "consequence": _consequence(match, event),
            }
        case e.ExpiryApplied():
            return _("What follows from the flag of %(name)s: %(consequence)s") % {
                "name": name(event.seat),
                "consequence": _consequence(match, event),
            }
        case e.DirectorCalled():
            return _("%(name)s called the director") % {"name": name(event.by)}
        case e.CallAnswered():
            return _("The director is coming")
        case e.SeatTaken():
            seats = listed(name(seat) for seat in event.seats)
            if event.lent:
                return _("A phone took the seat of %(seats)s, on loan from %(lent)s’s phone") % {
                    "seats": seats,
                    "lent": listed(name(seat) for seat in event.lent),
                }
            return _("A phone took the seat of %(seats)s") % {"seats": seats}
        case e.HandedOver():
            return handed_over(event)
        case e.SeatReleased():
            return _("The director released the seat of %(name)s from its phone") % {"name": name(event.seat)}
        case e.SeatGranted():
            if not match.setup.director:
                return _("The players let the phone in %(name)s’s seat do everything") % {"name": name(event.seat)}
            return _("The director let the phone in %(name)s’s seat do everything") % {"name": name(event.seat)}
        case e.Moved():
            return _("The director moved the match from table %(before)s to table %(after)s") % {
                "before": event.before,
                "after": event.after,
            }
        case e.CodeReplaced():
            return _("The director gave the table a new code: %(after)s instead of %(before)s") % {
                "after": event.after,
                "before": event.before,
            }
        case e.NamesCorrected():
            new = [seat for seat in Seat if names[seat.index] != event.names[seat.index]] or list(Seat)
            return _("The director corrected who plays: %(after)s, not %(before)s") % {
                "before": listed(name(seat) for seat in new),
                "after": listed(event.names[seat.index] for seat in new),
            }
        case e.NamesRemoved():
            return _("Names and notes were removed from this record; everything else is as it was")
    return event.name.replace("_", " ")


def _won(match: Match, name: str, count: int) -> str:
    """Result of a game that did not end by a pass."""
    return str(WINS[Win.scoring(count, match.cube.value)]) % {"name": name, "points": points(count)}


def describe_terms(match: Match, by: Party, terms: p.Terms) -> str:
    """Describe a proposal's terms."""
    names = match.setup.names

    def name(seat: Seat) -> str:
        return names[seat.index]

    match terms:
        case p.GameResult():
            return _won(match, name(terms.winner), terms.points)
        case p.Offer():
            said = CLAIMS if terms.winner == by else CONCESSIONS
            return str(said[terms.outcome])
        case p.DicePenalty():
            return _("%(name)s took the dice too soon") % {"name": name(terms.against)}
        case p.DropForfeit():
            return _("drop the forfeit of %(name)s") % {"name": name(terms.seat)}
        case p.UndoHit():
            return _("take back the last hit")
        case p.SetScore():
            return _("score %(left)s–%(right)s") % {"left": terms.score[0], "right": terms.score[1]}
        case p.SetCube():
            if terms.owner is None:
                return _("cube %(value)s, in the middle") % {"value": terms.value}
            return _("cube %(value)s, %(owner)s") % {"value": terms.value, "owner": name(terms.owner)}
        case p.GiveTime():
            return _("%(name)s’s time %(change)s") % {"name": name(terms.seat), "change": _change(terms.by_ms)}
        case p.EndMatch():
            return _("%(name)s wins the match") % {"name": name(terms.winner)}
        case p.Reopen():
            return _("take back the end of the match or of the last game")
        case p.ResumePlay():
            words = (
                _("resume with %(name)s’s turn and a full delay")
                if terms.fresh_delay
                else _("resume with %(name)s’s turn")
            )
            return words % {"name": name(terms.turn_of)}
        case p.Expiry():
            return _("the flag of %(name)s") % {"name": name(terms.seat)}


def _resumed(match: Match, event: e.Resumed, name: str, by: str) -> str:
    if event.swap is Swap.NEW:
        return _("%(by)s resumed with %(name)s’s turn, which begins with a full delay") % {"by": by, "name": name}
    if event.swap is Swap.BACK:
        return _("%(by)s resumed with %(name)s’s turn, which goes on as it was") % {"by": by, "name": name}
    fresh = event.fresh or event.turn_of is not match.turn
    words = _("%(name)s’s clock went on with a full delay") if fresh else _("%(name)s’s clock went on")
    return words % {"name": name}


def handed_over(event: e.HandedOver, heard_until: int | None = None) -> str:
    """Describe a hand-over, and how long the phone was silent before it.

    `heard_until` is when the server last heard from the phone; None in older journals.
    """
    was_online = heard_until is not None and heard_until >= event.heard_at
    silent_ms = 0 if heard_until is None else event.heard_at - heard_until
    values = {
        "kept": event.kept,
        "taken": event.taken,
        "time": seconds(silent_ms),
        "reason": _(REFUSALS[event.code]) if event.code else "",
    }
    if was_online and not event.code:
        words = _(
            "The phone between the players was online when it handed over what was played on it; "
            "all of it counts from its arrival"
        )
    elif was_online:
        words = _(
            "The phone between the players was online when it handed over what was played on it; "
            "%(taken)s of %(kept)s steps count, from their arrival: %(reason)s"
        )
    elif silent_ms and not event.code:
        words = _(
            "The phone between the players did not answer for %(time)s and kept the clocks by itself; "
            "everything played on it was accepted"
        )
    elif silent_ms:
        words = _(
            "The phone between the players did not answer for %(time)s and kept the clocks by itself; "
            "%(taken)s of %(kept)s steps were accepted: %(reason)s"
        )
    elif not event.code:
        words = _(
            "The phone between the players had no network and went on by itself; all that was played on it was taken"
        )
    else:
        words = _(
            "The phone between the players had no network and went on by itself; "
            "%(taken)s of %(kept)s steps were taken: %(reason)s"
        )
    return words % values


def _hit(match: Match, event: e.ClockHit, name: str) -> str:
    if match.turn is None:
        return _("%(name)s started %(other)s’s clock") % {
            "name": name,
            "other": match.setup.names[event.seat.other.index],
        }
    return _("%(name)s hit after %(delay)s") % {"name": name, "delay": _spent(match, event.at)}


def _spent(match: Match, at: int) -> str:
    """Duration of the turn that ends at `at`."""
    return seconds(match.clock.used(at))


def listed(names: Iterable[str]) -> str:
    """Join up to two names; "" for none."""
    both = list(names)
    return _("%(first)s and %(second)s") % {"first": both[0], "second": both[1]} if len(both) > 1 else "".join(both)


def _change(ms: int) -> str:
    """Signed change of a time: +1:30."""
    return ("+" if ms > 0 else "") + clock(ms)


def _consequence(match: Match, event: e.FlagFell | e.ExpiryApplied) -> str:
    consequence = event.consequence
    left, right = (clock(ms) for ms in consequence.reserve_ms)
    frozen = consequence.cube_frozen and not match.cube.frozen
    words = {
        ConsequenceKind.LOSE_MATCH: _("%(opponent)s wins the match"),
        ConsequenceKind.PENALTY: _("%(points)s to %(opponent)s, clocks %(left)s and %(right)s, cube frozen")
        if frozen
        else _("%(points)s to %(opponent)s, clocks %(left)s and %(right)s"),
        ConsequenceKind.GRACE: _("one grace, clocks %(left)s and %(right)s"),
        ConsequenceKind.NEXT_CONTROL: _("the second control, clocks %(left)s and %(right)s"),
        ConsequenceKind.OVERTIME: _("overtime and a warning, clocks %(left)s and %(right)s"),
    }[consequence.kind]
    opponent = match.setup.names[event.seat.other.index]
    return words % {"points": points(consequence.points), "opponent": opponent, "left": left, "right": right}
