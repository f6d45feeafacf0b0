-- Questions about many people: functions that are applied after servers.sql, in the same
-- transaction. They need PostgreSQL 14 or later.
--
-- Languages. Functions that read a table and take parameters are in PL/pgSQL, because Citus cannot
-- plan a query with parameters of an SQL function (nothing here has been run on Citus yet).
-- tile_area is in PL/pgSQL for its loop. The others are in SQL with a parsed body, whose names were
-- resolved here and do not depend on the caller's search_path. No statement is dynamic.
--
-- Memory. top_cities may use 64 MB for each step of its plan instead of the usual 4 MB, because it
-- has a group for each person and place. More memory makes union_tiles slower, because PostgreSQL
-- then does not use the order of the index tiles_by_tile (Benchmarks/many --set work_mem=256MB).
--
-- Rights. A new schema is closed to everybody but its owner, and so are its tables. Three functions
-- run with the rights of their owner (SECURITY DEFINER), because they show to the public what is
-- computed from tables that the public cannot read: public_tiles, public_people_per_tile and
-- people_near. They obey the consent in people, and nobody may call them until the owner says so:
--
--   GRANT USAGE ON SCHEMA roqua TO somebody;
--   GRANT EXECUTE ON FUNCTION roqua.public_tiles, roqua.public_people_per_tile TO somebody;
--   GRANT EXECUTE ON FUNCTION roqua.people_near TO somebody;
--
-- The first two grants are enough for mvt. Everything else that reads a table needs SELECT on it.

-- The functions below must not look for names where somebody else may create them.
DO $$ BEGIN
  IF current_setting('search_path') NOT LIKE 'pg_catalog, %, pg_temp' THEN
    RAISE EXCEPTION 'run all files in one transaction';
  END IF;
END $$;

-- People

CREATE FUNCTION roqua.person_key(name text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || left(encode(sha256(convert_to(name, 'UTF8')), 'hex'), 16))::bit(64)::bigint;
COMMENT ON FUNCTION roqua.person_key IS
  'The key of a person: the first 8 bytes of the SHA-256 of the name in UTF-8, big endian.';

CREATE FUNCTION roqua.server_of(person bigint) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN (
  SELECT s.srvname FROM pg_inherits AS i
  JOIN pg_class AS c ON c.oid = i.inhrelid
  JOIN pg_foreign_table AS f ON f.ftrelid = i.inhrelid
  JOIN pg_foreign_server AS s ON s.oid = f.ftserver,
  regexp_match(pg_get_expr(c.relpartbound, c.oid), 'modulus (\d+), remainder (\d+)') AS m
  WHERE i.inhparent = 'roqua.people'::regclass
    AND satisfies_hash_partition(i.inhparent, m[1]::integer, m[2]::integer, person)
);
COMMENT ON FUNCTION roqua.server_of IS
  'On a coordinator, the name of the server that has the rows of a person; NULL elsewhere.';

-- The grid

