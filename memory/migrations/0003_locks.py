from django.db import migrations

from tenants.rls import WORKSPACE, Protect

APPEND_ONLY = """
CREATE FUNCTION keep_block_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND NEW.value = ''
     AND (to_jsonb(NEW) - 'value' - 'erased_at') = (to_jsonb(OLD) - 'value' - 'erased_at') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'versions of a block are only ever added, or their content erased';
END $$;
CREATE TRIGGER keep_block_versions BEFORE UPDATE OR DELETE ON memory_blockversion
FOR EACH ROW EXECUTE FUNCTION keep_block_versions();
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0002_initial"), ("tenants", "0002_locks")]

    operations = [
        Protect("Source", WORKSPACE),
        Protect("Derivation", WORKSPACE),
        Protect("Block", WORKSPACE),
        Protect("BlockVersion", WORKSPACE, append_only=True),
        Protect("Conversation", WORKSPACE),
        Protect("Message", WORKSPACE),
        Protect("Summary", WORKSPACE),
        Protect("Archive", WORKSPACE),
        Protect("Passage", WORKSPACE),
        Protect("IndexEntry", WORKSPACE),
        migrations.RunSQL(APPEND_ONLY),
    ]
