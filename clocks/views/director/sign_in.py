"""The way in and out: by name and password, or by a one-time link; and the list of tournaments."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from clocks.engine.closed_sets import Status
from clocks.host.fingerprint import Fingerprint, fingerprint
from clocks.people import backend, known_browsers, members
from clocks.people import sign_in_links as links
from clocks.people.roles import Action, may_make_tournaments, tournaments_of
from clocks.record.tournament_record import deleted_tournaments
from clocks.views.access import secret_address, signed_in
from clocks.views.errors import WayOn, problem
from clocks.views.forms.people import FirstPassword, OtherPassword, OwnName, SignIn
from clocks.views.forms.posted import posted
from clocks.views.forms.tournament import NewTournament


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@secret_address
def sign_in(request: HttpRequest, token: str) -> HttpResponse:
    """Sign in with a one-time link. A GET only shows the button: programs that look at links must not use them up."""
    if request.method != "POST" and links.is_good(token):
        return render(request, "clocks/account/sign-in.html")
    user = links.use(token) if request.method == "POST" else None
    if user is None:
        words = _(
            "It has already been used, or it is more than a day old. “make directorlink” on the laptop "
            "prints a new one."
        )
        return problem(request, 410, _("This link no longer works"), words, WayOn(_("Director’s page"), "/director/"))
    login(request, user)
    response = redirect("director")
    known_browsers.remember(request, response, user)
    return response


def sign_out(request: HttpRequest) -> HttpResponse:
    """End the director's session on this device. A GET does not: pages may be fetched by programs."""
    if request.method == "POST":
        logout(request)
    return redirect("director")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def director(request: HttpRequest) -> HttpResponse:
    """List the tournaments that the user directs or watches, and make new ones; let others sign in."""
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
    first = form if user.get_full_name() else own_name  # where nothing is yet, the cursor stands where to begin
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
    """Return the fingerprints by which to compare this server's certificates; none where it made none."""
    if settings.CERTIFICATE_FILE is None or settings.AUTHORITY_FILE is None:
        return []
    shown, installed = fingerprint(settings.CERTIFICATE_FILE), fingerprint(settings.AUTHORITY_FILE)
    return [(_("Shown to every device"), shown), (_("To install on your own devices"), installed)]


def _by_password(request: HttpRequest) -> HttpResponse:
    """Show the form for name and password; sign in whoever gives the right ones, and lead to where they were going."""
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
    """Change the name that pages and records show from now on."""
    form, user = OwnName(request.POST), signed_in(request)
    if form.is_valid():
        user.first_name, user.last_name = " ".join(form.cleaned_data["full_name"].split()), ""
        user.save(update_fields=["first_name", "last_name"])
        messages.success(request, _("Your name is now %(name)s.") % {"name": user.first_name})
    else:
        messages.error(request, " ".join(map(str, form.errors["full_name"])))
    return redirect("director")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    """Change the user's password; somebody who came by a link and has none yet is not asked for the old one."""
    user = signed_in(request)
    form_of = OtherPassword if user.has_usable_password() else FirstPassword
    form = form_of(user, posted(request))
    form.request = request
    if request.method == "POST" and form.is_valid():
        form.save()
        update_session_auth_hash(request, user)  # this device stays signed in; all others are signed out
        messages.success(
            request, _("Your password has been set. Sign in elsewhere as “%(name)s”.") % {"name": user.get_username()}
        )
        return redirect("director")
    return render(request, "clocks/account/password.html", {"form": form}, status=400 if form.errors else 200)
