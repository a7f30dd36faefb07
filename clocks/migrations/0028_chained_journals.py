"""Chain existing journals in slices, one transaction each; resumes if interrupted."""

from typing import Any

from django.db import migrations, models

from clocks.journal import chain


def complete(apps: Any, schema_editor: Any) -> None:
    chain.complete()


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("clocks", "0027_hashes_of_entries")]

    operations = [
        migrations.RunPython(complete, migrations.RunPython.noop),
        migrations.AddIndex(
            "journalentry",
            models.Index(condition=models.Q(("hash", None)), fields=["match"], name="entries_without_a_hash"),
        ),
    ]
