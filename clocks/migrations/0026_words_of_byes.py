"""A bye of whoever wins a match keeps its words, so that it can wait for that again."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clocks", "0025_entries_but_hits")]

    operations = [migrations.AddField("bye", "words", models.CharField(blank=True, max_length=80, default=""), False)]
