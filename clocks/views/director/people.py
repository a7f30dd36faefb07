"""People of a tournament: roles, invitations, joining, and API tokens."""

import re
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import (
    UserCreationForm,
)
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from clocks.engine.refusals import Refused
from clocks.host import addresses
from clocks.journal.names import called
from clocks.models import ApiToken, Membership, Tournament
from clocks.people import api_tokens, known_browsers, members
from clocks.people.roles import RANK, Action
from clocks.views import access, qr
from clocks.views.access import secret_address, signed_in
from clocks.views.director.sign_in import GOOD_PASSWORD, LONGEST_FULL_NAME
from clocks.views.errors import WayOn, problem
from clocks.views.forms.name_field import NameField
from clocks.views.forms.posted import posted
from clocks.views.page import page
from clocks.wording.language import said

ROLES = [
    (Membership.Role.HELPER, _("Helper")),
    (Membership.Role.DIRECTOR, _("Director")),
    (Membership.Role.OWNER, _("Owner")),
    (Membership.Role.VIEWER, _("Viewer")),
]
LIVES = [("1", _("1 hour")), ("24", _("1 day")), ("72", _("3 days")), ("168", _("1 week"))]
TOKEN_ROLES = [
    (Membership.Role.VIEWER, _("Read")),
    (Membership.Role.DIRECTOR, _("Read and write")),
]
NO_END = "0"  # not "", which would count as no choice
TOKEN_LIVES = [
    ("1", _("1 day")),
    ("7", _("1 week")),
    ("31", _("1 month")),
    ("366", _("1 year")),
    (NO_END, _("until it is revoked")),
]
LONGEST_TOKEN_NAME = ApiToken._meta.get_field("name").max_length or 0


class _MayBeLeftEmpty(forms.TextInput):
    """Input without the `required` attribute, because the form can fill it in."""

    def use_required_attribute(self, initial: Any) -> bool:
        return False


