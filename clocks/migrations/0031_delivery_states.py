"""Name the states of a delivery; the column stays as it is."""

from django.db import migrations, models

STATES = [("waiting", "Waiting"), ("delivered", "Delivered"), ("given-up", "Given Up")]


class Migration(migrations.Migration):
    dependencies = [("clocks", "0030_spending")]

    operations = [
        migrations.AlterField(
            "delivery", "state", models.CharField(max_length=9, choices=STATES, default="waiting")
        )
    ]
