"""What an owner fills in to have programs told what happens."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clocks.views.forms.renderer import CHECK
from clocks.webhooks.addresses import LONGEST


class NewWebhook(forms.Form):
    """An address that is told what happens."""

    url = forms.CharField(
        label=_("Address"),
        max_length=LONGEST,
        widget=forms.URLInput(attrs={"placeholder": "https://example.org/clock", "autocomplete": "off"}),
    )
    private = forms.BooleanField(
        label=_("It may be on this machine or in our own network"), required=False, template_name=CHECK
    )

    def __init__(self, *args: Any, may_be_private: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_be_private:
            del self.fields["private"]
