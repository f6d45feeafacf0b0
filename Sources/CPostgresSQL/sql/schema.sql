-- Roqua's tables for many people, version 1. docs/formats/postgres.md describes every column.
--
-- Every table but about begins its primary key with the person. The same statements therefore make
-- the tables of a plain server and of each of several servers.
-- No table refers to another one by a foreign key, because partitions on other servers cannot.
-- PostGIS can be in any schema. The path holds until the transaction ends, also for questions.sql,
-- where people_near keeps it; it ends with pg_temp, so that nobody's temporary objects are found
-- first.
SELECT set_config('search_path', format('pg_catalog, %I, pg_temp', nspname), true)
FROM pg_catalog.pg_extension JOIN pg_catalog.pg_namespace AS n ON n.oid = extnamespace
WHERE extname = 'postgis';

CREATE SCHEMA roqua;

CREATE TABLE roqua.about (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version integer NOT NULL,
  -- Functions for the public never show what fewer people have in common.
  minimum_people integer NOT NULL DEFAULT 5 CHECK (minimum_people > 0)
);
INSERT INTO roqua.about (version) VALUES (1);

CREATE TABLE roqua.people (
  person bigint PRIMARY KEY,
  name text NOT NULL,
  -- The exploration radius in millimeters, which is the grid of the person's tiles.
  grid_mm integer NOT NULL,
  -- Consent: whether others may learn that the person has been near a point, and whether the
  -- person's tiles count in pictures for the public.
  nearby boolean NOT NULL DEFAULT false,
  public boolean NOT NULL DEFAULT false,
  -- Whether fixes has the person's kept fixes one by one.
  fix_rows boolean NOT NULL DEFAULT false,
  -- Which push wrote the rows last.
  mark uuid NOT NULL,
  pushed_at timestamptz NOT NULL
);

CREATE TABLE roqua.settings (
  person bigint,
  key text,
  value double precision NOT NULL,
  changed_ms bigint NOT NULL,
  PRIMARY KEY (person, key)
);

CREATE TABLE roqua.sources (
  person bigint,
  sha256 bytea,
  -- The place among the person's sources, from 0 on.
  number bigint NOT NULL,
  withheld bigint NOT NULL,
  path text NOT NULL,
  format text NOT NULL,
  bytes bigint NOT NULL,
  points bigint NOT NULL,
  first_time text,
  last_time text,
  report text NOT NULL,
  imported_at text NOT NULL,
  forgotten bigint NOT NULL,
  is_cut bigint NOT NULL,
  stays_at_end bigint NOT NULL,
  highest_m double precision,
  lowest_m double precision,
  height_steps text,
  PRIMARY KEY (person, sha256)
);

CREATE TABLE roqua.kept_fixes (
  person bigint,
  chunk bigint,
  sha256 bytea NOT NULL,
  count integer NOT NULL,
  payload bytea NOT NULL,
  PRIMARY KEY (person, chunk)
);

-- The fixes of kept_fixes one by one, for those who ask for them.
CREATE TABLE roqua.fixes (
  person bigint,
  chunk bigint,
  number integer,
  fix_time timestamptz,
  position geography(Point, 4326) NOT NULL,
  accuracy double precision,
  starts_segment boolean NOT NULL,
  is_in_flight boolean NOT NULL,
  PRIMARY KEY (person, chunk, number)
);

CREATE TABLE roqua.source_tiles (
  person bigint,
  sha256 bytea,
  tile bigint,
  bits bit(4096) NOT NULL,
  PRIMARY KEY (person, sha256, tile)
);

CREATE TABLE roqua.source_regions (
  person bigint,
  sha256 bytea,
  number integer,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  radius bigint,
  start_ms bigint,
  end_ms bigint,
  visit_count bigint,
  city text,
  district text,
  country text,
  country_code text,
  accuracy double precision,
  created_at text,
  updated_at text,
  original text NOT NULL,
  PRIMARY KEY (person, sha256, number)
);

CREATE TABLE roqua.places (
  person bigint,
  place bigint,
  quarter text,
  city text,
  district text,
  region text,
  region_code text,
  country text,
  country_code text,
  PRIMARY KEY (person, place)
);

CREATE TABLE roqua.regions (
  person bigint,
  region bigint,
  center geography(Point, 4326) NOT NULL,
  place bigint,
  radius integer NOT NULL,
  accuracy double precision,
  first_time timestamptz,
  last_time timestamptz,
  visit_count bigint NOT NULL,
  PRIMARY KEY (person, region)
);
CREATE INDEX regions_by_center ON roqua.regions USING gist (center);

CREATE TABLE roqua.visits (
  person bigint,
  region bigint,
  start_time timestamptz,
  end_time timestamptz NOT NULL,
  PRIMARY KEY (person, region, start_time)
);

CREATE TABLE roqua.tiles (
  person bigint,
  tile bigint,
  -- As in people, so that a question about a tile reads one table.
  grid_mm integer NOT NULL,
  cells integer NOT NULL,
  square_meters double precision NOT NULL,
  -- Bit 64 * row + column from the left, the southwestern cell first.
  bits bit(4096) NOT NULL,
  PRIMARY KEY (person, tile)
);
-- Bits do not compress, so that looking for a way to do so would only take time.
ALTER TABLE roqua.tiles ALTER COLUMN bits SET STORAGE PLAIN;
CREATE INDEX tiles_by_tile ON roqua.tiles (grid_mm, tile);

CREATE TABLE roqua.achievements (
  person bigint,
  id text,
  tier double precision,
  unlocked_ms bigint,
  given_at text NOT NULL,
  PRIMARY KEY (person, id, tier)
);

-- The digest of each group of rows that a push writes as a whole, so that the next one writes only
-- groups that differ.
CREATE TABLE roqua.pieces (
  person bigint,
  kind smallint,
  piece bigint,
  digest uuid NOT NULL,
  PRIMARY KEY (person, kind, piece)
);
