"""The SQL functions of search, as the seventh migration makes them. A landed text is never edited.

`@@` is not leakproof, so under a policy its GIN index would not be used: these functions look past the
policies and hold the same condition themselves, from the same text (`tenants.rls.WORKSPACE`), beside the
tenant and workspaces that the first lock names. They are STABLE, so that all statements of a search see one
state of the table.
"""

from __future__ import annotations

from tenants.rls import WORKSPACE

# Words in more rows than this are common: they score, and bring in rows only where no rarer word does.
COMMON = 1_000
# So many of the rows that have the rarest words are scored exactly.
SCORED = 300
# So many rows in sight are read for their words one by one; above, the index of words is asked.
FEW = 200
# With up to so many rows in sight every vector is compared; above, the tenant's own index is asked.
EXACT = 40_000

LISTS = """
CREATE FUNCTION texts_of(list jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN list IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(list)) END
$$;
"""

# The conditions on rows `e` as SQL, from what is asked for; every value in it is quoted. `homes` are the
# workspaces in reach, NULL where there are none; `place` is what the narrow index answers alone, `rest` all
# else. What the JSON does not name is no condition.
CONDITION = """
CREATE FUNCTION condition_on_entries(
  asked jsonb, OUT here uuid, OUT homes uuid[], OUT place text, OUT rest text)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  day text := quote_literal(asked->>'as_of') || '::timestamptz';
  tags text := quote_literal(texts_of(asked->'tags')::text) || '::text[]';
BEGIN
  here := coalesce((asked->>'tenant')::uuid, my_tenant());
  SELECT array_agg(w.id) INTO homes FROM tenants_workspace w
  WHERE w.tenant_id = here AND {policy}
    AND (asked->'reach' IS NULL OR asked->'reach' ? w.id::text)
    AND (asked->'workspaces' IS NULL OR asked->'workspaces' ? w.id::text);
  place := concat_ws(' AND ',
    format('e.tenant_id = %L AND e.workspace_id = ANY (%L::uuid[])', here, homes),
    'e.kind = ANY (' || quote_literal(texts_of(asked->'kinds')::text) || '::text[])',
    'e.container_id = ANY (' || quote_literal(texts_of(asked->'containers')::text) || '::uuid[])');
  rest := concat_ws(' AND ', '',
    format('(e.expires_at IS NULL OR e.expires_at > %L::timestamptz)', statement_timestamp()),
    'e.role = ANY (' || quote_literal(texts_of(asked->'roles')::text) || '::text[])',
    'lower(e.speaker) = ANY (' || quote_literal(lower(texts_of(asked->'speakers')::text)) || '::text[])',
    'e.record_id IN (SELECT p.id FROM memory_passage p WHERE p.tenant_id = ' || quote_literal(here)
      || ' AND p.document_id = ANY (' || quote_literal(texts_of(asked->'documents')::text) || '::uuid[]))',
    CASE asked->>'tag_mode' WHEN 'all' THEN 'e.tags::text[] @> ' || tags
                            WHEN 'none' THEN 'NOT e.tags::text[] && ' || tags
                            ELSE 'e.tags::text[] && ' || tags END,
    'e.occurred_at >= ' || quote_literal(asked->>'since') || '::timestamptz',
    'e.occurred_at <= ' || quote_literal(asked->>'until') || '::timestamptz',
    CASE WHEN day IS NULL
      THEN format('e.state = ANY (%L::text[])', array_remove(texts_of(asked->'states'), 'hidden'))
      ELSE 'e.state <> ''hidden'' AND coalesce(e.valid_from, e.occurred_at) <= ' || day
           || ' AND (e.valid_to IS NULL OR e.valid_to > ' || day || ')' END,
    'e.trust >= ' || (asked->>'min_trust')::integer,
    'e.id <= ' || quote_literal(asked->>'before') || '::uuid',
    'e.record_id <> ALL (' || quote_literal(texts_of(asked->'without')::text) || '::uuid[])');
END $$;
"""

