import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import tenants.fields
import tenants.ids
from tenants.rls import WORKSPACE, Protect, app_role

ACTORS = [
    ("user", "person"),
    ("agent", "agent"),
    ("sleeptime", "sleeptime agent"),
    ("system", "system"),
    ("staff", "staff of the site"),
]
OPERATIONS = [
    ("create", "created"),
    ("append", "appended"),
    ("replace", "replaced"),
    ("insert", "inserted"),
    ("rethink", "rewritten"),
    ("patch", "patched"),
    ("section", "section rewritten"),
    ("edit", "edited"),
    ("restore", "restored"),
    ("undo", "undone"),
    ("merge", "merged"),
]

GOVERNANCE = "UPDATE memory_block SET governance = 'read_only' WHERE read_only"

# What `Protect` would have made, had the key been there when the table was put behind the second lock.
PROPOSAL_OF_A_VERSION = """
CREATE UNIQUE INDEX IF NOT EXISTS memory_proposal_workspace_key ON memory_proposal (tenant_id, workspace_id, id);
ALTER TABLE memory_blockversion ADD CONSTRAINT memory_blockversion_proposal_id_same_place
  FOREIGN KEY (tenant_id, workspace_id, proposal_id) REFERENCES memory_proposal (tenant_id, workspace_id, id)
  DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX memory_blockversion_proposal_id ON memory_blockversion (tenant_id, proposal_id)
  WHERE proposal_id IS NOT NULL;
"""

# Two things may happen to a version, whoever asks: its content is erased, or it follows its block to another
# workspace, where its source is the same by kind and reference.
APPEND_ONLY = """
CREATE OR REPLACE FUNCTION keep_block_versions() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND NEW.value = ''
     AND (to_jsonb(NEW) - 'value' - 'erased_at') = (to_jsonb(OLD) - 'value' - 'erased_at') THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.workspace_id <> OLD.workspace_id
     AND (to_jsonb(NEW) - 'workspace_id' - 'source_id') = (to_jsonb(OLD) - 'workspace_id' - 'source_id')
     AND NEW.workspace_id = (SELECT b.workspace_id FROM memory_block b
                             WHERE b.tenant_id = NEW.tenant_id AND b.id = NEW.block_id)
     AND (SELECT (s.kind, s.reference) FROM memory_source s
          WHERE s.tenant_id = NEW.tenant_id AND s.id = NEW.source_id) IS NOT DISTINCT FROM
         (SELECT (s.kind, s.reference) FROM memory_source s
          WHERE s.tenant_id = OLD.tenant_id AND s.id = OLD.source_id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'versions of a block are only ever added, or their content erased';
END $$;
"""

# A block goes to another workspace with its versions and proposals. Their sources are made there where they
# are not known yet; what was derived goes along. Whoever asks is editor on both sides.
MOVE = f"""
CREATE FUNCTION move_block(block uuid, target uuid) RETURNS void
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
  UPDATE memory_derivation d SET workspace_id = target
  WHERE d.tenant_id = here AND d.child_id IN (
    SELECT v.id FROM memory_blockversion v WHERE v.tenant_id = here AND v.block_id = move_block.block);
END $$;

-- The source of the same kind and reference in another workspace. The owner's: only `move_block` calls it.
CREATE FUNCTION source_there(source uuid, target uuid) RETURNS uuid
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT t.id FROM memory_source s
  JOIN memory_source t ON t.tenant_id = s.tenant_id AND t.workspace_id = target
                      AND t.kind = s.kind AND t.reference = s.reference
  WHERE s.id = source_there.source
$$;

REVOKE ALL ON FUNCTION move_block(uuid, uuid), source_there(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION move_block(uuid, uuid) TO {app_role()};
"""


def actor_kind():
    return models.CharField(choices=ACTORS, max_length=16)


def operation():
    return models.CharField(choices=OPERATIONS, max_length=16)


def key(to, *, null=False, on_delete=django.db.models.deletion.PROTECT, name="+"):
    return tenants.fields.ScopedForeignKey(null=null, on_delete=on_delete, related_name=name, to=to)


class Migration(migrations.Migration):
    dependencies = [("memory", "0003_locks"), ("tenants", "0003_teams")]

    operations = [
        migrations.AddField(
            "block",
            "governance",
            models.CharField(
                choices=[("free", "free"), ("propose", "propose only"), ("read_only", "read-only")],
                default="free",
                max_length=16,
                verbose_name="what agents may do",
            ),
        ),
        migrations.RunSQL(GOVERNANCE),
        migrations.RemoveField("block", "read_only"),
        migrations.AddField("block", "retired_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "block", "sections", models.JSONField(blank=True, default=list, verbose_name="sections")
        ),
        migrations.AddField(
            "block",
            "unit",
            models.CharField(
                choices=[("characters", "characters"), ("tokens", "tokens")],
                default="characters",
                max_length=16,
                verbose_name="unit",
            ),
        ),
        migrations.AlterField(
            "block", "limit", models.PositiveIntegerField(default=2000, verbose_name="limit")
        ),
        migrations.AlterField("blockversion", "actor_kind", actor_kind()),
        migrations.AlterField("blockversion", "operation", operation()),
        migrations.AlterField("message", "actor_kind", actor_kind()),
        migrations.AlterField("passage", "actor_kind", actor_kind()),
        migrations.AddField("blockversion", "approved_by", models.UUIDField(null=True)),
        migrations.CreateModel(
            "Proposal",
            [
                (
                    "id",
                    models.UUIDField(
                        default=tenants.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("operation", operation()),
                ("arguments", models.JSONField(default=dict)),
                ("value", models.TextField(blank=True)),
                ("reason", models.CharField(blank=True, default="", max_length=1000)),
                ("actor_kind", actor_kind()),
                ("actor_id", models.UUIDField(null=True)),
                ("asked_by", models.UUIDField(null=True)),
                ("conversation_id", models.UUIDField(null=True)),
                ("turn_id", models.UUIDField(null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("approved", "approved"),
                            ("rejected", "rejected"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="open",
                        max_length=16,
                    ),
                ),
                ("decided_by", models.UUIDField(null=True)),
                ("decided_at", models.DateTimeField(null=True)),
                ("note", models.CharField(blank=True, default="", max_length=1000)),
                ("told_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("base", key("memory.blockversion")),
                (
                    "block",
                    key("memory.block", on_delete=django.db.models.deletion.CASCADE, name="proposals"),
                ),
                ("made", key("memory.blockversion", null=True)),
                ("source", key("memory.source", null=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tenants.tenant",
                    ),
                ),
                (
                    "workspace",
                    tenants.fields.ScopedForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tenants.workspace",
                    ),
                ),
            ],
            options={"abstract": False, "base_manager_name": "objects"},
        ),
        migrations.AddField("blockversion", "proposal", key("memory.proposal", null=True)),
        migrations.AddIndex(
            "proposal", models.Index(fields=["tenant", "workspace", "status"], name="proposal_inbox")
        ),
        migrations.AddIndex(
            "proposal",
            models.Index(
                condition=models.Q(("told_at", None)),
                fields=["tenant", "conversation_id"],
                name="proposal_untold",
            ),
        ),
        migrations.AddIndex(
            "proposal", models.Index(fields=["tenant", "block", "status"], name="proposal_by_block")
        ),
        Protect("Proposal", WORKSPACE),
        migrations.RunSQL(PROPOSAL_OF_A_VERSION),
        migrations.RunSQL(APPEND_ONLY),
        migrations.RunSQL(MOVE),
    ]
