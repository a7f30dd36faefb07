"""Sign-in by password or one-time link, sign-out, and the list of tournaments."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    SetPasswordForm,
)
from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from clocks.engine.closed_sets import Status
from clocks.host.fingerprint import Fingerprint, fingerprint
from clocks.models import CASUAL, Tournament
from clocks.people import backend, known_browsers, members
from clocks.people import sign_in_links as links
from clocks.people.roles import Action, may_make_tournaments, tournaments_of
from clocks.record.tournament_record import deleted_tournaments
from clocks.views.access import secret_address, signed_in
from clocks.views.errors import WayOn, problem
from clocks.views.forms.name_field import NameField
from clocks.views.forms.posted import posted

TAKEN_PATHS = ("sign-in", "sign-out", "password", "invite", CASUAL)  # each would clash with /director/<slug>/


LONGEST_FULL_NAME = 150
GOOD_PASSWORD = _("At least 8 characters, and not easy to guess.")


class SignIn(AuthenticationForm):
    """Sign-in name and password."""

    error_messages = AuthenticationForm.error_messages | {
        "invalid_login": _("The sign-in name or the password is wrong. Capitals count in both."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Sign-in name")
        self.fields["username"].widget.attrs["autofocus"] = False


class OwnName(forms.Form):
    """Form to change one's own name."""

    full_name = NameField(label=_("Your name"), max_length=LONGEST_FULL_NAME)


class FirstPassword(SetPasswordForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """Form to set a user's first password."""

    request: HttpRequest | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = GOOD_PASSWORD
        self.fields["new_password2"].help_text = ""


class OtherPassword(FirstPassword, PasswordChangeForm):
    """Form to change a password; the old one is checked as at sign-in."""

    def clean_old_password(self) -> str:
        """Check the old password, rate-limited like a sign-in, against guessing."""
        old = self.cleaned_data["old_password"]
        if authenticate(self.request, username=self.user.get_username(), password=old) is None:
            raise forms.ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return str(old)


class NewTournament(forms.Form):
    """Name of a new tournament; its slug is derived from it."""

    name = NameField(label=_("Name of the tournament"), max_length=120)

    slug: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "placeholder": "Summer Open"}

    def clean_name(self) -> str:
        """Reject a name whose slug would be empty or is taken."""
        name: str = self.cleaned_data["name"]
        self.slug = slugify(name)[:50].strip("-")
        if not self.slug:
            raise forms.ValidationError(_("The name needs a letter from A to Z or a digit for its address."))
        if self.slug in TAKEN_PATHS or Tournament.objects.filter(slug=self.slug).exists():
            raise forms.ValidationError(
                _("The address “%(slug)s” is taken. Choose another name.") % {"slug": self.slug}
            )
        return name


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@secret_address
def sign_in(request: HttpRequest, token: str) -> HttpResponse:
    """Sign in with a one-time link.

    A GET only shows a button, because link previews must not use the link up.
    """
    if request.method != "POST" and links.is_good(token):
        return render(request, "clocks/account/sign-in.html")
    user = links.use(token) if request.method == "POST" else None
    if user is None:
        words = gettext(
            "It has already been used, or it is more than a day old. “make directorlink” on the laptop "
            "prints a new one."
        )
        return problem(
            request, 410, gettext("This link no longer works"), words, WayOn(gettext("Director’s page"), "/director/")
        )
    login(request, user)
    response = redirect("director")
    known_browsers.remember(request, response, user)
    return response


def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session in this browser. POST only, because browsers may prefetch links."""
    if request.method == "POST":
        logout(request)
    return redirect("director")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def director(request: HttpRequest) -> HttpResponse:
    """List the user's tournaments, and create new ones.

    Users who are not signed in get the sign-in form.
    """
    if not request.user.is_authenticated:
        return _by_password(request)
    user = signed_in(request)
    form = NewTournament(posted(request))
    may_make = may_make_tournaments(user)
    if request.method == "POST":
        if not may_make:
            raise PermissionDenied
        if form.is_valid():
            made = members.make_tournament(form.slug, form.cleaned_data["name"], user)
            return redirect("console", made.slug)
    tournaments = (
        tournaments_of(user, Action.WATCH)
        .order_by("-created_at")
        .annotate(boards=Count("tables"), playing=Count("tables", filter=Q(tables__current__status=Status.RUNNING)))
    )
    own_name = OwnName(initial={"full_name": user.get_full_name()})
    first = form if user.get_full_name() else own_name  # focus the first field to fill in
    if not tournaments:
        first["name" if first is form else "full_name"].field.widget.attrs["autofocus"] = True
    context = {
        "tournaments": [each for each in tournaments if each.archived_at is None],
        "archived": [each for each in tournaments if each.archived_at is not None],
        "deleted": list(deleted_tournaments()) if user.is_superuser else [],
        "form": form if may_make else None,
        "certificates": _certificates(),
        "own_name": own_name,
    }
    return render(request, "clocks/office/tournaments.html", context, status=400 if form.errors else 200)


def _certificates() -> list[tuple[str, Fingerprint]]:
    """Fingerprints of this server's own certificates; empty if it made none."""
    if settings.CERTIFICATE_FILE is None or settings.AUTHORITY_FILE is None:
        return []
    shown, installed = fingerprint(settings.CERTIFICATE_FILE), fingerprint(settings.AUTHORITY_FILE)
    return [(gettext("Shown to every device"), shown), (gettext("To install on your own devices"), installed)]


def _by_password(request: HttpRequest) -> HttpResponse:
    """Sign in by name and password, then redirect to the requested page."""
    going = request.POST.get("next", request.GET.get("next", ""))
    context = {"form": SignIn(request), "next": going}
    if request.method != "POST":
        return render(request, "clocks/account/signed-out.html", context)
    form = context["form"] = SignIn(request, request.POST)
    if not form.is_valid():
        wait = form.has_error(NON_FIELD_ERRORS, backend.TOO_MANY) or form.has_error(NON_FIELD_ERRORS, backend.BUSY)
        return render(request, "clocks/account/signed-out.html", context, status=429 if wait else 400)
    user = form.get_user()
    login(request, user)
    safe = going.startswith("/") and url_has_allowed_host_and_scheme(going, None)
    response = HttpResponseRedirect(going if safe else reverse("director"))
    known_browsers.remember(request, response, user)
    return response


@login_required
@require_POST
def own_name(request: HttpRequest) -> HttpResponse:
    """Change the user's name on pages and future records."""
    form, user = OwnName(request.POST), signed_in(request)
    if form.is_valid():
        user.first_name, user.last_name = " ".join(form.cleaned_data["full_name"].split()), ""
        user.save(update_fields=["first_name", "last_name"])
        messages.success(request, gettext("Your name is now %(name)s.") % {"name": user.first_name})
    else:
        messages.error(request, " ".join(map(str, form.errors["full_name"])))
    return redirect("director")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    """Change the user's password, or set the first one."""
    user = signed_in(request)
    form_of = OtherPassword if user.has_usable_password() else FirstPassword
    form = form_of(user, posted(request))
    form.request = request
    if request.method == "POST" and form.is_valid():
        form.save()
        update_session_auth_hash(request, user)  # keep this session; all others become invalid
        messages.success(
            request,
            gettext("Your password has been set. Sign in elsewhere as “%(name)s”.") % {"name": user.get_username()},
        )
        return redirect("director")
    return render(request, "clocks/account/password.html", {"form": form}, status=400 if form.errors else 200)
