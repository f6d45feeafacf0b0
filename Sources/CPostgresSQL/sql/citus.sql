-- Distributes the tables of schema.sql over the workers of Citus, by person: applied on the
-- coordinator after schema.sql and before servers.sql, in place of partitions.sql. It needs the
-- extension Citus, 11 or later, which takes views and functions to the workers itself.
--
-- This has not been run on Citus yet, only with stand-ins for its two functions.

-- Otherwise Citus refuses to make functions and views in the transaction that made the tables.
SET LOCAL citus.multi_shard_modify_mode = 'sequential';
SELECT create_reference_table('roqua.about');
SELECT create_distributed_table('roqua.people', 'person');
SELECT create_distributed_table(
  format('roqua.%I', relname), 'person', colocate_with => 'roqua.people')
FROM pg_class AS c
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'person'
WHERE c.relnamespace = 'roqua'::regnamespace AND c.relkind = 'r' AND relname <> 'people'
ORDER BY relname;
