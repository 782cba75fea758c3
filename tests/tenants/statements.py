"""Ways in which one may ask for, lock, change and add a row in plain SQL, as texts for any table.

What a text is filled with: {t} the table, {id} the row that is asked for, {own} a row of the asker's,
{place} assignments that put a row where the asker is, {row} a row as JSON, {columns} and {values} of it.

What tells that it worked: the first column of the last result is true, a line of a COPY stands in the text,
or one of the errors comes that the text provokes where it finds the row.
"""

FIND = "SELECT id FROM {t} WHERE id = {id}"

READINGS = {
    "by id": FIND,
    "the whole table": "SELECT bool_or(id = {id}) FROM {t}",
    "TABLE": "SELECT id = {id} AS found FROM (TABLE {t}) everything ORDER BY found DESC LIMIT 1",
    "ONLY": "SELECT id FROM ONLY {t} WHERE id = {id}",
    "TABLESAMPLE": "SELECT id FROM {t} TABLESAMPLE SYSTEM (100) WHERE id = {id}",
    "the whole row": "SELECT t::text FROM {t} t WHERE id = {id}",
    "every row as text": "SELECT position({id}::text IN string_agg(t::text, ' ')) > 0 FROM {t} t",
    "every row as JSON": "SELECT position({id}::text IN jsonb_agg(t)::text) > 0 FROM {t} t",
    "count": "SELECT count(*) FROM {t} WHERE id = {id}",
    "count FILTER": "SELECT count(*) FILTER (WHERE id = {id}) FROM {t}",
    "an aggregate": "SELECT array_position(array_agg(id), {id}) FROM {t}",
    "a window": "SELECT count(*) FILTER (WHERE id = {id}) OVER () AS n FROM {t} ORDER BY n DESC LIMIT 1",
    "EXISTS": "SELECT EXISTS (SELECT FROM {t} WHERE id = {id})",
    "NOT EXISTS": "SELECT NOT (NOT EXISTS (SELECT FROM {t} WHERE id = {id}))",
    "IN": "SELECT {id} IN (SELECT id FROM {t})",
    "NOT IN": "SELECT NOT ({id} NOT IN (SELECT id FROM {t}))",
    "ANY": "SELECT {id} = ANY (ARRAY(SELECT id FROM {t}))",
    "a scalar subquery": "SELECT (SELECT to_jsonb(t)::text FROM {t} t WHERE id = {id})",
    "a derived table": "SELECT id FROM (SELECT * FROM {t} OFFSET 0) t WHERE id = {id}",
    "JOIN": "SELECT t.id FROM (VALUES ({id})) wanted (id) JOIN {t} t USING (id)",
    "LEFT JOIN": "SELECT t.id FROM (VALUES ({id})) wanted (id) LEFT JOIN {t} t ON t.id = wanted.id",
    "FULL JOIN": """SELECT max(t.id::text) FROM (VALUES ({id})) wanted (id)
                    FULL JOIN {t} t ON t.id = wanted.id WHERE wanted.id IS NOT NULL""",
    "JOIN from a row of one's own": """SELECT other.id FROM {t} mine JOIN {t} other ON other.id = {id}
                                       WHERE mine.id = {own}""",
    "LATERAL": """SELECT t.id FROM (VALUES ({id})) wanted (id),
                  LATERAL (SELECT id FROM {t} WHERE id = wanted.id) t""",
    "UNION": FIND + " UNION " + FIND,
    "INTERSECT": "SELECT {id} INTERSECT SELECT id FROM {t}",
    "EXCEPT": "SELECT count(*) = 0 FROM (SELECT {id} EXCEPT SELECT id FROM {t}) missing",
    "CTE": "WITH found AS MATERIALIZED (SELECT * FROM {t}) SELECT id FROM found WHERE id = {id}",
    "recursive CTE": """WITH RECURSIVE walk (id, n) AS (SELECT {id}, 0 UNION ALL
                        SELECT t.id, n + 1 FROM walk JOIN {t} t USING (id) WHERE n < 1)
                        SELECT count(*) FROM walk WHERE n = 1""",
    "DECLARE CURSOR": "DECLARE peek SCROLL CURSOR FOR " + FIND + "; FETCH ALL FROM peek",
    "PREPARE": "PREPARE peek (uuid) AS SELECT id FROM {t} WHERE id = $1; EXECUTE peek ({id})",
    "EXPLAIN": "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT JSON) " + FIND,
    "a view of one's own": "CREATE TEMP VIEW peek AS TABLE {t}; SELECT id FROM peek WHERE id = {id}",
    "a table made of it": """CREATE TEMP TABLE peek ON COMMIT DROP AS TABLE {t};
                             SELECT id FROM peek WHERE id = {id}""",
    "SELECT INTO": "SELECT * INTO TEMP peek FROM {t}; SELECT id FROM peek WHERE id = {id}",
    "a function of one's own": """CREATE FUNCTION pg_temp.peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER
                                  AS $$ SELECT count(*) FROM {t} WHERE id = {id} $$; SELECT pg_temp.peek()""",
    "COPY a query": "COPY (SELECT id FROM {t} WHERE id = {id}) TO STDOUT",
    "COPY the table": "COPY {t} (id) TO STDOUT -- {id}",
    "under LOCK TABLE": "LOCK TABLE {t} IN ROW EXCLUSIVE MODE; " + FIND,
    "DO": """DO $$ BEGIN IF EXISTS (SELECT FROM {t} WHERE id = {id}) THEN RAISE 'found'; END IF; END $$;
             SELECT false""",
    "DO with a loop": """DO $$ DECLARE each record; BEGIN
                         FOR each IN EXECUTE 'SELECT id FROM {t}' LOOP
                           IF each.id = {id} THEN RAISE 'found'; END IF;
                         END LOOP; END $$; SELECT false""",
    # Errors that tell: a condition must not be asked about a row that the policy hides.
    "division by zero": "SELECT 1 / (CASE WHEN id = {id} THEN 0 ELSE 1 END) < 0 FROM {t}",
    "division by zero in WHERE": """SELECT count(*) < 0 FROM {t}
                                    WHERE 1 / (CASE WHEN id = {id} THEN 0 ELSE 1 END) = 1""",
    "division by zero in ORDER BY": """SELECT false FROM {t}
                                       ORDER BY 1 / (CASE WHEN id = {id} THEN 0 ELSE 1 END)""",
    "division by zero in JOIN": """SELECT false FROM {t} a JOIN {t} b ON a.id = b.id
                                   AND 1 / (CASE WHEN a.id = {id} THEN 0 ELSE 1 END) = 1""",
    "a cast that fails": """SELECT count(*) < 0 FROM {t}
                            WHERE CASE WHEN id = {id} THEN ('no ' || id)::int ELSE 1 END = 1""",
    "a cheap function that tells": """CREATE FUNCTION pg_temp.tell(uuid) RETURNS boolean LANGUAGE plpgsql
                                      COST 0.0000001 AS $$ BEGIN
                                      IF $1 = {id} THEN RAISE 'found'; END IF; RETURN true; END $$;
                                      SELECT count(*) < 0 FROM {t} WHERE pg_temp.tell(id)""",
    "a cheap operator that tells": """CREATE FUNCTION pg_temp.tell(uuid, uuid) RETURNS boolean
                                      LANGUAGE plpgsql COST 0.0000001 AS $$ BEGIN
                                      IF $1 = $2 THEN RAISE 'found'; END IF; RETURN true; END $$;
                                      CREATE OPERATOR pg_temp.<<< (LEFTARG = uuid, RIGHTARG = uuid,
                                                                   FUNCTION = pg_temp.tell);
                                      SELECT count(*) < 0 FROM {t} WHERE id OPERATOR(pg_temp.<<<) {id}""",
}

