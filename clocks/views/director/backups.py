"""List the server's backups, or take one now; for owners."""

from pathlib import Path
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clocks.backups import at_once, last, traces
from clocks.backups.folder import made_at, own_folder
from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.views import access
from clocks.views.page import FORM, page

MOST = 50  # backups shown


class Line(NamedTuple):
    """A backup: file, time, size, and whether it contains names removed since."""

    path: Path
    at: object
    bytes: int
    has_removed: bool


@require_http_methods(FORM)
@access.to(Action.FORGET)
def backups(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the newest backups, at most MOST; a POST starts another one."""
    if request.method == "POST":
        if at_once.begin():
            messages.success(request, _("A backup is being taken. It counts once it has been checked."))
        else:
            messages.warning(request, _("A backup is being taken already."))
        return redirect("backups", tournament.slug)
    state = last.state()
    overdue = state.overdue_at is not None and timezone.now() > state.overdue_at
    more: dict[str, Any] = {
        "state": state,
        "overdue": overdue,
        "running": at_once.running(),
        "failed": at_once.failed(),
    }
    return page(request, tournament, "backups", lines=_lines(), folder=own_folder(), most=MOST, **more)


def _lines() -> list[Line]:
    found = []
    for backup in sorted(traces.known_backups(), key=lambda each: each.path.name, reverse=True)[:MOST]:
        at = made_at(backup.path)
        try:
            size = backup.path.stat().st_size
        except OSError:  # removed meanwhile, or the USB stick is unplugged
            continue
        found.append(Line(backup.path, at, size, backup.has_removed))
    return found
