"""When a phone was last heard while another one had its seat on loan."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clocks", "0028_chained_journals")]

    operations = [migrations.AddField("device", "heard_at", models.BigIntegerField(default=0))]
