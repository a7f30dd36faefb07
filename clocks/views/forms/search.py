"""What a director looks for in the records of a tournament."""

from django import forms
from django.utils.translation import gettext_lazy as _

from clocks.record.search import KINDS, Filters
from clocks.views.forms.instants import instant


class SearchForm(forms.Form):
    """Table, player, kind and time; all may be left open."""

    table = forms.CharField(label=_("Table"), required=False, max_length=20)
    player = forms.CharField(label=_("Player"), required=False, max_length=80)
    kind = forms.ChoiceField(
        label=_("What"),
        required=False,
        choices=[("", _("everything but presses")), *((kind, _(what)) for kind, what in KINDS.items())],
    )
    since = instant(_("From"))
    until = instant(_("Until"))

    @property
    def filters(self) -> Filters:
        """The filters of a valid form."""
        return Filters(**self.cleaned_data)
