"""Table cards to print: a tent card for each table, readable from both sides, the same for all rounds."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from clocks.host import addresses
from clocks.models import Table, Tournament
from clocks.people.roles import Action
from clocks.tournament.tables import table_names, table_order, tables_named
from clocks.views import access, qr
from clocks.views.page import page

PAPERS = {"a4": "A4", "letter": "Letter"}
LOCAL = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True)
class Card:
    """A table's card. `path` draws the QR in a square of `modules`; `size` says how long the name is."""

    table: Table
    size: str
    modules: int
    path: SafeString


@require_safe
@access.to(Action.WATCH)
def cards(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the cards as they will be printed. `?paper=letter`, `?tables=1-16,20`."""
    paper = request.GET.get("paper", "a4")
    paper = paper if paper in PAPERS else "a4"
    wanted = request.GET.get("tables", "")
    base = addresses.base_url(request)
    tables = sorted(tournament.tables.all(), key=lambda table: table_order(table.name))
    names = table_names(wanted)
    named = tables_named(tournament.tables.all(), names)
    chosen = [table for table in tables if not names or table in named.values()]
    host = base.split("://", 1)[1]
    return page(
        request,
        tournament,
        "cards",
        paper=paper,
        papers=PAPERS,
        sheet=f"clocks/pages/cards-{paper}.css",
        wanted=wanted,
        unknown=[name for name in names if name not in named],
        tables=tables,
        cards=[_card(table, base) for table in chosen],
        base=base,
        host=host,
        only_here=host.split(":")[0] in LOCAL or host.startswith("[::1]"),
    )


def _card(table: Table, base: str) -> Card:
    modules, path = qr.qr_path(addresses.table_url(base, table.code))
    length = len(table.name)
    size = "number" if length <= 3 else "word" if length <= 6 else "words" if length <= 10 else "sentence"
    return Card(table, size, modules, mark_safe(path))
