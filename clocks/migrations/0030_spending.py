"""Token buckets of the limits that all processes share."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clocks", "0029_when_a_phone_with_a_lent_seat_was_heard")]

    operations = [
        migrations.CreateModel(
            "Spending",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("who", models.CharField(max_length=120, unique=True)),
                ("remaining", models.FloatField()),
                ("at", models.FloatField(db_index=True)),
            ],
        )
    ]
