-- Divides the tables of schema.sql by person, over one server or several: applied after schema.sql
-- and before servers.sql, in the same transaction. Settings say how; without them nothing happens.
--
--   roqua.partitions  The number of hash partitions of each table. Neither it nor the servers can
--                     change later.
--   roqua.servers     The names of the servers, separated by commas; empty for this one alone.
--                     Partition i (from 0 on) is on server number i % servers, counted from 0.
--   roqua.server      Which of them this is; empty on the coordinator, whose partitions are foreign
--                     tables of the servers. It needs CREATE SERVER and CREATE USER MAPPING for
--                     each of the names beforehand.
--
-- On the coordinator tables have no keys and no indexes, because a unique index cannot span
-- servers; those of the servers have them.
DO $$
DECLARE
  partitions CONSTANT integer := nullif(current_setting('roqua.partitions', true), '');
  servers CONSTANT text[] := coalesce(
    string_to_array(nullif(current_setting('roqua.servers', true), ''), ','), '{}');
  own CONSTANT text := coalesce(current_setting('roqua.server', true), '');
  is_coordinator CONSTANT boolean := servers <> '{}' AND own = '';
  keys CONSTANT text := CASE WHEN is_coordinator THEN '' ELSE 'INCLUDING INDEXES' END;
  name text;
  server text;
BEGIN
  IF partitions IS NULL THEN RETURN; END IF;
  IF partitions < greatest(1, cardinality(servers)) THEN
    RAISE EXCEPTION 'there are fewer partitions than servers';
  ELSIF own <> '' AND own <> ALL (servers) THEN
    RAISE EXCEPTION 'server % is not one of %', own, array_to_string(servers, ', ');
  END IF;
  -- Tables that are made like those of schema.sql take their place.
  CREATE SCHEMA roqua_plain;
  FOR name IN
    SELECT relname FROM pg_class AS c
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'person'
    WHERE c.relnamespace = 'roqua'::regnamespace AND c.relkind = 'r'
  LOOP
    EXECUTE format('ALTER TABLE roqua.%I SET SCHEMA roqua_plain', name);
    EXECUTE format(
      'CREATE TABLE roqua.%1$I (LIKE roqua_plain.%1$I INCLUDING DEFAULTS INCLUDING STORAGE %2$s) '
      'PARTITION BY HASH (person)', name, keys);
    FOR i IN 0 .. partitions - 1 LOOP
      server := servers[i % greatest(1, cardinality(servers)) + 1];
      IF own <> '' AND server <> own THEN CONTINUE; END IF;
      EXECUTE format(
        'CREATE %1$s roqua.%2$I PARTITION OF roqua.%3$I '
        'FOR VALUES WITH (MODULUS %4$s, REMAINDER %5$s)',
        CASE WHEN is_coordinator THEN 'FOREIGN TABLE' ELSE 'TABLE' END,
        name || '_' || i, name, partitions, i)
      || CASE WHEN is_coordinator THEN format(
        ' SERVER %I OPTIONS (schema_name ''roqua'', table_name %L)', server, name || '_' || i)
        ELSE '' END;
    END LOOP;
    EXECUTE format('DROP TABLE roqua_plain.%I', name);
  END LOOP;
  DROP SCHEMA roqua_plain;
END $$;
