"""Form for the draw of a round, as a file or as pasted text."""

from typing import Any

import orjson
from django import forms
from django.utils.translation import gettext_lazy as _

from clocks.views.forms.posted import file_or_text
from clocks.views.forms.renderer import CHECK, DROP


class DrawForm(forms.Form):
    """A draw as a file or pasted text. `text` is set once valid."""

    file = forms.FileField(  # type: ignore[call-arg]  # Django knows `template_name` here, its types do not
        label=_("Drop the file here, or choose it"), required=False, template_name=DROP
    )
    pasted = forms.CharField(label=_("Or paste the lines"), required=False, widget=forms.Textarea)
    give_way = forms.BooleanField(
        label=_("Replace matches of other rounds that have not begun"), required=False, template_name=CHECK
    )

    text: str
    meant: list[tuple[str, str]]  # spellings assigned to players: (as written, as meant)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].widget.attrs |= {"accept": ".csv,.tsv,.txt,.trf,.trfx,.json,text/csv,text/plain"}
        self.fields["pasted"].widget.attrs |= {"rows": 6, "spellcheck": "false", "placeholder": "table,left,right"}
        self.fields["pasted"].strip = False  # type: ignore[attr-defined]  # a line may begin with an empty cell

    def clean(self) -> dict[str, Any] | None:
        """Read the file or, without one, the pasted text."""
        given = super().clean() or self.cleaned_data
        self.meant = [pair for pair in map(_pair, self.data.getlist("meant")) if pair]  # type: ignore[attr-defined]
        self.text = file_or_text(given)
        if not self.errors and not self.text.strip():
            raise forms.ValidationError(_("Choose a file or paste the lines of the draw."))
        return given


def _pair(text: str) -> tuple[str, str] | None:
    """Parse two names that the preview wrote as JSON; None for anything else."""
    try:
        pair = orjson.loads(text)  # rejects deep nesting, unlike `json`
    except ValueError:
        return None
    fits = isinstance(pair, list) and len(pair) == 2 and all(isinstance(name, str) for name in pair)
    return (pair[0], pair[1]) if fits else None
