"""How a field looks on a page, the same in every form: its label, help, the field, and what is wrong with it."""

from typing import Any

from django.forms.boundfield import BoundField
from django.forms.renderers import TemplatesSetting

CHECK = "clocks/parts/check.html"  # a box to tick, its label after it
DROP = "clocks/parts/drop.html"  # a file, dropped or chosen


class FirstWrong(BoundField):
    """A field on a page; the first in which something is wrong has the focus, with its sentence beside it."""

    def build_widget_attrs(self, attrs: Any, widget: Any = None) -> Any:
        """Return the attributes of the field's element."""
        built = super().build_widget_attrs(attrs, widget)
        wrong = [name for name in self.form.fields if name in self.form.errors] if self.form.is_bound else []
        if wrong[:1] == [self.name] and not self.use_fieldset:
            built["autofocus"] = True
        return built


class FieldRenderer(TemplatesSetting):
    """Renders `{{ form.name.as_field_group }}` with our template; a field may name another one (`template_name`)."""

    bound_field_class = FirstWrong
    field_template_name = "clocks/parts/field.html"
