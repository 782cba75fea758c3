import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
import tenants.fields
import tenants.ids
from django.conf import settings
from django.db import migrations, models

from tenants import seat_functions, team_functions
from tenants.rls import AUDITED, GOVERNED, TENANT, Protect, app_role


def grants() -> str:
    for_the_app = [*team_functions.FOR_THE_APP, *seat_functions.FOR_THE_APP]
    made = [*for_the_app, *team_functions.FOR_THE_OWNER, *seat_functions.FOR_THE_OWNER]
    shut = "".join(f"REVOKE ALL ON FUNCTION {name} FROM PUBLIC;" for name in made)
    return shut + "".join(f"GRANT EXECUTE ON FUNCTION {name} TO {app_role()};" for name in for_the_app)


class Migration(migrations.Migration):
    dependencies = [("tenants", "0002_locks")]

    operations = [
        migrations.AddField(
            model_name='apikey',
            name='workspaces',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), blank=True, null=True, size=None),
        ),
        migrations.AddField(
            model_name='tenant',
            name='admins_read_chats',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='tenant',
            name='operators_read',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='workspace',
            name='retired_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name='AuditEvent',
            fields=[
                ('id', models.UUIDField(default=tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('actor_kind', models.CharField(choices=[('person', 'person'), ('key', 'API key'), ('agent', 'agent'), ('staff', 'site staff'), ('system', 'system')], max_length=16)),
                ('actor_id', models.UUIDField(null=True)),
                ('actor_name', models.CharField(blank=True, default='', max_length=200)),
                ('key_id', models.UUIDField(null=True)),
                ('action', models.CharField(db_collation='C', max_length=64)),
                ('object_kind', models.CharField(blank=True, default='', max_length=64)),
                ('object_id', models.UUIDField(null=True)),
                ('object_name', models.CharField(blank=True, default='', max_length=200)),
                ('workspace_id', models.UUIDField(null=True)),
                ('workspace_name', models.CharField(blank=True, default='', max_length=200)),
                ('subject_id', models.UUIDField(null=True)),
                ('address', models.CharField(blank=True, default='', max_length=45)),
                ('request_id', models.CharField(blank=True, default='', max_length=64)),
                ('details', models.JSONField(default=dict)),
                ('tenant', models.ForeignKey(db_index=False, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'objects',
                'indexes': [models.Index(fields=['tenant', 'at'], name='audit_by_time'), models.Index(fields=['tenant', 'actor_id', 'id'], name='audit_by_actor'), models.Index(fields=['tenant', 'action', 'id'], name='audit_by_action'), models.Index(fields=['tenant', 'object_id', 'id'], name='audit_by_object'), models.Index(fields=['tenant', 'subject_id', 'id'], name='audit_by_subject')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.UUIDField(default=tenants.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail')),
                ('role', models.CharField(choices=[('owner', 'owner'), ('admin', 'admin'), ('member', 'member'), ('auditor', 'auditor')], default='member', max_length=16)),
                ('workspace_role', models.CharField(choices=[('viewer', 'viewer'), ('member', 'member'), ('editor', 'editor'), ('admin', 'admin')], default='member', max_length=16)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('accepted_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('inviter', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tenant', models.ForeignKey(db_index=False, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.tenant')),
                ('workspace', tenants.fields.ScopedForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tenants.workspace')),
            ],
            options={
                'abstract': False,
                'base_manager_name': 'objects',
                'indexes': [models.Index(fields=['tenant', 'email'], name='invitation_by_email')],
            },
        ),
        migrations.RunSQL(team_functions.ROLES),
        migrations.RunSQL(team_functions.AUDIT),
        migrations.RunSQL(team_functions.IDS),
        migrations.RunSQL(seat_functions.SEATS),
        migrations.RunSQL(seat_functions.CLOSED),
        migrations.RunSQL(team_functions.DOORS),
        migrations.RunSQL(grants()),
        Protect("Invitation", GOVERNED),
        Protect("AuditEvent", AUDITED, append_only=True, adds=TENANT),
    ]
