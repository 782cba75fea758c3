"""Sweeps of the embedder, over all tenants: ids, names of models, and counts."""

from django.db import migrations

from tenants.rls import app_role

# All of them walk along the index by model, tenant and workspace: a probe for each pair that there is, not a
# look at each row.
SWEEPS = f"""
CREATE FUNCTION embedding_models_in_use() RETURNS TABLE (model varchar)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH RECURSIVE walk(name) AS (
    (SELECT embedded_by FROM memory_indexentry ORDER BY embedded_by LIMIT 1)
    UNION ALL
    SELECT n.embedded_by FROM walk, LATERAL (
      SELECT embedded_by FROM memory_indexentry e WHERE e.embedded_by > walk.name
      ORDER BY embedded_by LIMIT 1) n)
  SELECT name FROM walk WHERE name <> ''
$$;

-- Open workspaces with rows that a model has not embedded yet: rows of another model, or of none.
CREATE FUNCTION workspaces_to_embed(model text, most integer)
RETURNS TABLE (tenant uuid, workspace uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH RECURSIVE others(name) AS (
    SELECT u.model FROM embedding_models_in_use() u WHERE u.model <> workspaces_to_embed.model
    UNION ALL SELECT ''),
  walk(name, tenant, workspace) AS (
    SELECT others.name, first.* FROM others, LATERAL (
      SELECT tenant_id, workspace_id FROM memory_indexentry e WHERE e.embedded_by = others.name
      ORDER BY tenant_id, workspace_id LIMIT 1) first
    UNION ALL
    SELECT walk.name, n.* FROM walk, LATERAL (
      SELECT tenant_id, workspace_id FROM memory_indexentry e
      WHERE e.embedded_by = walk.name AND (e.tenant_id, e.workspace_id) > (walk.tenant, walk.workspace)
      ORDER BY tenant_id, workspace_id LIMIT 1) n)
  SELECT DISTINCT walk.tenant, walk.workspace FROM walk
  JOIN tenants_workspace w ON w.tenant_id = walk.tenant AND w.id = walk.workspace AND w.retired_at IS NULL
  LIMIT workspaces_to_embed.most
$$;

-- For the operator's command: how many rows each model has embedded, and how many texts it did not take.
CREATE FUNCTION embedded_rows()
RETURNS TABLE (tenant uuid, slug varchar, model varchar, rows bigint, refused bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.id, t.slug, e.embedded_by, count(*), count(*) FILTER (WHERE e.vector IS NULL AND e.embedded_by <> '')
  FROM memory_indexentry e
  JOIN tenants_workspace w ON w.tenant_id = e.tenant_id AND w.id = e.workspace_id AND w.retired_at IS NULL
  JOIN tenants_tenant t ON t.id = e.tenant_id
  GROUP BY t.id, t.slug, e.embedded_by
$$;

CREATE FUNCTION drop_old_embeddings(age interval) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH gone AS (DELETE FROM memory_embedding WHERE created_at < now() - age RETURNING 1)
  SELECT count(*) FROM gone
$$;

REVOKE ALL ON FUNCTION embedding_models_in_use(), workspaces_to_embed(text, integer), embedded_rows(),
  drop_old_embeddings(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION embedding_models_in_use(), workspaces_to_embed(text, integer), embedded_rows(),
  drop_old_embeddings(interval) TO {app_role()};
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0007_search")]

    operations = [migrations.RunSQL(SWEEPS)]
