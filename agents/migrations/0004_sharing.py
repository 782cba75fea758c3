import django.contrib.postgres.fields
from django.db import migrations, models

from tenants.rls import app_role

# A block that moves to another workspace takes its attachments along: memory knows no agents.
FOLLOW = """
ALTER TABLE agents_agentblock
  DROP CONSTRAINT agents_agentblock_block_id_same_place,
  ADD CONSTRAINT agents_agentblock_block_id_same_place
    FOREIGN KEY (tenant_id, workspace_id, block_id) REFERENCES memory_block (tenant_id, workspace_id, id)
    ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED;
"""

# A turn in a team's chat does not reach its person's own workspace. What that person lends to the agent for
# such chats is read here, and cannot be written through it. Only the person's own, and only of an agent in reach.
LENT = f"""
CREATE FUNCTION lent_blocks(agent uuid)
RETURNS TABLE (block_id uuid, workspace_id uuid, label varchar, description varchar, value text,
               "limit" integer, unit varchar, version integer, place integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.id, b.workspace_id, b.label, b.description, b.value, b."limit", b.unit, b.version, ab.position
  FROM agents_agentblock ab
  JOIN agents_agent a ON a.tenant_id = ab.tenant_id AND a.id = ab.agent_id
  JOIN memory_block b ON b.tenant_id = ab.tenant_id AND b.id = ab.block_id
  JOIN tenants_workspace w ON w.tenant_id = b.tenant_id AND w.id = b.workspace_id AND w.kind = 'personal'
  JOIN tenants_workspacemember wm
    ON wm.tenant_id = w.tenant_id AND wm.workspace_id = w.id AND wm.user_id = ab.person_id
  WHERE ab.tenant_id = (SELECT my_tenant()) AND ab.agent_id = lent_blocks.agent
    AND ab.person_id = (SELECT my_person()) AND ab.in_shared_chats
    AND b.retired_at IS NULL
    AND a.workspace_id = ANY ((SELECT my_workspaces())::uuid[])
  ORDER BY ab.position, ab.id
$$;

REVOKE ALL ON FUNCTION lent_blocks(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lent_blocks(uuid) TO {app_role()};
"""

# What lies in a closed workspace waits until it is opened again: no worker reaches it, and it must not crowd
# out the others.
SWEEP = """
CREATE OR REPLACE FUNCTION turns_left_alone(patience interval)
RETURNS TABLE (tenant uuid, workspace uuid, turn uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.tenant_id, t.workspace_id, t.id FROM agents_turn t
  JOIN tenants_workspace w ON w.tenant_id = t.tenant_id AND w.id = t.workspace_id AND w.retired_at IS NULL
  WHERE (t.status = 'running' AND t.lease_until < now())
     OR (t.status = 'queued' AND t.created_at < now() - patience
         AND NOT EXISTS (SELECT FROM agents_turn o
                         WHERE o.tenant_id = t.tenant_id AND o.conversation_id = t.conversation_id
                           AND (o.status = 'running' OR (o.status = 'queued' AND o.id < t.id))))
  ORDER BY t.id LIMIT 1000
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("agents", "0003_locks"), ("memory", "0004_governance"), ("tenants", "0003_teams")]

    operations = [
        migrations.AddField(
            "agentblock",
            "governance",
            models.CharField(
                blank=True,
                choices=[("free", "free"), ("propose", "propose only"), ("read_only", "read-only")],
                default="",
                max_length=16,
                verbose_name="what this agent may do",
            ),
        ),
        migrations.AddField(
            "agentblock",
            "in_shared_chats",
            models.BooleanField(default=False, verbose_name="shown in chats that others read"),
        ),
        migrations.AddField(
            "turn",
            "reach",
            django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), null=True, size=None),
        ),
        migrations.RemoveConstraint("agentblock", "label_once_per_agent"),
        migrations.AddConstraint(
            "agentblock",
            models.UniqueConstraint(
                fields=("tenant", "agent", "workspace", "label", "person"),
                name="label_once_per_agent",
                nulls_distinct=False,
            ),
        ),
        migrations.RunSQL(FOLLOW),
        migrations.RunSQL(LENT),
        migrations.RunSQL(SWEEP),
    ]
