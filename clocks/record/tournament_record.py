"""Human-readable log of a tournament and its people."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clocks.journal import tournament_events as e
from clocks.journal.names import called
from clocks.models import InstallationEntry, Tournament
from clocks.wording.language import said


class LogLine(NamedTuple):
    """A log entry in words."""

    when: datetime
    who: str
    what: str
    why: str


def lines(tournament: Tournament) -> Iterator[LogLine]:
    """Yield the log, newest first. Entries about a named round also give its name."""
    names = dict(tournament.rounds.exclude(name="").values_list("number", "name"))
    for entry in tournament.hall_entries.select_related("user").order_by("-pk"):
        when = datetime.fromtimestamp(entry.at / 1000, UTC)
        event = e.parse(entry.event, entry.data)
        what = sentence(event) if event else entry.event.replace("_", " ")
        named = names.get(entry.data.get("round"))
        yield LogLine(
            when,
            entry.user_name or (called(entry.user) if entry.user else _without_user(event)),
            f"{what} · {named}" if named else what,
            said(entry.data.get("reason", "")),
        )


def _without_user(event: e.LogEvent | None) -> str:
    """Actor of an entry without a user."""
    return _("The players") if isinstance(event, e.MatchEntered) else _("The server")


def deleted_tournaments() -> Iterator[LogLine]:
    """Yield the installation's log of deleted tournaments, newest first."""
    for entry in InstallationEntry.objects.order_by("-pk"):
        what = ngettext(
            "deleted %(name)s with %(number)s match", "deleted %(name)s with %(number)s matches", entry.data["matches"]
        )
        words = what % {"name": entry.data["name"], "number": entry.data["matches"]}
        yield LogLine(datetime.fromtimestamp(entry.at / 1000, UTC), entry.user_name, words, "")


_STATIC = {
    e.StoppedAll: gettext_noop("Stopped all clocks"),
    e.ResumedAll: gettext_noop("Resumed all stopped clocks"),
    e.PlayersListed: gettext_noop("Imported a list of players"),
    e.EntryOpened: gettext_noop("Let players enter by phone"),
    e.EntryClosed: gettext_noop("No longer lets players enter by phone"),
    e.NamesRemoved: gettext_noop("Removed all names and notes"),
    e.TournamentMade: gettext_noop("Created the tournament"),
    e.Archived: gettext_noop("Put the tournament in the archive"),
    e.BroughtBack: gettext_noop("Brought the tournament back from the archive"),
    e.FeedOpened: gettext_noop("Opened the feed to everybody"),
    e.FeedClosed: gettext_noop("Limited the feed to programs with a token"),
}


