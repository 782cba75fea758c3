import django.contrib.postgres.fields
from django.db import migrations, models

from tenants.rls import app_role

# Documents that nobody reads: lost by the broker, or by a worker that died. Ids only; each opens its own
# scope. A few, the oldest of each tenant first, so that nobody waits for somebody else's thousand: a worker
# that ends one asks again.
SWEEP = f"""
CREATE FUNCTION documents_left_alone(patience interval)
RETURNS TABLE (tenant uuid, workspace uuid, document uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.tenant_id, d.workspace_id, d.id FROM memory_document d
  WHERE d.status IN ('waiting', 'reading', 'filing')
    AND CASE d.status WHEN 'waiting' THEN d.created_at < now() - patience ELSE d.lease_until < now() END
  ORDER BY row_number() OVER (PARTITION BY d.tenant_id ORDER BY d.created_at), d.created_at LIMIT 20
$$;
REVOKE ALL ON FUNCTION documents_left_alone(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION documents_left_alone(interval) TO {app_role()};
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0008_embedding")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="tags",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=64), default=list, size=None
            ),
        ),
        migrations.AddField(
            model_name="document",
            name="attempt_base",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddIndex(
            model_name="indexentry",
            index=models.Index(
                fields=["tenant", "container_id", "digest"],
                condition=models.Q(kind="passage", state="current"),
                name="index_known",
            ),
        ),
        migrations.RunSQL(SWEEP),
    ]
