"""Who sees many rows: common words are not asked for, and vectors are compared by the index from 20,000 on.

And a text is cut by the second format: characters of Chinese are found alone, and what reads the same is one.
"""

from django.db import migrations

from memory.retrieval import functions, large_sights

SHUT = "".join(f"REVOKE ALL ON FUNCTION {name} FROM PUBLIC;" for name in large_sights.FOR_THE_OWNER)
DROPPED = "".join(f"DROP FUNCTION {name};" for name in large_sights.FOR_THE_OWNER)


# Texts in English are cut as before. The others wait for the worker, which makes their words anew and then
# finds their vectors in its cache.
CUT_ANEW = "UPDATE memory_indexentry SET embedded_by = '' WHERE format = 1 AND lexemes::text ~ '[^ -~]'"


class Migration(migrations.Migration):
    dependencies = [("memory", "0011_context_window")]

    operations = [
        migrations.RunSQL(large_sights.SAMPLE + large_sights.PAIRS + SHUT, DROPPED),
        migrations.RunSQL(functions.replacing(large_sights.WORDS), functions.replacing(functions.WORDS)),
        migrations.RunSQL(functions.replacing(large_sights.SEARCH), functions.replacing(functions.SEARCH)),
        migrations.RunSQL(functions.near(large_sights.COMPARED, again=True), functions.near(again=True)),
        migrations.RunSQL(CUT_ANEW, migrations.RunSQL.noop),
    ]
