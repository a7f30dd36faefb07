"""Store a match's latest late press beside it; earlier ones are in the journals."""

from typing import Any

from django.db import migrations, models

from clocks.lag import late_presses


def write_down(apps: Any, schema_editor: Any) -> None:
    late_presses.write_down()


class Migration(migrations.Migration):
    dependencies = [("clocks", "0023_paper_draw")]

    operations = [
        migrations.AddField("match", "late", models.JSONField(blank=True, null=True)),
        migrations.RunPython(write_down, migrations.RunPython.noop),
    ]
