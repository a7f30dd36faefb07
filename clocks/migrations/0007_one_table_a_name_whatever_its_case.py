from typing import Any

from django.db import migrations, models
from django.db.models.functions import Lower


def rename_doubles(apps: Any, schema_editor: Any) -> None:
    """Rename tables whose name differs from an older one's only by its case.

    The older table keeps its name. Both keep their codes, their matches and whatever else belongs to them.
    """
    Table = apps.get_model("clocks", "Table")
    longest = Table._meta.get_field("name").max_length
    taken: dict[int, set[str]] = {}
    doubles = []
    for table in Table.objects.order_by("pk"):
        names = taken.setdefault(table.tournament_id, set())
        if table.name.casefold() in names:
            doubles.append(table)
        names.add(table.name.casefold())
    for table in doubles:
        names, number = taken[table.tournament_id], 2
        while (renamed := f"{table.name[: longest - len(f' ({number})')]} ({number})").casefold() in names:
            number += 1
        names.add(renamed.casefold())
        Table.objects.filter(pk=table.pk).update(name=renamed)


class Migration(migrations.Migration):

    dependencies = [
        ('clocks', '0006_seat_asks'),
    ]

    operations = [
        migrations.RunPython(rename_doubles, migrations.RunPython.noop),
        migrations.RemoveConstraint(
            model_name='table',
            name='one_table_a_name',
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.UniqueConstraint(models.F('tournament'), Lower('name'), name='one_table_a_name'),
        ),
    ]