-- Edges are counted in units of 1/222,000,000 degree from 90° S and 180° W, of which there are
-- 39,960,000,000 and 79,920,000,000; a cell is grid_mm units wide. docs/formats/coverage.md
-- defines the grid.
CREATE FUNCTION roqua.tile_columns(grid_mm integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (((79920000000 + grid_mm - 1) / grid_mm + 63) / 64)::integer;
COMMENT ON FUNCTION roqua.tile_columns IS
  'The number of tiles around the Earth in the grid of an exploration radius in millimeters.';

CREATE FUNCTION roqua.tile_row(grid_mm integer, tile bigint) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (tile / roqua.tile_columns(grid_mm))::integer;
COMMENT ON FUNCTION roqua.tile_row IS 'The row of a tile, counted from 90° S.';

CREATE FUNCTION roqua.tile_column(grid_mm integer, tile bigint) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (tile % roqua.tile_columns(grid_mm))::integer;
COMMENT ON FUNCTION roqua.tile_column IS 'The column of a tile, counted from 180° W.';

CREATE FUNCTION roqua.tile_bounds(grid_mm integer, tile bigint) RETURNS geometry
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ST_MakeEnvelope(
  64::bigint * grid_mm * roqua.tile_column(grid_mm, tile) / 222e6::float8 - 180,
  64::bigint * grid_mm * roqua.tile_row(grid_mm, tile) / 222e6::float8 - 90,
  least(64::bigint * grid_mm * (roqua.tile_column(grid_mm, tile) + 1), 79920000000)
    / 222e6::float8 - 180,
  least(64::bigint * grid_mm * (roqua.tile_row(grid_mm, tile) + 1), 39960000000)
    / 222e6::float8 - 90,
  4326);
COMMENT ON FUNCTION roqua.tile_bounds IS
  'The rectangle of a tile in degrees; the last tile of a row or column ends at 180° E or 90° N.';

-- For each row of cells R²·Δλ·(sin φ₂ − sin φ₁), with 2·cos((φ₁ + φ₂)/2)·sin((φ₂ − φ₁)/2) for the
-- difference, which keeps all digits, and the cosine as the sine of the distance from the nearer
-- pole. halved is π / 180 / 222,000,000 / 2. The last column of the grid can be narrower than
-- the others by excess units.
CREATE FUNCTION roqua.tile_area(grid_mm integer, tile bigint, bits bit(4096))
RETURNS double precision LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  halved CONSTANT double precision := pi() / 79920000000;
  columns CONSTANT bigint := (79920000000 + grid_mm - 1) / grid_mm;
  tile_columns CONSTANT bigint := (columns + 63) / 64;
  excess CONSTANT bigint := columns * grid_mm - 79920000000;
  last_column CONSTANT integer := CASE
    WHEN excess > 0 AND tile % tile_columns = tile_columns - 1 THEN (columns - 1) % 64 END;
  south bigint := tile / tile_columns * 64 * grid_mm;
  north bigint;
  width bigint;
  total double precision := 0;
BEGIN
  -- Most rows of most tiles are empty.
  FOR i IN 0 .. 63 LOOP
    EXIT WHEN south >= 39960000000;
    width := bit_count(substring(bits FROM 64 * i + 1 FOR 64)) * grid_mm;
    IF width > 0 THEN
      IF last_column IS NOT NULL THEN
        width := width - get_bit(bits, 64 * i + last_column) * excess;
      END IF;
      north := least(south + grid_mm, 39960000000);
      total := total + width * sin(least(south + north, 79920000000 - south - north) * halved)
        * sin((north - south) * halved);
    END IF;
    south := south + grid_mm;
  END LOOP;
  RETURN 6371007.2::float8 ^ 2 * 4 * halved * total;
END $$;
COMMENT ON FUNCTION roqua.tile_area IS
  'The area in square meters of the cells of a tile on the authalic sphere.';

-- What several people explored

CREATE FUNCTION roqua.union_tiles(persons bigint[] DEFAULT NULL, grid integer DEFAULT 150000)
RETURNS TABLE (tile bigint, people bigint, cells bigint, bits bit(4096))
LANGUAGE plpgsql STABLE PARALLEL SAFE SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
BEGIN
  IF union_tiles.persons IS NULL THEN
    RETURN QUERY
    SELECT t.tile, sum(t.people)::bigint, bit_count(bit_or(t.bits)), bit_or(t.bits)::bit(4096)
    FROM roqua.server_tiles AS t
    WHERE t.grid_mm = union_tiles.grid
    GROUP BY t.tile;
  ELSE
    RETURN QUERY
    SELECT t.tile, count(*), bit_count(bit_or(t.bits)), bit_or(t.bits)::bit(4096)
    FROM roqua.tiles AS t
    WHERE t.grid_mm = union_tiles.grid AND t.person = ANY (union_tiles.persons)
    GROUP BY t.tile;
  END IF;
END $$;
COMMENT ON FUNCTION roqua.union_tiles IS
  'The tiles that any of the persons, or anybody if NULL, explored: how many of them, and the '
  'cells that at least one of them explored.';

CREATE FUNCTION roqua.explored_area(persons bigint[] DEFAULT NULL, grid integer DEFAULT 150000)
RETURNS double precision LANGUAGE sql STABLE PARALLEL SAFE
RETURN (
  SELECT coalesce(sum(roqua.tile_area(grid, u.tile, u.bits)), 0)
  FROM roqua.union_tiles(persons, grid) AS u
);
COMMENT ON FUNCTION roqua.explored_area IS
  'The area in square meters of the cells that any of the persons, or anybody if NULL, explored.';

CREATE FUNCTION roqua.people_per_tile(grid integer DEFAULT 150000)
RETURNS TABLE (tile bigint, people bigint) LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT t.tile, sum(t.people)::bigint FROM roqua.server_tiles AS t
  WHERE t.grid_mm = people_per_tile.grid GROUP BY t.tile;
END $$;
COMMENT ON FUNCTION roqua.people_per_tile IS 'How many people explored something of each tile.';

-- Cities

CREATE FUNCTION roqua.top_cities(count integer DEFAULT 100)
RETURNS TABLE (country_code text, city text, people bigint, regions bigint, visits bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET work_mem = '64MB' AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT c.country_code, c.city, sum(c.people)::bigint, sum(c.regions)::bigint,
    sum(c.visits)::bigint
  FROM roqua.server_cities AS c
  GROUP BY c.country_code, c.city
  ORDER BY 3 DESC, 4 DESC, 5 DESC, 1, 2
  LIMIT top_cities.count;
END $$;
COMMENT ON FUNCTION roqua.top_cities IS
  'The cities that the most people visited, with the regions and visits of all of them.';

CREATE FUNCTION roqua.top_cities_of(person bigint, count integer DEFAULT 100)
RETURNS TABLE (country_code text, city text, regions bigint, visits bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT o.country_code, o.city, count(*), sum(r.visit_count)::bigint
  FROM roqua.regions AS r
  JOIN roqua.places AS o ON o.person = r.person AND o.place = r.place
  WHERE r.person = top_cities_of.person AND o.city IS NOT NULL
  GROUP BY o.country_code, o.city
  ORDER BY 3 DESC, 4 DESC, 1, 2
  LIMIT top_cities_of.count;
END $$;
COMMENT ON FUNCTION roqua.top_cities_of IS
  'The cities in which a person visited the most regions, with the visits.';

-- Pictures for the public

-- A tile is a square of nearly 5 km in which many people have been, most of them in its center.
-- If a picture showed every cell of such a tile, the lane to a lonely house would be in it, walked
-- by one person only. Therefore each cell must reach k, and not only the tile. k is never below
-- about.minimum_people; without a row in about nothing is shown. Comparing pictures of two days
-- still shows when the k-th person came; publish seldom if that matters.
CREATE FUNCTION roqua.public_people_per_tile(
  k integer DEFAULT NULL, grid integer DEFAULT 150000, tiles bigint[] DEFAULT NULL
) RETURNS TABLE (tile bigint, people bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
  minimum CONSTANT integer := (SELECT a.minimum_people FROM roqua.about AS a);
  needed CONSTANT integer := greatest(public_people_per_tile.k, minimum);
BEGIN
  RETURN QUERY
  SELECT t.tile, sum(t.people)::bigint
  FROM roqua.server_public_tiles AS t
  WHERE t.grid_mm = public_people_per_tile.grid AND minimum IS NOT NULL
    AND (public_people_per_tile.tiles IS NULL OR t.tile = ANY (public_people_per_tile.tiles))
  GROUP BY t.tile
  HAVING sum(t.people) >= needed;
END $$;
COMMENT ON FUNCTION roqua.public_people_per_tile IS
  'How many of the people who agreed to public pictures explored something of each of the tiles, '
  'or of all if NULL; only where that is at least k and at least about.minimum_people.';

CREATE FUNCTION roqua.public_tiles(
  k integer DEFAULT NULL, grid integer DEFAULT 150000, tiles bigint[] DEFAULT NULL
) RETURNS TABLE (tile bigint, people bigint, cells bigint, bits bit(4096))
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
  minimum CONSTANT integer := (SELECT a.minimum_people FROM roqua.about AS a);
  needed CONSTANT integer := greatest(public_tiles.k, minimum);
BEGIN
  RETURN QUERY
  SELECT s.tile, s.people, bit_count(s.bits), s.bits
  FROM (
    SELECT t.tile, sum(t.people)::bigint AS people,
      roqua.at_least(roqua.sum_counts(t.counts), needed) AS bits
    FROM roqua.server_public_tiles AS t
    WHERE t.grid_mm = public_tiles.grid AND minimum IS NOT NULL
      AND (public_tiles.tiles IS NULL OR t.tile = ANY (public_tiles.tiles))
    GROUP BY t.tile
    HAVING sum(t.people) >= needed
  ) AS s;
END $$;
COMMENT ON FUNCTION roqua.public_tiles IS
  'The tiles, of those given or of all if NULL, that at least k of the people who agreed to public '
  'pictures explored: how many of them, and only the cells that at least k of them explored, '
  'possibly none. k is at least about.minimum_people.';

-- People near a point

-- No farther than 1 km, and in steps of 50 m: exact distances from three points would show where
-- somebody has been.
--
-- The calls of PostGIS name every parameter, so that no function with fewer parameters, which
-- somebody could create in the schema of PostGIS, is a better match.
CREATE FUNCTION roqua.people_near(
  latitude double precision, longitude double precision, meters double precision,
  since timestamptz DEFAULT NULL, until timestamptz DEFAULT NULL
) RETURNS TABLE (
  person bigint, name text, nearest_meters double precision, first_visit timestamptz,
  last_visit timestamptz, visits bigint
)
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER
SET search_path FROM CURRENT SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
  point CONSTANT geography :=
    ST_SetSRID(ST_MakePoint(people_near.longitude, people_near.latitude), 4326)::geography;
BEGIN
  IF people_near.since IS NULL AND people_near.until IS NULL THEN
    -- Visits without a time count here, so the numbers are those of the regions.
    RETURN QUERY
    SELECT r.person, r.name, 50 * ceil(min(ST_Distance(r.center, point, true)) / 50),
      min(r.first_time), max(r.last_time), sum(r.visit_count)::bigint
    FROM roqua.server_nearby AS r
    WHERE ST_DWithin(r.center, point, least(people_near.meters, 1000), true)
    GROUP BY r.person, r.name
    ORDER BY 3, 1;
  ELSE
    RETURN QUERY
    SELECT v.person, v.name, 50 * ceil(min(ST_Distance(v.center, point, true)) / 50),
      min(v.start_time), max(v.end_time), count(*)
    FROM roqua.server_nearby_visits AS v
    WHERE ST_DWithin(v.center, point, least(people_near.meters, 1000), true)
      AND v.end_time >= coalesce(people_near.since, '-infinity')
      AND v.start_time <= coalesce(people_near.until, 'infinity')
    GROUP BY v.person, v.name
    ORDER BY 3, 1;
  END IF;
END $$;
COMMENT ON FUNCTION roqua.people_near IS
  'The people who agreed to it and visited a region whose center is within a distance of a point, '
  'at most 1,000 m, the nearest first; nearest_meters is rounded up to 50 m. With since or until, '
  'only visits that overlap that time count.';

REVOKE ALL ON FUNCTION
  roqua.public_people_per_tile, roqua.public_tiles, roqua.people_near FROM PUBLIC;

-- Vector tiles

CREATE FUNCTION roqua.web_rectangle(
  west double precision, south double precision, east double precision, north double precision
) RETURNS geometry LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ST_MakeEnvelope(
  6378137 * pi() * (west / 39960000000 - 1),
  6378137 * asinh(tan(radians(least(greatest(south / 222e6 - 90, -88), 88)))),
  6378137 * pi() * (east / 39960000000 - 1),
  6378137 * asinh(tan(radians(least(greatest(north / 222e6 - 90, -88), 88)))),
  3857);
COMMENT ON FUNCTION roqua.web_rectangle IS
  'A rectangle of the grid, in units of 1/222,000,000 degree from 180° W and 90° S, in Web '
  'Mercator. Latitudes beyond 88°, which no map tile reaches, are moved there.';

-- A cell that is at least 16 of the 4096 steps of a vector tile wide, one pixel in 256, is drawn
-- as itself: at 150 m from zoom 12 on. Below that, squares of one tile or of 2^merged tiles are
-- drawn, at least 4 steps wide, because ST_AsMVTGeom leaves out what is smaller than a step.
--
-- A vector tile is drawn with a margin of 64 steps, which at ±180° lies on the other side of the
-- Earth. Therefore the grid is laid out three times, a turn (of the Earth) apart.
CREATE FUNCTION roqua.mvt(
  z integer, x integer, y integer, k integer DEFAULT NULL, grid integer DEFAULT 150000
) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
WITH picture AS (
  SELECT
    ST_TileEnvelope(z, x, y)::box2d AS bounds,
    roqua.tile_columns(grid) AS columns,
    4096 * 2 ^ z * grid / 79920000000 >= 16 AS has_cells,
    greatest(0, ceil(log(2, (4 / (4096 * 2 ^ z * 64 * grid / 79920000000))::numeric)))::integer
      AS merged,
    79920000000 * (x - 1 / 64.0) / 2 ^ z AS west_edge,
    79920000000 * (x + 1 + 1 / 64.0) / 2 ^ z AS east_edge,
    222e6 * (90 + degrees(atan(sinh(pi() * (1 - 2 * (y + 1 + 1 / 64.0) / 2 ^ z))))) AS south_edge,
    222e6 * (90 + degrees(atan(sinh(pi() * (1 - 2 * (y - 1 / 64.0) / 2 ^ z))))) AS north_edge
),
-- The rows and columns of tiles in the vector tile for each turn, up to the edges of squares.
spans AS (
  SELECT
    turn,
    floor(south_edge / (64::bigint * grid))::bigint >> merged << merged AS first_row,
    (floor(north_edge / (64::bigint * grid))::bigint >> merged) + 1 << merged AS end_row,
    greatest(floor((west_edge - turn * 79920000000) / (64::bigint * grid))::bigint, 0)
      >> merged << merged AS first_column,
    least((floor((east_edge - turn * 79920000000) / (64::bigint * grid))::bigint >> merged) + 1
      << merged, columns) AS end_column
  FROM picture, generate_series(-1, 1) AS turn
),
-- The keys of the tiles, or NULL for all if they are too many to list.
wanted AS (
  SELECT CASE
    WHEN (SELECT sum((end_row - first_row) * greatest(end_column - first_column, 0)) FROM spans)
      <= 20000
    THEN ARRAY(
      SELECT DISTINCT tile_row * columns + tile_column
      FROM picture, spans, generate_series(first_row, end_row - 1) AS tile_row,
        generate_series(first_column, end_column - 1) AS tile_column)
    END AS tiles
),
-- Materialized, because otherwise each function would be called once a turn.
tiles_of_people AS MATERIALIZED (
  SELECT p.tile, p.people
  FROM picture, wanted, roqua.public_people_per_tile(k, grid, wanted.tiles) AS p
  WHERE NOT has_cells
),
tiles_of_cells AS MATERIALIZED (
  SELECT p.tile, p.bits
  FROM picture, wanted, roqua.public_tiles(k, grid, wanted.tiles) AS p
  WHERE has_cells
),
squares AS (
  SELECT turn, tile / columns >> merged AS square_row, tile % columns >> merged AS square_column,
    max(people) AS people
  FROM picture, spans, tiles_of_people
  WHERE tile / columns >= first_row AND tile / columns < end_row
    AND tile % columns >= first_column AND tile % columns < end_column
  GROUP BY 1, 2, 3
),
-- Runs of cells in a row: each begins at a cell without a western neighbor in its tile.
runs AS (
  SELECT
    turn, tile / columns * 64 + i / 64 AS cell_row, tile % columns * 64 + i % 64 AS first_column,
    coalesce(
      nullif(position(B'0' IN substring(bits FROM i + 1 FOR 64 - i % 64)), 0) - 1, 64 - i % 64)
      AS width
  FROM picture, spans, tiles_of_cells, generate_series(0, 4095) AS i
  WHERE tile / columns >= first_row AND tile / columns < end_row
    AND tile % columns >= first_column AND tile % columns < end_column
    AND get_bit(bits, i) = 1 AND (i % 64 = 0 OR get_bit(bits, i - 1) = 0)
),
rectangles AS (
  SELECT
    people, turn, square_column * (64::bigint * grid << merged) AS west,
    square_row * (64::bigint * grid << merged) AS south,
    (square_column + 1) * (64::bigint * grid << merged) AS east,
    (square_row + 1) * (64::bigint * grid << merged) AS north
  FROM picture, squares
  UNION ALL
  SELECT NULL, turn, first_column * grid, cell_row * grid, (first_column + width) * grid,
    (cell_row + 1) * grid
  FROM runs
),
features AS (
  SELECT
    ST_AsMVTGeom(
      roqua.web_rectangle(
        west + turn * 79920000000, south, least(east, 79920000000) + turn * 79920000000,
        least(north, 39960000000)),
      bounds, 4096, 64, true) AS geometry,
    people
  FROM picture, rectangles
)
SELECT coalesce(ST_AsMVT(features, 'explored', 4096, 'geometry'), ''::bytea)
FROM features WHERE geometry IS NOT NULL;
END;
COMMENT ON FUNCTION roqua.mvt IS
  'A vector tile with a layer named explored: what at least k of the people who agreed to public '
  'pictures explored, as in public_tiles. At low zooms it has squares of tiles with the number of '
  'people in the busiest tile, at high zooms rows of cells.';
