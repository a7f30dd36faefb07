"""Columns for the hash of each journal entry and the salts of its names and notes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clocks", "0026_words_of_byes")]

    operations = [
        migrations.AddField("journalentry", "seals", models.JSONField(null=True)),
        migrations.AddField("journalentry", "hash", models.CharField(max_length=64, null=True)),
    ]
