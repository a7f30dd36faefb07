"""Rendering of form fields, the same in every form: label, help, input, errors."""

from typing import Any

from django.forms.boundfield import BoundField
from django.forms.renderers import TemplatesSetting

CHECK = "clocks/parts/check.html"  # checkbox with its label after it
DROP = "clocks/parts/drop.html"  # file field with drag and drop


class FirstWrong(BoundField):
    """Bound field that takes the focus if it has the form's first error."""

    def build_widget_attrs(self, attrs: Any, widget: Any = None) -> Any:
        """Add `autofocus` if this is the first wrong field, except for a fieldset."""
        built = super().build_widget_attrs(attrs, widget)
        wrong = [name for name in self.form.fields if name in self.form.errors] if self.form.is_bound else []
        if wrong[:1] == [self.name] and not self.use_fieldset:
            built["autofocus"] = True
        return built


class FieldRenderer(TemplatesSetting):
    """Renders `as_field_group` with the shared template or the field's own."""

    bound_field_class = FirstWrong
    field_template_name = "clocks/parts/field.html"
