from typing import Any

from django.db import migrations


def hash_keys(apps: Any, schema_editor: Any) -> None:
    """Keep everybody signed in whose session was stored by its key itself."""
    from clocks.people.sessions import stored_key

    sessions = apps.get_model("sessions", "Session").objects
    for key in sessions.values_list("pk", flat=True):
        sessions.filter(pk=key).update(session_key=stored_key(key))


class Migration(migrations.Migration):
    dependencies = [
        ("clocks", "0007_one_table_a_name_whatever_its_case"),
        ("sessions", "0001_initial"),
    ]

    operations = [migrations.RunPython(hash_keys, migrations.RunPython.noop, elidable=True)]
