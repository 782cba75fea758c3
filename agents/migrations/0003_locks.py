from django.db import migrations

from tenants.rls import TENANT, WORKSPACE, Protect, app_role

# Turns that nobody works on: lost by the broker, or by a worker that died. Ids only; each opens its own scope.
SWEEP = f"""
CREATE FUNCTION turns_left_alone(patience interval)
RETURNS TABLE (tenant uuid, workspace uuid, turn uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.tenant_id, t.workspace_id, t.id FROM agents_turn t
  WHERE (t.status = 'running' AND t.lease_until < now())
     OR (t.status = 'queued' AND t.created_at < now() - patience
         AND NOT EXISTS (SELECT FROM agents_turn o
                         WHERE o.tenant_id = t.tenant_id AND o.conversation_id = t.conversation_id
                           AND (o.status = 'running' OR (o.status = 'queued' AND o.id < t.id))))
  ORDER BY t.id LIMIT 1000
$$;

CREATE FUNCTION drop_old_events(age interval) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH gone AS (
    DELETE FROM agents_turnevent e USING agents_turn t
    WHERE t.tenant_id = e.tenant_id AND t.id = e.turn_id AND t.ended_at < now() - age RETURNING 1)
  SELECT count(*) FROM gone
$$;

-- For commands: as whom an agent is talked to from the terminal.
CREATE FUNCTION person_of_agent(agent uuid)
RETURNS TABLE (tenant uuid, person uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.tenant_id, wm.user_id
  FROM agents_agent a
  JOIN tenants_workspacemember wm ON wm.tenant_id = a.tenant_id AND wm.workspace_id = a.workspace_id
  WHERE a.id = person_of_agent.agent AND wm.role = 'admin' ORDER BY wm.id LIMIT 1
$$;

REVOKE ALL ON FUNCTION turns_left_alone(interval), drop_old_events(interval), person_of_agent(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION turns_left_alone(interval), drop_old_events(interval), person_of_agent(uuid) TO {app_role()};
"""


class Migration(migrations.Migration):
    dependencies = [("agents", "0002_initial"), ("memory", "0003_locks")]

    operations = [
        Protect("Provider", TENANT),
        Protect("LanguageModel", TENANT),
        Protect("Agent", WORKSPACE),
        Protect("AgentBlock", WORKSPACE),
        Protect("AgentArchive", WORKSPACE),
        Protect("MainContext", WORKSPACE),
        Protect("Turn", WORKSPACE),
        Protect("Step", WORKSPACE),
        Protect("TurnEvent", WORKSPACE),
        migrations.RunSQL(SWEEP),
    ]
