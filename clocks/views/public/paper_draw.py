"""Matches that players enter themselves at a free table."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from clocks.engine.refusals import Refused, Why
from clocks.seats import devices
from clocks.tournament import casual_limit, paper_draw
from clocks.views.errors import WayOn, problem
from clocks.views.forms.matches import PlayersMatch
from clocks.views.public.table import find, table_page
from clocks.wording.language import said


def enter(request: HttpRequest, code: str) -> HttpResponse:
    """Create the match that two players entered, and redirect to its seats. POST only."""
    table, board = find(request, code)
    back = WayOn(_("Back to the table"), reverse("table", args=[table.code]))
    if request.method != "POST":
        return redirect("table", code=table.code)
    round_ = paper_draw.round_open(table.tournament)
    if round_ is None:
        words = _("In this tournament the director decides who plays at which table.")
        return problem(request, 409, _("No match was entered"), words, back)
    if not paper_draw.is_free(table):
        words = _("A match is played here, or is drawn for this table. Look for a free one, or ask the director.")
        return problem(request, 409, _("This table is taken"), words, back)
    form = PlayersMatch(round_, request.POST)
    if not form.is_valid():
        return table_page(request, table, board, form)
    known = devices.find_device(request.COOKIES)
    phone = known.pk if known else None
    refusal = casual_limit.refusal(phone, request.META["REMOTE_ADDR"], table.tournament_id)
    if refusal:
        return problem(request, 429, _("Too many new matches"), said(refusal), back)
    device, token = devices.join_device(request.COOKIES)
    try:
        paper_draw.enter(table, form.setup, device)
    except Refused as refused:
        form.add_error(None, said(refused.words))
        if refused.code == Why.STALE:
            return problem(request, 409, _("No match was entered"), said(refused.words), back)
        return table_page(request, table, board, form)
    response = redirect("table", code=table.code)
    devices.remember_device(request, response, token)
    return response