# Candidates of both rankings with both scores, in no order. `words` are quoted lexemes, `weights` those of a
# lexeme's D, C, B and A places. `lexical` is BM25's sum of idf times saturating frequency, where `ts_rank` of
# one lexeme (times pi squared / 6) is the frequency, and `own` the same of A places alone; `complete` is the
# sum of idf, about what a row gets that has all words. `matched` has a bit per word that has A places. One
# query vector per embedding model.
SEARCH = f"""
CREATE FUNCTION search_entries(
  asked jsonb, words text[], weights real[], models text[], vectors text[], most integer)
RETURNS TABLE (
  id uuid, kind varchar, record_id uuid, container_id uuid, workspace_id uuid, place bigint, role varchar,
  speaker varchar, occurred_at timestamptz, valid_to timestamptz, state varchar, trust smallint,
  importance double precision, accessed_at timestamptz, tags varchar[], length integer, digest varchar,
  lexical double precision, own double precision, matched bigint, model varchar, similarity double precision,
  complete double precision, seen integer, is_common boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  held record;
  queries tsquery[] := words::tsquery[];
  rows_there integer;
  idf double precision[];
  worded uuid[] := '{{}}';
  near uuid[] := '{{}}';
  ranks text; score text; own_score text; matches text;
BEGIN
  SELECT * INTO held FROM condition_on_entries(asked);
  IF held.homes IS NULL THEN
    RETURN;
  END IF;
  -- Neither pays for a query of some milliseconds.
  PERFORM set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true);
  EXECUTE format('SELECT count(*) FROM (SELECT FROM memory_indexentry e WHERE %s LIMIT {EXACT} + 1) x',
                 held.place) INTO rows_there;
  IF cardinality(queries) > 0 THEN
    SELECT w.entries, w.idf, w.seen, w.is_common INTO worded, idf, seen, is_common
    FROM entries_with_words(held.homes, held.place, held.rest, queries, rows_there, {SCORED}) w;
  END IF;
  FOR i IN 1 .. coalesce(cardinality(models), 0) LOOP
    near := near || entries_near(held.here, held.place || held.rest, models[i], vectors[i], rows_there, most);
  END LOOP;
  SELECT string_agg(format('ts_rank(%1$L, e.lexemes, %2$L) AS r%3$s, ts_rank(%4$L, e.lexemes, %2$L) AS a%3$s',
                           weights, queries[n], n, '{{0,0,0,1}}'), ', '),
         string_agg(format('%s * 2 * (1 - n / (1.6449 * r%s + n))', idf[n], n), ' + '),
         string_agg(format('%s * 2 * (1 - n / (1.6449 * a%s + n))', idf[n], n), ' + '),
         string_agg(format('((a%s > 0)::integer::bigint << %s)', n, n - 1), ' | ')
  INTO ranks, score, own_score, matches FROM generate_series(1, cardinality(queries)) n;
  RETURN QUERY EXECUTE format($q$
    WITH scored AS (
      SELECT e.id, e.kind, e.record_id, e.container_id, e.workspace_id, e.place, e.role, e.speaker,
             e.occurred_at, e.valid_to, e.state, e.trust, e.importance, e.accessed_at, e.tags, e.length,
             e.digest, (%2$s)::double precision AS lexical, (%5$s)::double precision AS own,
             (%3$s)::bigint AS matched, e.embedded_by,
             -(e.vector <#> v.query) AS similarity
      FROM memory_indexentry e
      CROSS JOIN LATERAL (SELECT 0.8 + 0.2 * sqrt(e.length / 40.0)::double precision AS n, %1$s OFFSET 0) r
      LEFT JOIN unnest($1, $2) v(model, query) ON v.model = e.embedded_by
      WHERE e.id = ANY ($3) AND %4$s)
    SELECT e.*, $5, $6, $7 FROM scored e
    WHERE e.id = ANY ($8) OR e.id IN (
      SELECT b.id FROM scored b WHERE b.lexical > 0 ORDER BY b.lexical DESC, b.id DESC LIMIT $4)
  $q$, coalesce(ranks, '0 AS r0'), coalesce(score, '0'), coalesce(matches, '0'), held.place || held.rest,
       coalesce(own_score, '0'))
  USING models, vectors::halfvec[], worded || near, most,
        (SELECT sum(weight) FROM unnest(idf) weight), seen, is_common, near;
END $$;
"""

