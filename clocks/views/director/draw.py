"""Import of a draw: preview the effect of each line, then store exactly that."""

import json
from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from clocks.engine.refusals import Refused, Why
from clocks.interchange import exports, tournament_files
from clocks.models import Round, Tournament
from clocks.people.roles import Action
from clocks.tournament import draw, draw_plan, drawing
from clocks.tournament.players import MOST_COMPARED, Players, names_of
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.forms.draw import DrawForm
from clocks.views.page import find, page
from clocks.wording.language import said

COUNTED = (
    (draw_plan.Act.START, ngettext_lazy("%(number)s is ready to play", "%(number)s are ready to play", "number")),
    (
        draw_plan.Act.WAIT,
        ngettext_lazy("%(number)s is waiting for its table", "%(number)s are waiting for their tables", "number"),
    ),
    (
        draw_plan.Act.ASK,
        ngettext_lazy("%(number)s has a clock on request", "%(number)s have a clock on request", "number"),
    ),
    (draw_plan.Act.KEEP, ngettext_lazy("%(number)s is already drawn", "%(number)s are already drawn", "number")),
    (draw_plan.Act.BYE, ngettext_lazy("%(number)s is a bye", "%(number)s are byes", "number")),
)


@require_http_methods(["GET", "HEAD", "POST"])
@access.to(Action.ARRANGE)
def import_draw(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the form; a POST previews the draw.

    With the preview's `plan`, a POST imports the draw if the outcome is still the same.
    """
    round_ = find(tournament, number)
    if request.method != "POST":
        return page(request, tournament, "draw", DrawForm(), round=round_)
    form = DrawForm(request.POST, request.FILES)
    if not form.is_valid():
        return page(request, tournament, "draw", form, round=round_)
    give_way = form.cleaned_data["give_way"]
    players, meant = Players(tournament), form.meant
    try:
        text, notes = _as_lines(form.text, round_)
    except Refused as refused:
        form.add_error(None, said(refused.words))
        return page(request, tournament, "draw", form, round=round_)
    sheet = draw.parse(text, round_, players.spelling_with(meant))
    sheet = sheet._replace(notes=(*notes, *sheet.notes))
    if "plan" in request.POST and sheet.valid:
        try:
            return _import(request, round_, sheet, give_way)
        except Refused as refused:
            if refused.code != Why.STALE:
                raise
            words = _("The tables have changed since the preview. Check it again, then import.")
            messages.warning(request, words)
    return preview(request, round_, text, sheet, give_way, meant)


def _as_lines(text: str, round_: Round) -> tuple[str, list[str]]:
    """Draw as lines of text, with notes on what was ignored in another program's file."""
    if not tournament_files.is_tournament_file(text):
        return text, []
    given = tournament_files.draw_of(text, round_.number)
    words = ngettext(
        "The file also has %(names)s, which is not used.",
        "The file also has %(names)s, which are not used.",
        len(given.ignored),
    )
    return given.text, [words % {"names": ", ".join(given.ignored)}] if given.ignored else []


def _import(request: HttpRequest, round_: Round, sheet: draw.Sheet, give_way: bool) -> HttpResponse:
    """Import the draw as previewed.

    Raises Refused(Why.STALE) if the outcome would differ.
    """
    preview = request.POST["plan"]
    made = drawing.import_lines(round_, sheet.lines, preview, signed_in(request), give_way=give_way)
    words = ngettext("%(number)s match of %(round)s drawn.", "%(number)s matches of %(round)s drawn.", made)
    messages.success(request, words % {"number": made, "round": round_})
    return redirect("round", round_.tournament.slug, round_.number)


def preview(
    request: HttpRequest,
    round_: Round,
    text: str,
    sheet: draw.Sheet,
    give_way: bool,
    meant: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """Show the effect of each line, with the text to edit and an import button.

    `meant` are spellings that the director assigned to players: (as written, as meant).
    """
    tables = draw_plan.Tables(round_, give_way, user=signed_in(request))
    planned = tables.plan(sheet.lines)
    bad = [each for each in planned if each.act == draw_plan.Act.BAD]
    makes, stores = sum(each.makes for each in planned), any(each.stores for each in planned)
    counts = [(sum(each.act == act for each in planned), words) for act, words in COUNTED]
    strangers = _strangers(round_, sheet)
    return page(
        request,
        round_.tournament,
        "draw-preview",
        round=round_,
        text=text,
        give_way=give_way,
        faults=sheet.faults,
        notes=sheet.notes,
        strangers=strangers,
        suggested=[nearest[0][1] for _name, nearest in strangers if nearest],
        meant=[(json.dumps(pair), *pair) for pair in meant],
        planned=planned,
        shared=tables.beside.shared(each.line.table for each in planned if each.makes),
        bad=bad,
        makes=makes,
        counts=[words % {"number": count} for count, words in counts if count],
        plan="" if sheet.faults or bad or not stores else draw_plan.preview_hash(planned),
        status=400 if sheet.faults or bad else 200,
    )


def _strangers(round_: Round, sheet: draw.Sheet) -> list[tuple[str, list[tuple[str, str]]]]:
    """Unknown names, each with the players of similar name and their form values.

    Empty in a tournament without players, because its first draw adds them. If very many names are unknown, only the
    first are compared: they are new people, not misspelt names.
    """
    players = Players(round_.tournament)
    if not players.by_name:
        return []
    drawn = ({"names": line.seats, "format": line.cells["format"]} for line in sheet.lines if line.setup or line.is_bye)
    new = players.unknown(names_of(drawn))
    compared = set(new[: MOST_COMPARED // len(players.by_name)])
    nearest = {name: players.nearest(name) if name in compared else [] for name in new}
    return [(name, [(each, json.dumps((name, each))) for each in nearest[name]]) for name in new]


@require_safe
@access.to(Action.WATCH)
def sample(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Serve a sample draw with every column, ready to import."""
    response = HttpResponse(exports.BYTE_ORDER_MARK + draw.SAMPLE, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="draw.csv"'
    return response