def sentence(event: e.LogEvent) -> str:
    """Describe an event in the active language."""
    match event:
        case e.MessageSent(text=text, tables=tables, minutes=minutes):
            to = _("tables %(tables)s") % {"tables": ", ".join(tables)} if tables else _("all tables")
            words = _("Message to %(to)s, for %(minutes)s min: “%(text)s”")
            return words % {"to": to, "minutes": minutes, "text": text}
        case e.MessageWithdrawn(text=text):
            return _("Withdrew the message “%(text)s”") % {"text": text}
        case e.CodeReplaced(table=table, after=code):
            return _("Gave table %(table)s the new code %(code)s") % {"table": table, "code": code}
        case e.RoundMade(round=number):
            return _("Created round %(number)s") % {"number": number}
        case e.RoundStarted(round=number, matches=matches):
            words = ngettext(
                "Started %(matches)s match of round %(number)s",
                "Started %(matches)s matches of round %(number)s",
                matches,
            )
            return words % {"number": number, "matches": matches}
        case e.RoundDrawn(round=number, made=made, kept=kept, gone=gone):
            words = _("Drew round %(number)s (new matches: %(made)s, unchanged: %(kept)s, taken back: %(gone)s)")
            return words % {"number": number, "made": made, "kept": kept, "gone": gone}
        case e.DrawImported(round=number):
            return _("Imported the draw of round %(number)s") % {"number": number}
        case e.MatchAdded(match=played, table=table, round=number):
            words = _("Drew %(match)s at table %(table)s in round %(number)s")
            return words % {"match": played, "table": table, "number": number}
        case e.MatchEntered(match=played, table=table, round=number):
            words = _("Entered %(match)s at table %(table)s in round %(number)s")
            return words % {"match": played, "table": table, "number": number}
        case e.MatchStruckOut(match=played, table=table):
            words = _("Struck out %(match)s at table %(table)s, which the players had entered")
            return words % {"match": played, "table": table}
        case e.MatchMoved(match=played, before=before, after=after):
            words = _("Moved %(match)s from table %(before)s to table %(after)s")
            return words % {"match": played, "before": before, "after": after}
        case e.ResultEntered(match=played, after=result):
            words = _("Entered the result of %(match)s: “%(after)s”")
            return words % {"match": played, "after": _result(result)}
        case e.ResultCorrected(match=played, before=was, after=result):
            words = _("Corrected the result of %(match)s: it was “%(before)s” and is “%(after)s”")
            return words % {"match": played, "after": _result(result), "before": _result(was)}
        case e.ResultWithdrawn(match=played, before=was):
            words = _("Took back the result of %(match)s, which was “%(before)s”")
            return words % {"match": played, "before": _result(was)}
        case e.PlayerRenamed(was=before, player=name):
            return _("Changed the name of %(was)s to %(name)s") % {"was": before, "name": name}
        case e.PlayerJoined(was=before, player=name):
            return _("Merged %(was)s and %(name)s into one player") % {"was": before, "name": name}
        case e.PlaceTaken(was=before, player=name):
            return _("Gave the place of %(was)s in the draw to %(name)s") % {"was": before, "name": name}
        case e.PlayerAdmitted(player=name):
            return _("Admitted %(name)s, who had entered by phone") % {"name": name}
        case e.PlayerDeclined(player=name):
            return _("Declined %(name)s, who had entered by phone") % {"name": name}
        case e.NamesCorrected(was=before, player=after):
            return _("Corrected who played: %(after)s, not %(before)s") % {"before": before, "after": after}
    return _of_people(event)


def _of_people(event: e.LogEvent) -> str:
    match event:
        case e.Invited(role=role, until=until):
            words = _("Created an invitation as %(role)s, valid until %(until)s UTC")
            return words % {"role": said(role), "until": until}
        case e.InviteRevoked(role=role):
            return _("Revoked an invitation as %(role)s") % {"role": said(role)}
        case e.Joined(role=role, by=by):
            return _("Joined as %(role)s, invited by %(by)s") % {"role": said(role), "by": by}
        case e.RoleChanged(of=name, before=before, after=after):
            words = _("Changed %(name)s’s role to %(after)s (was %(before)s)")
            return words % {"name": name, "after": said(after), "before": said(before)}
        case e.Removed(of=name, role=role):
            return _("Removed %(name)s (%(role)s)") % {"name": name, "role": said(role)}
        case e.TokenMade(token=name, role=role, until=""):
            words = _("Created a token for the program %(name)s as %(role)s, valid until it is revoked")
            return words % {"name": name, "role": said(role)}
        case e.TokenMade(token=name, role=role, until=until):
            words = _("Created a token for the program %(name)s as %(role)s, valid until %(until)s UTC")
            return words % {"name": name, "role": said(role), "until": until}
        case e.TokenRevoked(token=name):
            return _("Revoked the token of the program %(name)s") % {"name": name}
        case e.WebhookMade(address=address):
            return _("Started sending events to %(address)s") % {"address": address}
        case e.WebhookRemoved(address=address):
            return _("Stopped sending events to %(address)s") % {"address": address}
    return _(_STATIC[type(event)])


def _result(result: e.LoggedResult) -> str:
    """Winner, with the score if known."""
    if result["score"] is None:
        return _("%(name)s won") % {"name": result["winner"]}
    left, right = result["score"]
    return _("%(name)s won, %(left)s–%(right)s") % {"name": result["winner"], "left": left, "right": right}
