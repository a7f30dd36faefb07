"""Right by which a phone holds a seat.

A phone that already holds both seats of a match lies between the players.
"""

from typing import Any

from django.db import migrations, models
from django.db.models import F


def let_shared_phones_answer_for_both(apps: Any, schema_editor: Any) -> None:
    matches = apps.get_model("clocks", "Match")
    shared = matches.objects.filter(left_device=F("right_device")).exclude(status="over")
    for match in shared.iterator():
        match.tenure = {"owners": [None, None], "lent_at": [None, None], "between": match.left_device_id}
        match.save(update_fields=["tenure"])


class Migration(migrations.Migration):
    dependencies = [("clocks", "0008_session_keys_as_hashes")]

    operations = [
        migrations.AddField("match", "tenure", models.JSONField(blank=True, default=dict)),
        migrations.AddField(
            "device",
            "old_token_hash",
            models.CharField(blank=True, db_index=True, default="", max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(let_shared_phones_answer_for_both, migrations.RunPython.noop),
    ]
