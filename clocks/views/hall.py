"""The whole hall on one page: stop all, resume all, messages to the phones, and the book of who did what and why.

Each part is a form that also stands in a dialog of the console.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe

from clocks import hall, hallbook
from clocks.hall_forms import NewMessage, StopAll
from clocks.models import Tournament
from clocks.roles import Action
from clocks.timebase import now_ms
from clocks.views import access
from clocks.views.people import signed_in
from clocks.views.rounds import page


@require_safe
@access.to(Action.HALL)
def whole_hall(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what can be done, what is said to the phones now, and the book."""
    return _page(request, tournament, NewMessage(tournament), StopAll())


@require_POST
@access.to(Action.HALL)
def stop_all(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Stop every running clock."""
    form = StopAll(request.POST)
    if not form.is_valid():
        return _page(request, tournament, NewMessage(tournament), form)
    number = hall.stop_all(tournament, signed_in(request), form.why)
    stopped = f"{number} clock{'' if number == 1 else 's'} stopped" if number else "No clock was running"
    messages.success(request, f"{stopped}: {form.why}. Nobody is charged.")
    return redirect("console", tournament.slug)


@require_POST
@access.to(Action.HALL)
def resume_all(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Let those clocks go on that were stopped together."""
    resumed = hall.resume_all(tournament, signed_in(request))
    go_on = "1 clock goes on" if resumed.number == 1 else f"{resumed.number} clocks go on"
    messages.success(request, f"{go_on}. Nobody was charged for the pause.")
    for words in resumed.left:
        messages.warning(request, f"Still stopped. {words}")
    return redirect("console", tournament.slug)


@require_POST
@access.to(Action.HALL)
def send(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Tell the phones something."""
    form = NewMessage(tournament, request.POST)
    if not form.is_valid():
        return _page(request, tournament, form, StopAll())
    given = form.cleaned_data
    hall.send(tournament, signed_in(request), given["text"], form.at, int(given["minutes"]))
    names = ", ".join(table.name for table in form.at)
    to = f"table{'' if len(form.at) == 1 else 's'} {names}" if names else "all tables"
    messages.success(request, f"The phones at {to} show: “{given['text']}”")
    return redirect("console", tournament.slug)


@require_POST
@access.to(Action.HALL)
def withdraw(request: HttpRequest, tournament: Tournament, message_id: int) -> HttpResponse:
    """Let a message vanish from the phones."""
    hall.withdraw(get_object_or_404(tournament.phone_messages, pk=message_id), signed_in(request))
    messages.success(request, "The message is withdrawn.")
    return redirect("whole-hall", tournament.slug)


def _page(request: HttpRequest, tournament: Tournament, message: NewMessage, stop: StopAll) -> HttpResponse:
    shown = tournament.phone_messages.filter(until__gt=now_ms(), withdrawn_at=None).order_by("-pk")
    return page(
        request,
        tournament,
        "hall",
        message if message.is_bound else stop,
        here="hall",
        message_form=message,
        stop_form=stop,
        stops=hallbook.stops_in_force(tournament),
        shown=shown.select_related("sent_by").prefetch_related("tables"),
        book=list(hallbook.lines(tournament)),
    )