# They need the right to change a row, and change it or hold it.
CHANGES = {
    **{
        f"FOR {strength}": f"{FIND} FOR {strength}"
        for strength in (
            "UPDATE",
            "NO KEY UPDATE",
            "SHARE",
            "KEY SHARE",
            "UPDATE SKIP LOCKED",
            "SHARE NOWAIT",
        )
    },
    "UPDATE": "UPDATE {t} SET id = id WHERE id = {id} RETURNING id",
    "UPDATE of everything": "UPDATE {t} SET id = id RETURNING id = {id} AS found",
    "UPDATE ... FROM": """UPDATE {t} SET id = wanted.id FROM (VALUES ({id})) wanted (id)
                          WHERE {t}.id = wanted.id RETURNING true""",
    "UPDATE ... IN": "UPDATE {t} SET id = id WHERE id IN (SELECT id FROM {t} WHERE id = {id}) RETURNING id",
    "UPDATE in a CTE": "WITH changed AS (UPDATE {t} SET id = id WHERE id = {id} RETURNING id) TABLE changed",
    "UPDATE at a cursor": "DECLARE place CURSOR FOR " + FIND + " FOR UPDATE; FETCH FROM place; "
    "UPDATE {t} SET id = id WHERE CURRENT OF place RETURNING id",
    "UPDATE in DO": """DO $$ DECLARE n int; BEGIN UPDATE {t} SET id = id WHERE id = {id};
                       GET DIAGNOSTICS n = ROW_COUNT; IF n > 0 THEN RAISE 'found'; END IF; END $$;
                       SELECT false""",
    "UPDATE that takes it": "UPDATE {t} SET {place} WHERE id = {id} RETURNING id",
    "UPDATE that tells": """UPDATE {t} SET id = id
                            WHERE 1 / (CASE WHEN id = {id} THEN 0 ELSE 1 END) = 1 RETURNING false""",
    "INSERT ... ON CONFLICT": """INSERT INTO {t} SELECT * FROM jsonb_populate_record(NULL::{t}, {row})
                                 ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING id""",
    "MERGE that updates": """MERGE INTO {t} USING (VALUES ({id})) wanted (id) ON {t}.id = wanted.id
                             WHEN MATCHED THEN UPDATE SET id = wanted.id""",
    "MERGE that deletes": """MERGE INTO {t} USING (VALUES ({id})) wanted (id) ON {t}.id = wanted.id
                             WHEN MATCHED THEN DELETE""",
    "DELETE": "DELETE FROM {t} WHERE id = {id} RETURNING id",
    "DELETE of everything": "DELETE FROM {t} RETURNING id = {id} AS found",
    "DELETE ... USING": """DELETE FROM {t} USING (VALUES ({id})) wanted (id)
                           WHERE {t}.id = wanted.id RETURNING true""",
    "DELETE ... IN": "DELETE FROM {t} WHERE id IN (SELECT id FROM {t} WHERE id = {id}) RETURNING id",
    "DELETE in a CTE": "WITH gone AS (DELETE FROM {t} WHERE id = {id} RETURNING id) TABLE gone",
}

