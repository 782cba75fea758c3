from django.db import migrations

from memory import oversight_functions
from tenants.rls import app_role


def grants() -> str:
    for_the_app, for_the_owner = oversight_functions.FOR_THE_APP, oversight_functions.FOR_THE_OWNER
    shut = "".join(f"REVOKE ALL ON FUNCTION {name} FROM PUBLIC;" for name in for_the_app + for_the_owner)
    return shut + "".join(f"GRANT EXECUTE ON FUNCTION {name} TO {app_role()};" for name in for_the_app)


class Migration(migrations.Migration):
    dependencies = [("memory", "0004_governance"), ("tenants", "0003_teams")]

    operations = [
        migrations.RunSQL(oversight_functions.READING_CHATS),
        migrations.RunSQL(grants()),
    ]
