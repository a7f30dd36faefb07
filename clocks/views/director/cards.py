"""Table cards and posters to print, with the hall's Wi-Fi."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from clocks.host import addresses
from clocks.models import Table, Tournament, Wifi
from clocks.people import roles
from clocks.people.roles import Action
from clocks.tournament import entering
from clocks.tournament.tables import table_names, table_order, tables_named
from clocks.views import access, qr
from clocks.views.forms.posted import posted
from clocks.views.forms.renderer import CHECK
from clocks.views.page import FORM, page

FEWEST = 8  # minimum length of a WPA password
PAPERS = {"a4": "A4", "letter": "Letter"}
EACH = (1, 2, 4)  # cards per sheet: one to fold as a tent, or several to cut out
LOCAL = ("localhost", "127.0.0.1", "[::1]")


class WifiForm(forms.ModelForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """Name and password of the hall's Wi-Fi; an empty name removes it.

    The password is never shown again.
    """

    password = forms.CharField(
        label=_("Password"),
        max_length=63,
        required=False,
        strip=False,
        help_text=_("It is printed on the cards and shown nowhere else. Leave empty to keep the one that is stored."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    free = forms.BooleanField(label=_("The network has no password"), required=False, template_name=CHECK)

    class Meta:
        model = Wifi
        fields = ("name", "password")
        labels = {"name": _("Name of the network (SSID)")}
        help_texts = {"name": _("Leave empty to print no network on the cards.")}

    def __init__(self, wifi: Wifi, data: Any = None) -> None:
        self.stored = wifi.password
        super().__init__(data, instance=wifi, initial={"free": wifi.pk is not None and not wifi.password})
        self.fields["name"].required = False
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}

    def clean(self) -> dict[str, Any]:
        """Keep the stored password if none is given; reject one that WPA does not allow."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        password = "" if given.get("free") else given.get("password") or self.stored
        if given.get("name") and not given.get("free") and len(password) < FEWEST and "password" not in self.errors:
            words = _("A password has %(fewest)s characters at least. If there is none, say so.")
            self.add_error("password", words % {"fewest": FEWEST})
        given["password"] = password if given.get("name") else ""
        return given

    def save(self, commit: bool = True) -> Wifi:
        """Store the network, or delete it if its name is empty."""
        wifi: Wifi = self.instance
        if wifi.name:
            wifi.save()
        elif wifi.pk is not None:
            wifi.delete()
        return wifi


@dataclass(frozen=True)
class Drawn:
    """A QR code: `path` is its SVG path, in a square of `modules` per side."""

    modules: int
    path: SafeString


@dataclass(frozen=True)
class Card:
    """Card of a table; `size` is a CSS class for the length of its name."""

    table: Table
    size: str
    qr: Drawn


@require_safe
@access.to(Action.WATCH)
def cards(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the cards as printed: `?paper=letter`, `?tables=1-16,20`, `?each=4`.

    The cards include the Wi-Fi if the user may set it.
    """
    paper = request.GET.get("paper", "a4")
    paper = paper if paper in PAPERS else "a4"
    each = int(asked) if (asked := request.GET.get("each", "1")) in map(str, EACH) else 1
    may_arrange = Action.ARRANGE in roles.actions_of(request.user, tournament)
    wifi = Wifi.objects.filter(tournament=tournament).first() if may_arrange else None
    wanted = request.GET.get("tables", "")
    base = addresses.base_url(request)
    tables = sorted(tournament.tables.all(), key=lambda table: table_order(table.name))
    names = table_names(wanted)
    named = tables_named(tournament.tables.all(), names)
    chosen = [table for table in tables if not names or table in named.values()]
    host = addresses.as_typed(base)
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
        sheets=in_sheets([_card(table, base) for table in chosen], each),
        number=len(chosen),
        each=each,
        eaches=EACH,
        wifi=wifi,
        wifi_qr=None if wifi is None else _drawn(*qr.wifi_path(wifi.name, wifi.password)),
        base=base,
        host=host,
        only_here=host.split(":")[0] in LOCAL or host.startswith("[::1]"),
    )


@require_safe
@access.to(Action.WATCH)
def poster(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a poster with the QR code of the public page."""
    return _poster(request, tournament, "poster", reverse("public", args=[tournament.slug]))


@require_safe
@access.to(Action.ARRANGE)
def entry_poster(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a poster with the QR code for entering by phone."""
    return _poster(
        request, tournament, "entry-poster", reverse("enter", args=[tournament.slug, entering.code(tournament)])
    )


def _poster(request: HttpRequest, tournament: Tournament, name: str, path: str) -> HttpResponse:
    paper = request.GET.get("paper", "a4")
    paper = paper if paper in PAPERS else "a4"
    url = f"{addresses.base_url(request)}{path}"
    return page(
        request,
        tournament,
        name,
        paper=paper,
        papers=PAPERS,
        sheet=f"clocks/pages/cards-{paper}.css",
        image=qr.qr_data(url),
        typed=addresses.as_typed(url),
    )


@require_http_methods(FORM)
@access.to(Action.ARRANGE)
@sensitive_post_parameters("password")
def wifi(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Set the hall's Wi-Fi, printed on every card; an empty name removes it."""
    form = WifiForm(Wifi.objects.filter(tournament=tournament).first() or Wifi(tournament=tournament), posted(request))
    if request.method == "POST" and form.is_valid():
        form.save()
        words = (
            gettext("The cards show the network “%(name)s”.")
            if form.instance.name
            else gettext("The cards show no network.")
        )
        messages.success(request, words % {"name": form.instance.name})
        return redirect("cards", tournament.slug)
    return page(request, tournament, "wifi", form)


def in_sheets(cards: Sequence[Card], each: int) -> list[Sequence[Card]]:
    """Group cards into sheets of `each`."""
    return [cards[at : at + each] for at in range(0, len(cards), each)]


def _card(table: Table, base: str) -> Card:
    length = len(table.name)
    size = "number" if length <= 3 else "word" if length <= 6 else "words" if length <= 10 else "sentence"
    return Card(table, size, _drawn(*qr.qr_path(addresses.table_url(base, table.code))))


def _drawn(modules: int, path: str) -> Drawn:
    return Drawn(modules, mark_safe(path))
