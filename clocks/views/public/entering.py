"""Entry to a tournament by phone, after scanning the poster."""

from typing import Any
from urllib.parse import quote, unquote

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clocks.engine.refusals import Refused
from clocks.engine.setup import LONGEST_NAME
from clocks.models import Entrant, Tournament
from clocks.tournament import entering
from clocks.tournament.players import Players
from clocks.views.access import secret_address
from clocks.views.errors import problem
from clocks.views.forms.name_field import NameField
from clocks.views.page import FORM
from clocks.wording.language import said

COOKIE, COOKIE_AGE_S = "entry", 14 * 24 * 60 * 60
SALT = "clocks.entry"


class EntryForm(forms.Form):
    """Name, club and country of a player."""

    name = NameField(label=_("Your first and last name"), max_length=LONGEST_NAME)
    club = NameField(label=_("Club or town"), max_length=LONGEST_NAME, required=False)
    country = NameField(label=_("Country"), max_length=40, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs |= {"autocomplete": "name", "autocapitalize": "words"}
        self.fields["club"].widget.attrs |= {"autocomplete": "off"}
        self.fields["country"].widget.attrs |= {"autocomplete": "country-name"}

    def clean(self) -> dict[str, Any]:
        """Collapse white space to single spaces; reject text that is not a name."""
        given = super().clean() or self.cleaned_data
        for field, value in given.items():
            given[field] = " ".join(str(value).split())
        if given.get("name") and not entering.may_be_a_name(given["name"]):
            self.add_error("name", gettext("This is not a name. Enter your first and last name."))
        return given


@require_http_methods(FORM)
@never_cache
@secret_address
def enter(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Make, change or withdraw this phone's entry, and show its outcome."""
    tournament = entering.tournament_at(slug, code)
    if tournament is None:
        raise Http404("no such tournament, or another code")
    key, name = _entry_of(request)
    own = Entrant.objects.filter(pk=key, tournament=tournament).first() if key else None
    if request.method == "POST" and "withdraw" in request.POST:
        if own is not None:
            own.delete()
        return _kept(redirect("enter", slug, code), request, None)
    if not tournament.entry_open and own is None and (request.method == "POST" or not name):
        words = gettext("Players can no longer enter by phone. Ask the director.")
        return problem(request, 409, gettext("Entry is closed"), words)
    form = EntryForm(request.POST if request.method == "POST" else None, initial=_initial(own))
    if request.method == "POST" and form.is_valid():
        try:
            entrant = entering.enter(tournament, form.cleaned_data, request.META["REMOTE_ADDR"], key)
        except Refused as refused:
            return problem(request, 429, gettext("Not entered"), said(refused.words))
        return _kept(redirect("enter", slug, code), request, (entrant.pk, form.cleaned_data["name"]))
    context = {"tournament": tournament, "form": form, "own": own, "became": _became(tournament, own, name)}
    return render(request, "clocks/public/enter.html", context, status=400 if form.errors else 200)


def _initial(own: Entrant | None) -> dict[str, str]:
    return {} if own is None else {"name": own.name, "club": own.club, "country": own.country}


def _became(tournament: Tournament, own: Entrant | None, name: str) -> str:
    """Outcome of this phone's entry, or "" while there is none or it is pending."""
    if own is not None or not name:
        return ""
    if Players(tournament).of(name) is not None:
        return gettext("%(name)s is in the list of players.") % {"name": name}
    return gettext("The entry of %(name)s was not admitted. Ask the director.") % {"name": name}


def _entry_of(request: HttpRequest) -> tuple[int | None, str]:
    """Primary key and name of this phone's entry, from its cookie; None, "" if none."""
    key, colon, name = (request.get_signed_cookie(COOKIE, "", salt=SALT) or "").partition(":")
    return (int(key), unquote(name)) if colon else (None, "")


def _kept(response: HttpResponse, request: HttpRequest, entry: tuple[int, str] | None) -> HttpResponse:
    """Keep the phone's entry in a signed cookie for this page; None forgets it."""
    if entry is None:
        response.delete_cookie(COOKIE, path=request.path)
        return response
    response.set_signed_cookie(
        COOKIE,
        f"{entry[0]}:{quote(entry[1])}",
        salt=SALT,
        max_age=COOKIE_AGE_S,
        path=request.path,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response