# The rows that have the rarest of the words, at most `most`; the weight of each word (inverse document
# frequency among the rows in sight, as BM25 has it); in how many rows any of them was seen, and whether
# counting stopped early. Where all words are common, rows with two of them come first.
WORDS = f"""
CREATE FUNCTION entries_with_words(
  homes uuid[], place text, rest text, queries tsquery[], rows_there integer, most integer,
  OUT entries uuid[], OUT idf double precision[], OUT seen integer, OUT is_common boolean)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  lookup text := rows_with_words(place || rest, rows_there <= {FEW});
  pairs tsquery; paired uuid[];
BEGIN
  EXECUTE format($q$
    WITH hits AS MATERIALIZED (%s),
    frequencies AS MATERIALIZED (
      SELECT w.n, count(h.id) AS df,
             ln(1 + (greatest($3, count(h.id)) - count(h.id) + 0.5) / (count(h.id) + 0.5)) AS weight
      FROM generate_series(1, cardinality($1)) w(n) LEFT JOIN hits h ON h.n = w.n GROUP BY w.n),
    rarest AS (
      SELECT h.id FROM hits h JOIN frequencies f ON f.n = h.n
      GROUP BY h.id ORDER BY bool_and(f.df > {COMMON}), sum(f.weight) DESC, h.id DESC LIMIT $4)
    SELECT ARRAY(SELECT id FROM rarest), ARRAY(SELECT weight FROM frequencies ORDER BY n),
           (SELECT count(DISTINCT id) FROM hits), bool_or(df > {COMMON}),
           CASE WHEN min(df) FILTER (WHERE df > 0) > {COMMON} THEN pairs_of($1) END
    FROM frequencies
  $q$, lookup) INTO entries, idf, seen, is_common, pairs USING queries, homes, rows_there, most;
  IF pairs IS NOT NULL THEN
    EXECUTE format('SELECT array_agg(id) FROM (SELECT id FROM (%s) h LIMIT $3) x', lookup)
      INTO paired USING ARRAY[pairs], homes, most;
    entries := (paired || entries)[1:most];
  END IF;
END $$;
"""

# Rows with each of the words `$1`, as (n, id). Few rows are read one by one; otherwise the index is asked by
# workspace (`$2`) and word and by nothing else, for so many rows a word at most: the planner, which cannot
# tell how rare a word is, would read other workspaces' words.
LOOKUP = f"""
CREATE FUNCTION rows_with_words(wanted text, are_few boolean) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT format(CASE WHEN are_few THEN $q$
    SELECT w.n, e.id FROM (SELECT e.id, e.lexemes FROM memory_indexentry e WHERE %s OFFSET 0) e
    JOIN unnest($1) WITH ORDINALITY w(query, n) ON e.lexemes @@ w.query
  $q$ ELSE $q$
    SELECT w.n, h.id FROM unnest($1) WITH ORDINALITY w(query, n)
    CROSS JOIN LATERAL (
      SELECT r.id FROM unnest($2) home(id)
      CROSS JOIN LATERAL (SELECT e.id, (%s) AS is_wanted FROM memory_indexentry e
                          WHERE e.workspace_id = home.id AND e.lexemes @@ w.query OFFSET 0) r
      WHERE r.is_wanted LIMIT {COMMON} + 1) h
  $q$ END, wanted)
$$;

-- What has any two of some words.
CREATE FUNCTION pairs_of(words tsquery[]) RETURNS tsquery
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT string_agg(format('(%s & %s)', words[a], words[b]), ' | ')::tsquery
  FROM generate_series(1, cardinality(words)) a, generate_series(1, cardinality(words)) b WHERE a < b
$$;
"""

