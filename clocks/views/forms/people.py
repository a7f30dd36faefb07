"""What people fill in to be let in, and what an owner fills in to let them in."""

import re
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    SetPasswordForm,
    UserCreationForm,
)
from django.contrib.auth.models import User
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _

from clocks.models import ApiToken, Membership
from clocks.views.forms.name_field import NameField

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
NO_END = "0"  # an empty value would be none that was chosen
TOKEN_LIVES = [
    ("1", _("1 day")),
    ("7", _("1 week")),
    ("31", _("1 month")),
    ("366", _("1 year")),
    (NO_END, _("until it is revoked")),
]
LONGEST_TOKEN_NAME = ApiToken._meta.get_field("name").max_length or 0
LONGEST_FULL_NAME = 150
GOOD_PASSWORD = _("At least 8 characters, and not easy to guess.")


class SignIn(AuthenticationForm):
    """Name and password."""

    error_messages = AuthenticationForm.error_messages | {
        "invalid_login": _("The sign-in name or the password is wrong. Capitals count in both."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Sign-in name")
        self.fields["username"].widget.attrs["autofocus"] = False


class _MayBeLeftEmpty(forms.TextInput):
    """A field that the form fills in itself: the browser need not insist on it."""

    def use_required_attribute(self, initial: Any) -> bool:
        return False


class NewPerson(UserCreationForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """Who an invited person is, and the name and password to sign in with.

    Without a sign-in name, one is made from the name; without a name, the sign-in name is used for it.
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
        """Store the new user, the whole name in the first of Django's two fields: not every name has two parts."""
        self.instance.first_name = " ".join(self.cleaned_data["full_name"].split())
        user: User = super().save(commit)
        return user


def _sign_in_name(name: str) -> str:
    """Return a name without what a name to sign in with may not hold: “Hella Meier” signs in as “Hella.Meier”."""
    return re.sub(r"[^\w.@+-]", "", ".".join(name.split()))[:LONGEST_FULL_NAME]


class OwnName(forms.Form):
    """What somebody wants to be called."""

    full_name = NameField(label=_("Your name"), max_length=LONGEST_FULL_NAME)


class FirstPassword(SetPasswordForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """A password for somebody who has none yet."""

    request: HttpRequest | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = GOOD_PASSWORD
        self.fields["new_password2"].help_text = ""


class OtherPassword(FirstPassword, PasswordChangeForm):
    """A new password for somebody who has one; the old one is checked as at the sign-in."""

    def clean_old_password(self) -> str:
        """Return the old password. Whoever finds a page left open can guess no faster than anybody else."""
        old = self.cleaned_data["old_password"]
        if authenticate(self.request, username=self.user.get_username(), password=old) is None:
            raise forms.ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return str(old)


class NewInvite(forms.Form):
    """The role that an invitation gives, and for how long it can be taken."""

    role = forms.ChoiceField(label=_("Role"), choices=ROLES, initial="helper", widget=forms.RadioSelect)
    hours = forms.ChoiceField(label=_("Valid for"), choices=LIVES, initial="24")

    @property
    def life(self) -> timedelta:
        """Return for how long."""
        return timedelta(hours=int(self.cleaned_data["hours"]))


class NewRole(forms.Form):
    """Another role for somebody."""

    role = forms.ChoiceField(choices=ROLES)


class NewToken(forms.Form):
    """What a program is called, the role that its token gives it, and for how long."""

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
        """Return the name on one line."""
        return " ".join(self.cleaned_data["name"].split())

    @property
    def life(self) -> timedelta | None:
        """Return for how long, None for as long as nobody revokes it."""
        days = self.cleaned_data["days"]
        return None if days == NO_END else timedelta(days=int(days))
