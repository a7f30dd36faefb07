"""How a field stands on a page, the same in every form: its label, help, the field, and what is wrong with it."""

from django.forms.renderers import TemplatesSetting

CHECK = "clocks/parts/check.html"  # a box to tick, its label behind it
DROP = "clocks/parts/drop.html"  # a file, dropped or chosen


class FieldRenderer(TemplatesSetting):
    """Renders `{{ form.name.as_field_group }}` by our template; a field may name another one (`template_name`)."""

    field_template_name = "clocks/parts/field.html"
