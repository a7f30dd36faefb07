"""Room for the hash of each journal entry, and for the salts of the names and notes in it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clocks", "0026_words_of_byes")]

    operations = [
        migrations.AddField("journalentry", "seals", models.JSONField(null=True)),
        migrations.AddField("journalentry", "hash", models.CharField(max_length=64, null=True)),
    ]
