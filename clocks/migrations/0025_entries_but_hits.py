"""Entries that are no hits are found without reading the hits."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clocks", "0024_late_press")]

    operations = [
        migrations.AddIndex(
            "journalentry",
            models.Index(
                condition=models.Q(("event", "hit"), _negated=True), fields=["match", "seq"], name="entries_but_hits"
            ),
        ),
    ]