# The rows nearest to a query vector, at most `most`: exactly, or where many rows are in sight by the tenant's
# index for this model (`memory.scale.vector_index`), and exactly where that finds too few.
NEAR = """
CREATE FUNCTION entries_near(
  here uuid, wanted text, model text, vector text, rows_there integer, most integer)
RETURNS uuid[] LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  found uuid[];
  nearest text := format($q$
    SELECT array_agg(id) FROM (
      SELECT e.id FROM memory_indexentry e WHERE %s AND e.embedded_by = %L
      ORDER BY %%s LIMIT %s) x$q$, replace(wanted, '%', '%%'), model, most);
BEGIN
  IF rows_there > {exact} AND EXISTS (
    SELECT FROM pg_index
    WHERE indexrelid = to_regclass('vectors_' || md5(here::text || model)) AND indisvalid)
  THEN
    PERFORM set_config('hnsw.ef_search', '200', true),
            set_config('hnsw.iterative_scan', 'relaxed_order', true);
    EXECUTE format(nearest, format('e.vector::halfvec(%1$s) <#> %2$L::halfvec(%1$s)',
                                   vector_dims(vector::halfvec), vector)) INTO found;
  END IF;
  IF coalesce(cardinality(found), 0) < most THEN
    EXECUTE format(nearest, format('(e.vector <#> %L::halfvec) + 0', vector)) INTO found;
  END IF;
  RETURN coalesce(found, '{}');
END $$;
"""

# The newest rows that have any of the words, or all rows where there are none; and how many there are,
# counted up to a limit.
LISTED = """
CREATE FUNCTION list_entries(asked jsonb, words text[], most integer, skipped integer, counted integer)
RETURNS TABLE (ids uuid[], total integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  held record;
  wanted text;
BEGIN
  SELECT * INTO held FROM condition_on_entries(asked);
  IF held.homes IS NULL THEN
    RETURN;
  END IF;
  SELECT held.place || held.rest
         || coalesce(' AND e.lexemes @@ ' || quote_literal(string_agg(word, ' | ')) || '::tsquery', '')
  INTO wanted FROM unnest(words) word;
  RETURN QUERY EXECUTE format($q$
    SELECT ARRAY(SELECT e.id FROM memory_indexentry e WHERE %1$s
                 ORDER BY e.occurred_at DESC, e.record_id DESC LIMIT $1 OFFSET $2),
           (SELECT count(*)::integer FROM (SELECT FROM memory_indexentry e WHERE %1$s LIMIT $3) c)
  $q$, wanted) USING most, skipped, counted;
END $$;
"""

FOR_THE_APP = (
    "search_entries(jsonb, text[], real[], text[], text[], integer)",
    "list_entries(jsonb, text[], integer, integer, integer)",
)
FOR_THE_OWNER = (
    "texts_of(jsonb)",
    "condition_on_entries(jsonb)",
    "rows_with_words(text, boolean)",
    "pairs_of(tsquery[])",
    "entries_with_words(uuid[], text, text, tsquery[], integer, integer)",
    "entries_near(uuid, text, text, text, integer, integer)",
)


def condition(policy: str = WORKSPACE, *, again: bool = False) -> str:
    """The function that holds the second lock, with this policy in it; `again` where it is there already."""
    made = CONDITION.replace("{policy}", policy.format(tenant="w.tenant_id", workspace="w.id"))
    return replacing(made) if again else made


def near(exact: int = EXACT, *, again: bool = False) -> str:
    """The function that compares vectors: each of at most so many rows; `again` where it is there already."""
    made = NEAR.replace("{exact}", str(exact))
    return replacing(made) if again else made


def all_functions() -> list[str]:
    """Every statement, in the order in which they are made."""
    return [LISTS, condition(), LOOKUP, WORDS, near(), SEARCH, LISTED]


def replacing(statement: str) -> str:
    """A statement that makes functions, where they are there already."""
    return statement.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
