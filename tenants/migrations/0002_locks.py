from django.db import migrations

from tenants import functions
from tenants.rls import OWN, TENANT, WORKSPACE, Protect, app_role


def grants() -> str:
    made = [*functions.FOR_THE_APP, *functions.FOR_THE_OWNER]
    shut = "".join(f"REVOKE ALL ON FUNCTION {name} FROM PUBLIC;" for name in made)
    return shut + "".join(f"GRANT EXECUTE ON FUNCTION {name} TO {app_role()};" for name in functions.FOR_THE_APP)


class Migration(migrations.Migration):
    dependencies = [("tenants", "0001_initial")]

    operations = [
        migrations.RunSQL(functions.IDENTITY),
        migrations.RunSQL(functions.DOORS),
        migrations.RunSQL(functions.WORKSPACES),
        migrations.RunSQL(grants()),
        Protect("Tenant", TENANT),
        Protect("Membership", TENANT),
        Protect("Workspace", WORKSPACE),
        Protect("WorkspaceMember", WORKSPACE),
        Protect("ApiKey", OWN),
    ]
