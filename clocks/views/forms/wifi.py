"""The form of the hall's network."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clocks.models import Wifi
from clocks.views.forms.renderer import CHECK

FEWEST = 8  # characters of a password, by WPA


class WifiForm(forms.ModelForm):  # type: ignore[type-arg]  # Django 5.2 takes no arguments at run time
    """The name and the password of the hall's network; no name: no network. A password is never shown again."""

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
        """Keep the stored password where none is given; refuse one that no network accepts."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        password = "" if given.get("free") else given.get("password") or self.stored
        if given.get("name") and not given.get("free") and len(password) < FEWEST and "password" not in self.errors:
            words = _("A password has %(fewest)s characters at least. If there is none, say so.")
            self.add_error("password", words % {"fewest": FEWEST})
        given["password"] = password if given.get("name") else ""
        return given

    def save(self, commit: bool = True) -> Wifi:
        """Store the network, or remove it where it has no name."""
        wifi: Wifi = self.instance
        if wifi.name:
            wifi.save()
        elif wifi.pk is not None:
            wifi.delete()
        return wifi