# A row of one's own is put where the row with that id lies.
PLANT = "UPDATE {t} SET {place} WHERE id = {own} RETURNING id"

# A new row, {row}, in a place that it names itself.
INSERTIONS = {
    "INSERT": "INSERT INTO {t} SELECT * FROM jsonb_populate_record(NULL::{t}, {row})",
    "INSERT ... VALUES": "INSERT INTO {t} ({columns}) VALUES ({values})",
    "INSERT ... RETURNING": "INSERT INTO {t} ({columns}) VALUES ({values}) RETURNING id",
    "INSERT ... SELECT": """INSERT INTO {t} SELECT made.* FROM {t} mine,
                            jsonb_populate_record(mine, {row}) made WHERE mine.id = {own}""",
    "INSERT ... DO NOTHING": "INSERT INTO {t} ({columns}) VALUES ({values}) ON CONFLICT DO NOTHING",
    "INSERT in a CTE": """WITH made AS (INSERT INTO {t} ({columns}) VALUES ({values}) RETURNING id)
                          TABLE made""",
    "INSERT in DO": "DO $$ BEGIN INSERT INTO {t} ({columns}) VALUES ({values}); END $$",
    "INSERT by PREPARE": "PREPARE peek AS INSERT INTO {t} ({columns}) VALUES ({values}); EXECUTE peek",
    "INSERT by a view": "CREATE TEMP VIEW peek AS TABLE {t}; INSERT INTO peek ({columns}) VALUES ({values})",
    "INSERT by a function": """CREATE FUNCTION pg_temp.plant() RETURNS void LANGUAGE sql SECURITY DEFINER AS
                               $$ INSERT INTO {t} ({columns}) VALUES ({values}) $$; SELECT pg_temp.plant()""",
    "MERGE that inserts": """MERGE INTO {t} USING (SELECT {row_id} AS id) wanted ON {t}.id = wanted.id
                             WHEN NOT MATCHED THEN INSERT ({columns}) VALUES ({values})""",
}

# Nobody who serves may do these, on rows of their own either.
FOR_NOBODY = {
    "TRUNCATE": "TRUNCATE {t}",
    "TRUNCATE CASCADE": "TRUNCATE {t} CASCADE",
    "COPY FROM": "COPY {t} FROM STDIN",
    "COPY to a file": "COPY {t} TO '/tmp/rows'",
    "COPY to a program": "COPY {t} TO PROGRAM 'cat'",
    "policies off": "SET LOCAL row_security = off; TABLE {t}",
    "triggers off": "SET LOCAL session_replication_role = replica",
    "ALTER": "ALTER TABLE {t} DISABLE ROW LEVEL SECURITY",
    "a policy more": "CREATE POLICY more ON {t} USING (true)",
    "a trigger": """CREATE TRIGGER tell BEFORE UPDATE ON {t} FOR EACH ROW
                    EXECUTE FUNCTION suppress_redundant_updates_trigger()""",
    "a rule": "CREATE RULE tell AS ON UPDATE TO {t} DO ALSO NOTIFY told",
    "an index": "CREATE UNIQUE INDEX tell ON {t} (id)",
    "a child table": "CREATE TEMP TABLE peek () INHERITS ({t})",
    "statistics": "SELECT * FROM pg_statistic",
    "pages of the file": "SELECT pg_read_binary_file(pg_relation_filepath('{t}'))",
}
