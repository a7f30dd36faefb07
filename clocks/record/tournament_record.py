"""Human-readable log of what was done to a tournament and its people."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clocks.journal.names import called
from clocks.models import InstallationEntry, Tournament
from clocks.wording.language import said


class LogEntry(NamedTuple):
    """A log entry in words."""

    when: datetime
    who: str
    what: str
    why: str


def lines(tournament: Tournament) -> Iterator[LogEntry]:
    """Yield the log, newest first."""
    for entry in tournament.hall_entries.select_related("user").order_by("-pk"):
        when = datetime.fromtimestamp(entry.at / 1000, UTC)
        yield LogEntry(
            when,
            entry.user_name or (called(entry.user) if entry.user else _without_user(entry.event)),
            _described(entry.event, entry.data),
            said(entry.data.get("reason", "")),
        )


def _without_user(event: str) -> str:
    """Actor of an entry without a user."""
    return _("The players") if event == "match_entered" else _("The server")


def deleted_tournaments() -> Iterator[LogEntry]:
    """Yield the installation's log of deleted tournaments, newest first."""
    for entry in InstallationEntry.objects.order_by("-pk"):
        what = ngettext(
            "deleted %(name)s with %(number)s match", "deleted %(name)s with %(number)s matches", entry.data["matches"]
        )
        words = what % {"name": entry.data["name"], "number": entry.data["matches"]}
        yield LogEntry(datetime.fromtimestamp(entry.at / 1000, UTC), entry.user_name, words, "")


def _described(event: str, data: dict[str, Any]) -> str:
    match event:
        case "stopped_all":
            return _("Stopped all clocks")
        case "resumed_all":
            return _("Resumed all stopped clocks")
        case "message_sent":
            to = _("tables %(tables)s") % {"tables": ", ".join(data["tables"])} if data["tables"] else _("all tables")
            return _("Message to %(to)s, for %(minutes)s min: “%(text)s”") % {
                "to": to,
                "minutes": data["minutes"],
                "text": data["text"],
            }
        case "message_withdrawn":
            return _("Withdrew the message “%(text)s”") % {"text": data["text"]}
        case "code_replaced":
            return _("Gave table %(table)s the new code %(code)s") % {"table": data["table"], "code": data["after"]}
        case "result_corrected":
            return _("Corrected the result of %(match)s: it was “%(before)s” and is “%(after)s”") % {
                "match": data["match"],
                "after": _result(data["after"]),
                "before": _result(data["before"]),
            }
        case "result_withdrawn":
            return _("Took back the result of %(match)s, which was “%(before)s”") % {
                "match": data["match"],
                "before": _result(data["before"]),
            }
        case "player_renamed":
            return _("Changed the name of %(was)s to %(name)s") % {"was": data["was"], "name": data["player"]}
        case "player_joined":
            return _("Merged %(was)s and %(name)s into one player") % {"was": data["was"], "name": data["player"]}
        case "names_corrected":
            return _("Corrected who played: %(after)s, not %(before)s") % {
                "before": data["was"],
                "after": data["player"],
            }
        case "result_entered":
            return _("Entered the result of %(match)s: “%(after)s”") % {
                "match": data["match"],
                "after": _result(data["after"]),
            }
        case "round_made":
            return _("Created round %(number)s") % {"number": data["round"]}
        case "round_started":
            words = ngettext(
                "Started %(matches)s match of round %(number)s",
                "Started %(matches)s matches of round %(number)s",
                data["matches"],
            )
            return words % {"number": data["round"], "matches": data["matches"]}
        case "round_drawn":
            words = _("Drew round %(number)s (new matches: %(made)s, unchanged: %(kept)s, taken back: %(gone)s)")
            return words % {"number": data["round"], **data}
        case "draw_imported":
            return _("Imported the draw of round %(number)s") % {"number": data["round"]}
        case "players_listed":
            return _("Imported a list of players")
        case "match_added":
            words = _("Drew %(match)s at table %(table)s in round %(number)s")
            return words % {"match": data["match"], "table": data["table"], "number": data["round"]}
        case "match_entered":
            words = _("Entered %(match)s at table %(table)s in round %(number)s, on phone %(phone)s")
            return words % {"number": data["round"], **data}
        case "match_struck_out":
            return _("Struck out %(match)s at table %(table)s, which the players had entered") % data
        case "match_moved":
            words = _("Moved %(match)s from table %(before)s to table %(after)s")
            return words % {"match": data["match"], "before": data["before"], "after": data["after"]}
        case "tournament_made":
            return _("Created the tournament")
        case "invited":
            return _("Created an invitation as %(role)s, valid until %(until)s UTC") % {
                "role": said(data["role"]),
                "until": data["until"],
            }
        case "invite_revoked":
            return _("Revoked an invitation as %(role)s") % {"role": said(data["role"])}
        case "joined":
            return _("Joined as %(role)s, invited by %(by)s") % {"role": said(data["role"]), "by": data["by"]}
        case "role_changed":
            return _("Changed %(name)s’s role to %(after)s (was %(before)s)") % {
                "name": data["of"],
                "after": said(data["after"]),
                "before": said(data["before"]),
            }
        case "removed":
            return _("Removed %(name)s (%(role)s)") % {"name": data["of"], "role": said(data["role"])}
        case "token_made" if data["until"]:
            return _("Created a token for the program %(name)s as %(role)s, valid until %(until)s UTC") % {
                "name": data["token"],
                "role": said(data["role"]),
                "until": data["until"],
            }
        case "token_made":
            return _("Created a token for the program %(name)s as %(role)s, valid until it is revoked") % {
                "name": data["token"],
                "role": said(data["role"]),
            }
        case "webhook_made":
            return _("Started sending events to %(address)s") % {"address": data["address"]}
        case "webhook_removed":
            return _("Stopped sending events to %(address)s") % {"address": data["address"]}
        case "feed_opened":
            return _("Opened the feed to everybody")
        case "feed_closed":
            return _("Limited the feed to programs with a token")
        case "token_revoked":
            return _("Revoked the token of the program %(name)s") % {"name": data["token"]}
        case "archived":
            return _("Put the tournament in the archive")
        case "brought_back":
            return _("Brought the tournament back from the archive")
        case "names_removed":
            return _("Removed all names and notes")
    return event.replace("_", " ")


def _result(data: dict[str, Any]) -> str:
    """Winner, with the score if known."""
    if data["score"] is None:
        return _("%(name)s won") % {"name": data["winner"]}
    left, right = data["score"]
    return _("%(name)s won, %(left)s–%(right)s") % {"name": data["winner"], "left": left, "right": right}
