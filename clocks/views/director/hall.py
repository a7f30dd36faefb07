"""Actions on the whole hall (stop, resume, messages), and the tournament's log.

The same forms appear in dialogs of the console.
"""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from clocks.engine.refusals import Refused
from clocks.host.server_time import now_ms
from clocks.journal import tournament_log
from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.record import tournament_record
from clocks.tournament import hall
from clocks.tournament import messages as tournament_messages
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.errors import WayOn, problem
from clocks.views.forms.hall import NewMessage, StopAll, WholeHall
from clocks.views.page import page
from clocks.wording.language import said


@require_safe
@access.to(Action.HALL)
def whole_hall(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the actions, the current messages and the log."""
    return _page(request, tournament, NewMessage(tournament), _stop_form(request, tournament))


@require_POST
@access.to(Action.HALL)
def stop_all(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Stop every running clock; on request, in all tournaments of the hall."""
    form = _stop_form(request, tournament, request.POST)
    if not form.is_valid():
        return _page(request, tournament, NewMessage(tournament), form)
    numbers: list[int] = []
    meant = form.meant()
    try:
        for one in meant:
            numbers.append(hall.stop_all(one, signed_in(request), form.why))
    except (Refused, TimeoutError) as failure:
        return _interrupted(request, tournament, meant, len(numbers), failure)
    number = sum(numbers)
    stopped = ngettext(
        "%(number)s clock stopped: %(why)s. Nobody is charged.",
        "%(number)s clocks stopped: %(why)s. Nobody is charged.",
        number,
    )
    words = stopped if number else _("No clock was running: %(why)s. Nobody is charged.")
    messages.success(request, words % {"number": number, "why": said(form.why)})
    return redirect("console", tournament.slug)


@require_POST
@access.to(Action.HALL)
def resume_all(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Resume clocks stopped with the hall; on request, in all its tournaments."""
    form = WholeHall(tournament, access.others_in_the_hall(request, tournament), request.POST)
    form.full_clean()
    meant = [one for one in form.meant() if one == tournament or tournament_log.stops_in_force(one)]
    done: list[hall.Resumed] = []
    try:
        for one in meant:
            done.append(hall.resume_all(one, signed_in(request)))
    except (Refused, TimeoutError) as failure:
        return _interrupted(request, tournament, meant, len(done), failure)
    number, left = sum(one.number for one in done), [words for one in done for words in one.left]
    go_on = ngettext(
        "%(number)s clock has been resumed. Nobody was charged for the pause.",
        "%(number)s clocks have been resumed. Nobody was charged for the pause.",
        number,
    )
    messages.success(request, go_on % {"number": number})
    for words in left:
        messages.warning(request, _("Still stopped. %(words)s") % {"words": words})
    return redirect("console", tournament.slug)


@require_POST
@access.to(Action.HALL)
def send(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Send a message to the phones."""
    form = NewMessage(tournament, request.POST)
    if not form.is_valid():
        return _page(request, tournament, form, _stop_form(request, tournament))
    given = form.cleaned_data
    tournament_messages.send(tournament, signed_in(request), given["text"], form.at, int(given["minutes"]))
    names = ", ".join(table.name for table in form.at)
    some = ngettext(
        "The phones at table %(tables)s show: “%(text)s”",
        "The phones at tables %(tables)s show: “%(text)s”",
        len(form.at),
    )
    words = some if names else _("The phones at all tables show: “%(text)s”")
    messages.success(request, words % {"tables": names, "text": given["text"]})
    return redirect("console", tournament.slug)


@require_POST
@access.to(Action.HALL)
def withdraw(request: HttpRequest, tournament: Tournament, message_id: int) -> HttpResponse:
    """Withdraw a message from the phones."""
    tournament_messages.withdraw(get_object_or_404(tournament.phone_messages, pk=message_id), signed_in(request))
    messages.success(request, _("The message has been withdrawn."))
    return redirect("whole-hall", tournament.slug)


def _stop_form(request: HttpRequest, tournament: Tournament, data: QueryDict | None = None) -> StopAll:
    return StopAll(tournament, access.others_in_the_hall(request, tournament), data)


def _interrupted(
    request: HttpRequest,
    tournament: Tournament,
    meant: Sequence[Tournament],
    done: int,
    failure: Refused | TimeoutError,
) -> HttpResponse:
    """Report an interrupted stop or resume: where it is done, not tried, or unknown."""
    if isinstance(failure, Refused):
        words = [said(failure.words)]
    else:
        busy = _(
            "The server is too busy to answer, and may still do it in %(tournament)s. Look at the clocks there before "
            "you try again."
        )
        words = [busy % {"tournament": meant[done].name}]
    if meant[:done]:
        words.append(_("It is done in %(tournaments)s.") % {"tournaments": _names(meant[:done])})
    if meant[done + 1 :]:
        words.append(_("It was not tried in %(tournaments)s.") % {"tournaments": _names(meant[done + 1 :])})
    back = WayOn(_("Director’s page"), reverse("console", args=[tournament.slug]))
    return problem(request, 503, _("That did not work"), " ".join(words), back)


def _names(tournaments: Sequence[Tournament]) -> str:
    return ", ".join(one.name for one in tournaments)


def _page(request: HttpRequest, tournament: Tournament, message: NewMessage, stop: StopAll) -> HttpResponse:
    shown = tournament.phone_messages.filter(until__gt=now_ms(), withdrawn_at=None).order_by("-pk")
    said_now = [
        (message, [table.name for table in message.tables.all()])
        for message in shown.select_related("sent_by").prefetch_related("tables")
    ]
    return page(
        request,
        tournament,
        "whole-hall",
        message if message.is_bound else stop,
        here="hall",
        message_form=message,
        stop_form=stop,
        resume_form=WholeHall(tournament, stop.others, auto_id="resume_%s"),
        stops=tournament_log.stops_in_force(tournament),
        shown=said_now,
        log=list(tournament_record.lines(tournament)),
    )
