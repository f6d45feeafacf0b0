-- What each server says about its own people: views that the questions read, applied after the
-- tables and before questions.sql, in the same transaction.
--
-- On a coordinator (partitions.sql) these views ask all servers at the same time, so that each
-- server groups the rows that it has, and only groups travel. Everywhere else they read the tables.

CREATE VIEW roqua.server_tiles AS
SELECT grid_mm, tile, count(*) AS people, bit_or(bits)::bit(4096) AS bits
FROM roqua.tiles GROUP BY grid_mm, tile;
COMMENT ON VIEW roqua.server_tiles IS
  'For each server and tile the number of people who explored something of it, and the union of '
  'their cells.';

-- Counts of cells

-- The number of people of each of the 4096 cells of a tile, cut into planes: plane i has bit i of
-- every count, so that one operation on bit strings adds to all of them. There are as many planes
-- as the greatest count needs, the lowest first, and at least one. The aggregates have no initial
-- value, so that they begin with the first row and need not add it to nothing.
CREATE FUNCTION roqua.add_cells(counts bit varying, bits bit) RETURNS bit varying
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  zeros CONSTANT bit(4096) := 0::bit(4096);
  carry bit(4096) := bits;
  plane bit varying;
  place integer := 1;
BEGIN
  WHILE carry <> zeros LOOP
    IF place > length(counts) THEN RETURN counts || carry; END IF;
    plane := substring(counts FROM place FOR 4096);
    counts := overlay(counts PLACING plane # carry FROM place);
    carry := plane & carry;
    place := place + 4096;
  END LOOP;
  RETURN counts;
END $$;
COMMENT ON FUNCTION roqua.add_cells IS 'Adds the cells of one more person to counts of cells.';

CREATE FUNCTION roqua.add_counts(a bit varying, b bit varying) RETURNS bit varying
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  zeros CONSTANT bit(4096) := 0::bit(4096);
  carry bit varying := zeros;
  ours bit varying;
  theirs bit varying;
  sums bit varying := B'';
  place integer := 1;
BEGIN
  WHILE place <= greatest(length(a), length(b)) LOOP
    ours := CASE WHEN place > length(a) THEN zeros ELSE substring(a FROM place FOR 4096) END;
    theirs := CASE WHEN place > length(b) THEN zeros ELSE substring(b FROM place FOR 4096) END;
    sums := sums || (ours # theirs # carry);
    carry := (ours & theirs) | (carry & (ours # theirs));
    place := place + 4096;
  END LOOP;
  RETURN CASE WHEN carry = zeros THEN sums ELSE sums || carry END;
END $$;
COMMENT ON FUNCTION roqua.add_counts IS 'Adds the counts of cells of two groups of people.';

CREATE AGGREGATE roqua.cell_counts(bits bit) (
  SFUNC = roqua.add_cells, STYPE = bit varying, SSPACE = 2600,
  COMBINEFUNC = roqua.add_counts, PARALLEL = SAFE
);
COMMENT ON AGGREGATE roqua.cell_counts(bit) IS
  'How many of the rows have each bit, as planes: the first 4096 bits are the lowest digits of the '
  'counts. Rows with NULL do not count; if there are no others, the result is NULL.';

CREATE AGGREGATE roqua.sum_counts(counts bit varying) (
  SFUNC = roqua.add_counts, STYPE = bit varying, SSPACE = 2600,
  COMBINEFUNC = roqua.add_counts, PARALLEL = SAFE
);
COMMENT ON AGGREGATE roqua.sum_counts(bit varying) IS
  'The sum of counts of cells. Rows with NULL do not count; if there are no others, the result is '
  'NULL.';

-- Compares digit by digit, the lowest first: a count is at least k if its digit is greater, or if
-- it is equal and the lower digits are at least those of k.
CREATE FUNCTION roqua.at_least(counts bit varying, k integer) RETURNS bit(4096)
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  reached bit varying := ~0::bit(4096);
  plane bit varying;
  digits integer := length(counts) / 4096;
BEGIN
  IF k > 0 AND k::bigint >> digits > 0 THEN RETURN 0::bit(4096); END IF;
  FOR digit IN 0 .. digits - 1 LOOP
    plane := substring(counts FROM 4096 * digit + 1 FOR 4096);
    reached := CASE WHEN greatest(k, 0) >> digit & 1 = 1 THEN plane & reached
      ELSE plane | reached END;
  END LOOP;
  RETURN reached;
END $$;
COMMENT ON FUNCTION roqua.at_least(bit varying, integer) IS
  'The cells whose count is at least k.';

CREATE VIEW roqua.server_public_tiles AS
SELECT t.grid_mm, t.tile, count(*) AS people, roqua.cell_counts(t.bits) AS counts
FROM roqua.tiles AS t
JOIN roqua.people AS p ON p.person = t.person
WHERE p.public
GROUP BY t.grid_mm, t.tile;
COMMENT ON VIEW roqua.server_public_tiles IS
  'For each server and tile the number of people who agreed to public pictures and explored '
  'something of it, and how many of them explored each cell.';

CREATE VIEW roqua.server_cities AS
SELECT country_code, city, count(*) AS people, sum(regions)::bigint AS regions,
  sum(visits)::bigint AS visits
FROM (
  -- Grouped by person first, so that people are counted without being compared.
  SELECT r.person, o.country_code, o.city, sum(r.regions) AS regions, sum(r.visits) AS visits
  FROM (
    -- And by place before that, so that few rows are joined.
    SELECT person, place, count(*) AS regions, sum(visit_count)::bigint AS visits
    FROM roqua.regions GROUP BY person, place
  ) AS r
  JOIN roqua.places AS o ON o.person = r.person AND o.place = r.place
  WHERE o.city IS NOT NULL
  GROUP BY r.person, o.country_code, o.city
) AS c
GROUP BY country_code, city;
COMMENT ON VIEW roqua.server_cities IS
  'For each server and city the number of people who visited it, with the regions and visits of '
  'all of them.';

CREATE VIEW roqua.server_nearby AS
SELECT p.person, p.name, r.center, r.first_time, r.last_time, r.visit_count
FROM roqua.regions AS r
JOIN roqua.people AS p ON p.person = r.person
WHERE p.nearby;
COMMENT ON VIEW roqua.server_nearby IS
  'The regions of those who agreed that others may learn who has been near a point.';

CREATE VIEW roqua.server_nearby_visits AS
SELECT p.person, p.name, r.center, v.start_time, v.end_time
FROM roqua.regions AS r
JOIN roqua.people AS p ON p.person = r.person
JOIN roqua.visits AS v ON v.person = r.person AND v.region = r.region
WHERE p.nearby;
COMMENT ON VIEW roqua.server_nearby_visits IS
  'The visits of those who agreed that others may learn who has been near a point.';

-- Every subquery is grouped by person, so that Citus can answer on the workers.
CREATE VIEW roqua.person_summary AS
SELECT
  p.person, p.name,
  coalesce(r.regions, 0) AS regions, coalesce(r.visits, 0) AS visits,
  coalesce(s.sources, 0) AS sources,
  coalesce(t.tiles, 0) AS tiles, coalesce(t.cells, 0) AS cells,
  coalesce(t.square_meters, 0) AS square_meters,
  r.first_time, r.last_time,
  coalesce(c.cities, 0) AS cities, coalesce(c.countries, 0) AS countries
FROM roqua.people AS p
LEFT JOIN (
  SELECT person, count(*) AS regions, sum(visit_count)::bigint AS visits,
    min(first_time) AS first_time, max(last_time) AS last_time
  FROM roqua.regions GROUP BY person
) AS r ON r.person = p.person
LEFT JOIN (
  SELECT person, count(*) AS sources FROM roqua.sources GROUP BY person
) AS s ON s.person = p.person
LEFT JOIN (
  SELECT person, count(*) AS tiles, sum(cells) AS cells, sum(square_meters) AS square_meters
  FROM roqua.tiles GROUP BY person
) AS t ON t.person = p.person
LEFT JOIN (
  -- A city's name is unique only within its country. A place without a country code, such as one
  -- at sea, is in no country.
  SELECT r.person, count(DISTINCT (o.country_code, o.city)) FILTER (WHERE o.city IS NOT NULL)
    AS cities, count(DISTINCT o.country_code) AS countries
  -- Not DISTINCT, for which processes that share the work cannot combine their groups.
  FROM (SELECT person, place FROM roqua.regions GROUP BY person, place) AS r
  JOIN roqua.places AS o ON o.person = r.person AND o.place = r.place
  GROUP BY r.person
) AS c ON c.person = p.person;
COMMENT ON VIEW roqua.person_summary IS
  'A row for each person: the numbers of regions, visits, sources, tiles, cells, cities and '
  'countries, the area in square meters, and the times of the first and the last visit.';

-- What a coordinator reads

-- postgres_fdw receives values as text. A bit string as text has a digit for each bit; hexadecimal
-- digits after an x, which PostgreSQL also reads as a bit string, are a quarter as many. The first
-- 4 bytes of varbit_send are the number of bits.
CREATE FUNCTION roqua.hexadecimal(bits bit varying) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN 'x' || encode(substring(varbit_send(bits) FROM 5), 'hex');
COMMENT ON FUNCTION roqua.hexadecimal IS
  'Text that can be cast to the same bits; their number must be a multiple of 8.';

CREATE VIEW roqua.server_tiles_sent AS
SELECT grid_mm, tile, people, roqua.hexadecimal(bits) AS bits FROM roqua.server_tiles;
COMMENT ON VIEW roqua.server_tiles_sent IS 'server_tiles for a coordinator.';

CREATE VIEW roqua.server_public_tiles_sent AS
SELECT grid_mm, tile, people, roqua.hexadecimal(counts) AS counts FROM roqua.server_public_tiles;
COMMENT ON VIEW roqua.server_public_tiles_sent IS 'server_public_tiles for a coordinator.';

-- A view cannot ask for more memory than the usual 4 MB for each step of its plan, and counting
-- cities takes a group for each person and place. top_cities asks for it on one server.
CREATE FUNCTION roqua.count_cities()
RETURNS TABLE (country_code text, city text, people bigint, regions bigint, visits bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 20000 SET work_mem = '64MB' AS $$
BEGIN
  RETURN QUERY SELECT c.* FROM roqua.server_cities AS c;
END $$;
COMMENT ON FUNCTION roqua.count_cities IS 'server_cities, with 64 MB of memory for each step.';

CREATE VIEW roqua.server_cities_sent AS SELECT * FROM roqua.count_cities();
COMMENT ON VIEW roqua.server_cities_sent IS 'server_cities for a coordinator.';

-- On a coordinator each view is replaced by foreign tables of all servers, which read the view of
-- the same name there, or the one whose name ends with _sent.
DO $$
DECLARE
  servers CONSTANT text[] := coalesce(
    string_to_array(nullif(current_setting('roqua.servers', true), ''), ','), '{}');
  name text;
  columns text;
  selected text;
  server text;
  parts text[];
BEGIN
  IF servers = '{}' OR coalesce(current_setting('roqua.server', true), '') <> '' THEN
    RETURN;
  END IF;
  DROP VIEW roqua.server_tiles_sent, roqua.server_public_tiles_sent, roqua.server_cities_sent;
  DROP FUNCTION roqua.count_cities;
  FOREACH name IN ARRAY ARRAY[
    'server_tiles', 'server_public_tiles', 'server_cities', 'server_nearby',
    'server_nearby_visits', 'person_summary']
  LOOP
    -- A server sends bits as text. The view casts them, and postgres_fdw does not send such casts,
    -- so that no condition on bits reaches a server, where it would be one on text.
    SELECT
      string_agg(format('%I %s', attname, CASE WHEN is_bits THEN 'text' ELSE type END), ', '
        ORDER BY attnum),
      string_agg(format(CASE WHEN is_bits THEN '%1$I::%2$s AS %1$I' ELSE '%1$I' END,
        attname, type), ', ' ORDER BY attnum)
    INTO columns, selected
    FROM (
      SELECT attname, attnum, format_type(atttypid, atttypmod) AS type,
        atttypid IN ('bit'::regtype, 'varbit'::regtype) AS is_bits
      FROM pg_attribute
      WHERE attrelid = format('roqua.%I', name)::regclass AND attnum > 0
    ) AS a;
    parts := '{}';
    FOREACH server IN ARRAY servers LOOP
      EXECUTE format(
        'CREATE FOREIGN TABLE roqua.%I (%s) SERVER %I OPTIONS (schema_name ''roqua'', '
        'table_name %L, async_capable ''true'', fetch_size ''1000'')',
        name || '_of_' || server, columns, server,
        name || CASE WHEN name IN ('server_tiles', 'server_public_tiles', 'server_cities')
          THEN '_sent' ELSE '' END);
      parts := parts || format('SELECT %s FROM roqua.%I', selected, name || '_of_' || server);
    END LOOP;
    EXECUTE format(
      'CREATE OR REPLACE VIEW roqua.%I AS %s', name, array_to_string(parts, ' UNION ALL '));
  END LOOP;
END $$;
