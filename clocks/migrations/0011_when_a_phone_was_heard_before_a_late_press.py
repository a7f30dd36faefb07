"""Time at which a phone was last heard before a press that it reported as delayed.

It is unknown for earlier presses.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clocks", "0010_english_names")]

    operations = [migrations.AddField("journalentry", "heard_at", models.BigIntegerField(null=True))]
