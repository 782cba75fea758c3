from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import BtreeGinExtension
from django.db import migrations

from memory.retrieval import functions
from tenants.rls import app_role

# What is found of a block goes along with it.
MOVE = """
CREATE OR REPLACE FUNCTION move_block(block uuid, target uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE origin uuid; here uuid := my_tenant();
BEGIN
  SELECT b.workspace_id INTO origin FROM memory_block b
  WHERE b.tenant_id = here AND b.id = move_block.block FOR UPDATE;
  IF origin IS NULL OR origin = target OR 2 <> (
    SELECT count(*) FROM reachable_workspaces() r
    WHERE r.workspace IN (origin, target) AND r.role IN ('editor', 'admin')) THEN
    RAISE insufficient_privilege USING MESSAGE = 'only an editor of both workspaces moves a block';
  END IF;
  INSERT INTO memory_source (id, tenant_id, workspace_id, kind, reference, title, occurred_at)
  SELECT gen_random_uuid(), here, target, s.kind, s.reference, s.title, s.occurred_at
  FROM memory_source s
  WHERE s.tenant_id = here AND s.id IN (
    SELECT v.source_id FROM memory_blockversion v WHERE v.tenant_id = here AND v.block_id = move_block.block
    UNION
    SELECT p.source_id FROM memory_proposal p WHERE p.tenant_id = here AND p.block_id = move_block.block)
  ON CONFLICT (tenant_id, workspace_id, kind, reference) DO NOTHING;
  UPDATE memory_block b SET workspace_id = target WHERE b.tenant_id = here AND b.id = move_block.block;
  UPDATE memory_blockversion v SET workspace_id = target, source_id = source_there(v.source_id, target)
  WHERE v.tenant_id = here AND v.block_id = move_block.block;
  UPDATE memory_proposal p SET workspace_id = target, source_id = source_there(p.source_id, target)
  WHERE p.tenant_id = here AND p.block_id = move_block.block;
  UPDATE memory_indexentry e SET workspace_id = target
  WHERE e.tenant_id = here AND e.kind = 'block' AND e.container_id = move_block.block;
  UPDATE memory_derivation d SET workspace_id = target
  WHERE d.tenant_id = here AND d.child_id IN (
    SELECT v.id FROM memory_blockversion v WHERE v.tenant_id = here AND v.block_id = move_block.block);
END $$;
"""

# Rows for blocks, the texts that left them, and summaries, as the way of the first release would have made
# them: without words. The worker finds them by their format and makes them anew.
EARLIER = """
INSERT INTO memory_indexentry (
  id, tenant_id, workspace_id, kind, record_id, container_id, place, role, speaker, occurred_at, valid_to, state,
  trust, importance, access_count, tags, length, digest, lexemes, format, embedded_by)
SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '70008'
        || substr(md5(random()::text || r.id::text), 1, 15))::uuid,
       r.tenant_id, r.workspace_id, r.kind, r.id, r.container_id, r.place, '', '', r.at, r.until,
       CASE WHEN r.is_gone THEN 'hidden' WHEN r.until IS NULL THEN 'current' ELSE 'superseded' END,
       3, 0.5, 0, '{}', 0, '', '', 0, ''
FROM (
  SELECT v.tenant_id, v.workspace_id, 'block' AS kind, v.id, v.block_id AS container_id, v.number AS place,
         v.valid_from AS at, next.valid_from AS until, b.retired_at IS NOT NULL AS is_gone
  FROM memory_blockversion v
  JOIN memory_block b ON b.tenant_id = v.tenant_id AND b.id = v.block_id
  LEFT JOIN memory_blockversion next ON next.tenant_id = v.tenant_id AND next.supersedes_id = v.id
  WHERE v.erased_at IS NULL
  UNION ALL
  SELECT s.tenant_id, s.workspace_id, 'summary', s.id, s.conversation_id, s.to_position, s.created_at,
         next.created_at, c.deleted_at IS NOT NULL
  FROM memory_summary s
  JOIN memory_conversation c ON c.tenant_id = s.tenant_id AND c.id = s.conversation_id
  LEFT JOIN memory_summary next ON next.tenant_id = s.tenant_id AND next.previous_id = s.id) r
"""


def grants() -> str:
    shut = "".join(
        f"REVOKE ALL ON FUNCTION {name} FROM PUBLIC;"
        for name in functions.FOR_THE_APP + functions.FOR_THE_OWNER
    )
    return shut + "".join(
        f"GRANT EXECUTE ON FUNCTION {name} TO {app_role()};" for name in functions.FOR_THE_APP
    )


class Migration(migrations.Migration):
    dependencies = [("memory", "0006_retrieval")]

    operations = [
        # Words together with their workspace: a search reads rows in reach alone, however common a word is
        # elsewhere. With a short pending list, since every search reads that. The extension is trusted: who owns
        # the database may add it, on PostgreSQL 13 and newer.
        BtreeGinExtension(),
        migrations.RemoveIndex("indexentry", "index_lexemes"),
        migrations.AddIndex(
            "indexentry",
            GinIndex(fields=["workspace", "lexemes"], name="index_lexemes", gin_pending_list_limit=256),
        ),
        *(migrations.RunSQL(each) for each in functions.all_functions()),
        migrations.RunSQL(grants()),
        migrations.RunSQL(MOVE),
        migrations.RunSQL(EARLIER),
    ]
