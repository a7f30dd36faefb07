"""Keep the words of a bye for the winner of a match, so that it can wait again."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clocks", "0025_entries_but_hits")]

    operations = [migrations.AddField("bye", "words", models.CharField(blank=True, max_length=80, default=""), False)]
