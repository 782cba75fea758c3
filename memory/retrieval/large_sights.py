"""What the twelfth migration changes for who sees many rows. A landed text is never edited.

The index of words finds all rows that have a word, however few are wanted. A word that stands in tens of
thousands costs tens of milliseconds, only to be called common. So where many rows are in sight, some rows of
the whole table are read first: a word that many of those in sight have is common, and is not asked for.
"""

from __future__ import annotations

from memory.retrieval import functions
from memory.retrieval.functions import COMMON, EXACT, FEW

# With up to so many rows in sight every vector is compared; above, the tenant's own index is asked.
COMPARED = 20_000
# So many rows of the table are read, at even distances.
SAMPLED = 1_000
# A common word stands in so many of those that are in sight, and in one of so many. That is twice `COMMON` of
# `EXACT` rows: chance does not make a rarer word look common.
TELLING, ONE_OF = 10, 20

# For each of the words whether a sample shows it to be common. Never all: then they have to be asked for.
SAMPLE = f"""
CREATE FUNCTION shown_common(wanted text, queries tsquery[]) RETURNS boolean[]
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  blocks bigint := pg_relation_size('memory_indexentry') / current_setting('block_size')::integer;
  spread tid[] := ARRAY(SELECT format('(%s,%s)', i * blocks / {SAMPLED}, 1 + i % 2)::tid
                        FROM generate_series(0, {SAMPLED} - 1) i);
  shown boolean[];
BEGIN
  EXECUTE format($q$
    WITH sample AS MATERIALIZED (
      SELECT e.lexemes FROM (SELECT * FROM memory_indexentry WHERE ctid = ANY ($2) OFFSET 0) e WHERE %s)
    SELECT array_agg(h.times >= greatest({TELLING}, (SELECT count(*) FROM sample) / {ONE_OF}) ORDER BY w.n)
    FROM unnest($1) WITH ORDINALITY w(query, n)
    CROSS JOIN LATERAL (SELECT count(*) AS times FROM sample s WHERE s.lexemes @@ w.query) h
  $q$, wanted) INTO shown USING queries, spread;
  RETURN CASE WHEN false = ANY (shown) THEN shown END;
END $$;
"""

# What has any two of some words, one of them among those that are asked for.
PAIRS = """
CREATE FUNCTION pairs_of(asked tsquery[], words tsquery[]) RETURNS tsquery
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT string_agg(format('(%s & %s)', words[a], words[b]), ' | ')::tsquery
  FROM generate_series(1, cardinality(words)) a, generate_series(1, cardinality(words)) b
  WHERE asked[a] IS NOT NULL AND (a < b OR asked[b] IS NULL)
$$;
"""

# As the seventh migration has it, but for words that are shown to be common: no row is asked for them, and
# they make pairs with the other words alone.
WORDS = f"""
CREATE FUNCTION entries_with_words(
  homes uuid[], place text, rest text, queries tsquery[], rows_there integer, most integer,
  OUT entries uuid[], OUT idf double precision[], OUT seen integer, OUT is_common boolean)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  lookup text := rows_with_words(place || rest, rows_there <= {FEW});
  shown boolean[] := CASE WHEN rows_there > {EXACT} THEN shown_common(place || rest, queries) END;
  asked tsquery[] := ARRAY(SELECT CASE WHEN shown[n] IS NOT TRUE THEN queries[n] END
                           FROM generate_series(1, cardinality(queries)) n ORDER BY n);
  pairs tsquery; paired uuid[];
BEGIN
  EXECUTE format($q$
    WITH hits AS MATERIALIZED (%s),
    counts AS (
      SELECT w.n, CASE WHEN w.query IS NULL THEN {COMMON} + 1 ELSE count(h.id) END AS df
      FROM unnest($1) WITH ORDINALITY w(query, n) LEFT JOIN hits h ON h.n = w.n GROUP BY w.n, w.query),
    frequencies AS MATERIALIZED (
      SELECT n, df, ln(1 + (greatest($3, df) - df + 0.5) / (df + 0.5)) AS weight FROM counts),
    rarest AS (
      SELECT h.id FROM hits h JOIN frequencies f ON f.n = h.n
      GROUP BY h.id ORDER BY bool_and(f.df > {COMMON}), sum(f.weight) DESC, h.id DESC LIMIT $4)
    SELECT ARRAY(SELECT id FROM rarest), ARRAY(SELECT weight FROM frequencies ORDER BY n),
           (SELECT count(DISTINCT id) FROM hits), bool_or(df > {COMMON}),
           CASE WHEN min(df) FILTER (WHERE df > 0) > {COMMON} THEN pairs_of($1, $5) END
    FROM frequencies
  $q$, lookup) INTO entries, idf, seen, is_common, pairs USING asked, homes, rows_there, most, queries;
  IF pairs IS NOT NULL THEN
    EXECUTE format('SELECT array_agg(id) FROM (SELECT id FROM (%s) h LIMIT $3) x', lookup)
      INTO paired USING ARRAY[pairs], homes, most;
    entries := (paired || entries)[1:most];
  END IF;
END $$;
"""

# As the seventh migration has it, but that what is optional is nothing that a row with all words has.
SEARCH = functions.SEARCH.replace(
    "(SELECT sum(weight) FROM unnest(idf) weight)",
    """(SELECT sum(weight) FROM unnest(idf) WITH ORDINALITY i(weight, n)
         WHERE (asked->'optional' @> to_jsonb(n)) IS NOT TRUE)""",
)

FOR_THE_APP: tuple[str, ...] = ()
FOR_THE_OWNER = ("shown_common(text, tsquery[])", "pairs_of(tsquery[], tsquery[])")
