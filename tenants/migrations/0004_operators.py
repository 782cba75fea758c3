from django.db import migrations

from tenants import operator_functions
from tenants.rls import app_role


def grants() -> str:
    made = operator_functions.FOR_THE_APP
    shut = "".join(f"REVOKE ALL ON FUNCTION {name} FROM PUBLIC;" for name in made)
    return shut + "".join(f"GRANT EXECUTE ON FUNCTION {name} TO {app_role()};" for name in made)


class Migration(migrations.Migration):
    dependencies = [("tenants", "0003_teams")]

    operations = [
        migrations.RunSQL(operator_functions.STAFF),
        migrations.RunSQL(operator_functions.DOORS),
        migrations.RunSQL(grants()),
    ]