class NewPerson(UserCreationForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """Name, sign-in name and password of an invited person.

    A missing sign-in name is derived from the name; a missing name is replaced by the sign-in name.
    """

    full_name = NameField(
        label=_("Your name"),
        max_length=LONGEST_FULL_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    field_order = ("full_name", "username", "password1", "password2")

    def __init__(self, data: QueryDict | None = None) -> None:
        if data is not None and not data.get("username", "").strip():
            data = data.copy()
            data["username"] = _sign_in_name(data.get("full_name", ""))
        super().__init__(data)
        name = self.fields["username"]
        name.label = _("Sign-in name")
        name.widget = _MayBeLeftEmpty(name.widget.attrs)
        name.widget.attrs |= {"autofocus": False, "autocomplete": "username", "autocapitalize": "none"}
        self.fields["password1"].label = _("Password")
        self.fields["password2"].label = _("Repeat the password")
        self.fields["password1"].help_text = GOOD_PASSWORD
        name.help_text = _("Leave it empty to have one made from your name.")
        self.fields["password2"].help_text = ""

    def save(self, commit: bool = True) -> User:
        """Store the whole name in `first_name`: not every name has two parts."""
        self.instance.first_name = " ".join(self.cleaned_data["full_name"].split())
        user: User = super().save(commit)
        return user


def _sign_in_name(name: str) -> str:
    """Derive a sign-in name: “Hella Meier” becomes “Hella.Meier”."""
    return re.sub(r"[^\w.@+-]", "", ".".join(name.split()))[:LONGEST_FULL_NAME]


class NewInvite(forms.Form):
    """Role and validity of an invitation."""

    role = forms.ChoiceField(label=_("Role"), choices=ROLES, initial="helper", widget=forms.RadioSelect)
    hours = forms.ChoiceField(label=_("Valid for"), choices=LIVES, initial="24")

    @property
    def life(self) -> timedelta:
        """Validity of the invitation."""
        return timedelta(hours=int(self.cleaned_data["hours"]))


class NewRole(forms.Form):
    """New role of a member."""

    role = forms.ChoiceField(choices=ROLES)


class NewToken(forms.Form):
    """Name, role and validity of an API token."""

    name = NameField(
        label=_("Program"),
        max_length=LONGEST_TOKEN_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": _("Pairing program")}),
        help_text=_("What it writes is recorded under this name."),
    )
    token_role = forms.ChoiceField(
        label=_("It may"),
        choices=TOKEN_ROLES,
        initial="viewer",
        widget=forms.RadioSelect,
        help_text=_("Read boards, records and results; write draws, results without a clock and messages."),
    )
    days = forms.ChoiceField(label=_("Valid for"), choices=TOKEN_LIVES, initial="7")

    def clean_name(self) -> str:
        """Collapse white space to single spaces."""
        return " ".join(self.cleaned_data["name"].split())

    @property
    def life(self) -> timedelta | None:
        """Validity of the token; None if it never expires."""
        days = self.cleaned_data["days"]
        return None if days == NO_END else timedelta(days=int(days))


@require_http_methods(["GET", "HEAD", "POST"])
@access.to(Action.PEOPLE)
def people(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List people and open invitations.

    A POST creates an invitation and shows its link once.
    """
    form = NewInvite(posted(request))
    link = ""
    if request.method == "POST" and form.is_valid():
        path = members.invite(tournament, signed_in(request), form.cleaned_data["role"], form.life)
        link = addresses.base_url(request) + path
    return _page(request, tournament, form, NewToken(), **_shown(form, link))


@require_POST
@access.to(Action.PEOPLE)
def new_token(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Create an API token and show it once."""
    form, made = NewToken(request.POST), {}
    if form.is_valid():
        given = form.cleaned_data
        text = api_tokens.make(tournament, signed_in(request), given["name"], given["token_role"], form.life)
        made = {"token_text": text, "token_name": given["name"], "api": f"{addresses.base_url(request)}/api/v1/"}
        form = NewToken()
    return _page(request, tournament, NewInvite(), form, **made)


@require_POST
@access.to(Action.PEOPLE)
def revoke_token(request: HttpRequest, tournament: Tournament, token_id: int) -> HttpResponse:
    """Revoke an API token."""
    token = get_object_or_404(tournament.api_tokens, pk=token_id)
    api_tokens.revoke(token, signed_in(request))
    words = gettext("The token of %(name)s has been revoked. It no longer works.")
    messages.success(request, words % {"name": token.name})
    return redirect("people", tournament.slug)


def _page(
    request: HttpRequest, tournament: Tournament, invite: NewInvite, token: NewToken, **shown: Any
) -> HttpResponse:
    asked: NewInvite | NewToken = token if token.is_bound else invite
    listed = _listed(tournament)
    return page(request, tournament, "people", asked, invite_form=invite, token_form=token, **listed, **shown)


def _listed(tournament: Tournament) -> dict[str, Any]:
    found = list(members.of_tournament(tournament))
    found.sort(key=lambda member: (-RANK.index(member.role), called(member.user).casefold()))
    owners = [member.user_id for member in found if member.role == "owner" and member.user.is_active]
    may = {str(role): words for role, words in TOKEN_ROLES}
    return {
        "here": "people",
        "members": found,
        "only_owner": owners[0] if len(owners) == 1 else None,
        "invites": members.open_invites(tournament),
        "roles": ROLES,
        "tokens": [(token, may[token.role]) for token in api_tokens.of_tournament(tournament)],
        "now": timezone.now(),
    }


def _shown(form: NewInvite, link: str) -> dict[str, Any]:
    """Template context of a new invitation: its link and QR code."""
    if not link:
        return {}
    made = {"role": form.cleaned_data["role"], "life": dict(LIVES)[form.cleaned_data["hours"]]}
    host = link.split("://", 1)[1].split("/", 1)[0]
    return {"link": link, "picture": qr.qr_data(link), "host": host, "made": made}


@require_POST
@access.to(Action.PEOPLE)
def change(request: HttpRequest, tournament: Tournament, user_id: int) -> HttpResponse:
    """Change a member's role."""
    form = NewRole(request.POST)
    if not form.is_valid():
        return _refused(request, tournament, gettext("A role is owner, director, helper or viewer."))
    try:
        member = members.change_role(tournament, user_id, form.cleaned_data["role"], signed_in(request))
    except Refused as refused:
        return _refused(request, tournament, said(refused.words))
    messages.success(
        request, gettext("%(name)s’s role is now %(role)s.") % {"name": called(member.user), "role": said(member.role)}
    )
    return redirect("people", tournament.slug)


@require_POST
@access.to(Action.PEOPLE)
def remove(request: HttpRequest, tournament: Tournament, user_id: int) -> HttpResponse:
    """Remove a member; their open pages of the tournament close at once."""
    try:
        member = members.remove(tournament, user_id, signed_in(request))
    except Refused as refused:
        return _refused(request, tournament, said(refused.words))
    messages.success(request, gettext("%(name)s has been removed.") % {"name": called(member.user)})
    return redirect("people", tournament.slug)


@require_POST
@access.to(Action.PEOPLE)
def revoke(request: HttpRequest, tournament: Tournament, invite_id: int) -> HttpResponse:
    """Revoke an invitation."""
    invitation = get_object_or_404(tournament.invites, pk=invite_id)
    members.revoke(invitation, signed_in(request))
    messages.success(request, gettext("The invitation has been revoked. Its link no longer works."))
    return redirect("people", tournament.slug)


def _refused(request: HttpRequest, tournament: Tournament, words: str) -> HttpResponse:
    back = WayOn(gettext("Back to People"), reverse("people", args=[tournament.slug]))
    return problem(request, 409, gettext("Nothing was changed"), words, back)


# --- being invited -------------------------------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@secret_address
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation; a POST accepts it as the signed-in user or a new one."""
    invitation = members.find_invite(token)
    if invitation is None:
        return _spent(request)
    form = None if request.user.is_authenticated else NewPerson(posted(request))
    if request.method == "POST" and (form is None or form.is_valid()):
        user = signed_in(request) if form is None else form.save(commit=False)
        try:
            return _joined(request, user, members.accept(token, user))
        except IntegrityError:  # somebody else has taken the name while the password was hashed
            if form is None:
                raise
            form.add_error("username", User._meta.get_field("username").error_messages["unique"])
    status = 400 if form is not None and form.errors else 200
    return render(request, "clocks/account/invite.html", {"invitation": invitation, "form": form}, status=status)


def _joined(request: HttpRequest, user: User, tournament: Tournament | None) -> HttpResponse:
    if tournament is None:
        return _spent(request)
    if not request.user.is_authenticated:
        login(request, user)
    messages.success(request, gettext("Welcome to %(tournament)s.") % {"tournament": tournament.name})
    response = redirect("console", tournament.slug)
    known_browsers.remember(request, response, user)
    return response


def _spent(request: HttpRequest) -> HttpResponse:
    words = gettext(
        "It has already been used, it was revoked, or it is too old. Ask whoever invited you for a new one."
    )
    return problem(
        request, 410, gettext("This invitation no longer works"), words, WayOn(gettext("Director’s page"), "/director/")
    )
