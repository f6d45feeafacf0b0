import Testing

@testable import GeoStore
@testable import SQLiteLayer

extension CheckTests {
  /// A defect: where the check finds it first, and whether a repair fixes it.
  struct Wrong {
    let sql: String
    let subject: StoreCheck.Subject
    let word: String
    let isMended: Bool

    init(_ sql: String, _ subject: StoreCheck.Subject, _ word: String, isMended: Bool) {
      (self.sql, self.subject, self.word, self.isMended) = (sql, subject, word, isMended)
    }

    /// Replaces placeholders by the ids of the store's fifth region with one visit and of one with
    /// several.
    func naming(regionsOf store: Store) throws -> Wrong {
      let (fifth, often) = try store.read { snapshot in
        (
          try snapshot.connection.integer(
            """
            SELECT id FROM regions WHERE visit_count = 1 AND start_ms NOTNULL AND radius = 150
            ORDER BY id LIMIT 1 OFFSET 4
            """),
          try snapshot.connection.integer("SELECT max(region_id) FROM repeat_visits")
        )
      }
      func name(_ text: String) throws -> String {
        text.replacing(":fifth", with: "\(try #require(fifth))")
          .replacing(":often", with: "\(try #require(often))")
      }
      return Wrong(try name(sql), subject, try name(word), isMended: isMended)
    }
  }

  static let own: [Wrong] = [
    ("PRAGMA foreign_keys = OFF; DELETE FROM sources WHERE id = 2", .references, "kept_fixes"),
    ("DROP TABLE settings", .schema, "settings is missing"),
    ("DROP VIEW days; CREATE TABLE days (day)", .schema, "a table has its name"),
    ("UPDATE sources SET kept = kept - 1 WHERE id = 3", .sources, "source 3 has 150"),
    ("UPDATE kept_fixes SET count = 151 WHERE id = 1", .sources, "chunk 1 of source 1 has 150"),
    ("DELETE FROM kept_fixes WHERE id = 2", .sources, "source 2 has 0"),
    (
      "UPDATE kept_fixes SET payload = zeroblob(40) WHERE id = 2", .sources,
      "chunk 2 of source 2 cannot"
    ),
    ("UPDATE sources SET sha256 = 'x' WHERE id = 2", .sources, "source 2 has no SHA-256"),
    (
      "UPDATE sources SET sha256 = replace(sha256, '0', 'g') WHERE id = 2", .sources,
      "source 2 has no SHA-256"
    ),
    (
      "UPDATE sources SET points = 3 WHERE id = 2", .sources,
      "source 2 has more kept fixes than points"
    ),
    ("UPDATE sources SET bytes = -1 WHERE id = 2", .sources, "impossible count: bytes is -1"),
    (
      "UPDATE sources SET first_time = 'noon' WHERE id = 1", .sources,
      "a first_time that is not a time"
    ),
    ("UPDATE sources SET first_time = NULL WHERE id = 1", .sources, "has first_time NULL, but"),
    ("UPDATE sources SET last_time = NULL WHERE id = 5", .sources, "has last_time NULL, but"),
    (
      "UPDATE sources SET last_time = '2001-01-01T00:00:00Z' WHERE id = 1", .sources,
      "after its last_time"
    ),
    ("UPDATE sources SET imported_at = '' WHERE id = 1", .sources, "has no valid import time"),
    (
      "UPDATE sources SET report = '{' WHERE id = 1", .sources,
      "source 1 has a report that is not a JSON"
    ),
    (
      "UPDATE sources SET report = '[]' WHERE id = 1", .sources,
      "source 1 has a report that is not a JSON"
    ),
    ("UPDATE sources SET report = '{\"kept\":7}' WHERE id = 1", .sources, "its report says 7"),
    (
      "UPDATE sources SET report = '{\"firstTime\":null}' WHERE id = 1", .sources,
      "its report says null"
    ),
    (
      "UPDATE sources SET report = '{\"sha256\":\"00\"}' WHERE id = 1", .sources,
      "its report says 00"
    ),
    ("UPDATE sources SET report = '{\"cells\":7}' WHERE id = 4", .sources, "its report says 7"),
    (
      "UPDATE source_regions SET original = 'garbage'", .sources,
      "region 1 of source 5 lacks its original row"
    ),
    ("UPDATE source_regions SET latitude = 91", .sources, "row 1 of source 5: latitude is 91.0"),
    ("UPDATE source_regions SET radius = 0", .sources, "row 1 of source 5: radius is 0"),
    ("UPDATE source_regions SET visit_count = -3", .sources, "of source 5: visit_count is -3"),
    ("UPDATE source_regions SET end_ms = 3", .sources, "end_ms is 3, before start_ms"),
    (
      "UPDATE source_regions SET start_ms = -9223372036854775808", .sources,
      "row 1 of source 5: start_ms is -9223372036854775808"
    ),
    ("UPDATE source_tiles SET bits = x'ffff'", .tiles, "(source 4) cannot be read"),
    ("UPDATE source_tiles SET key = -1", .tiles, "not on the grid"),
  ].map { Wrong($0, $1, $2, isMended: false) }

  static let derived: [Wrong] = [
    (
      "INSERT INTO repeat_visits VALUES (99999, 0, '0:1')", .references,
      "repeat_visits has rows of region 99999, which is missing"
    ),
    (
      "INSERT INTO stated_visits VALUES (99999, 0, 1, 1)", .references,
      "stated_visits has rows of region 99999, which is missing"
    ),
    (
      "INSERT INTO adopted_times VALUES (99999, '', '')", .references,
      "adopted_times has rows of region 99999, which is missing"
    ),
    ("ALTER TABLE kept_fixes ADD COLUMN note TEXT", .schema, "kept_fixes differs from"),
    ("ALTER TABLE sources ADD COLUMN later TEXT AS (path || path)", .schema, "sources differs"),
    ("DROP VIEW visited_regions", .schema, "the view visited_regions is missing"),
    ("DROP INDEX kept_fixes_by_source", .schema, "kept_fixes_by_source is missing"),
    (
      "DROP INDEX sources_by_bytes; CREATE INDEX sources_by_bytes ON sources (path)", .schema,
      "sources_by_bytes differs from"
    ),
    ("DROP VIEW days", .schema, "the view days is missing"),
    (
      "DROP VIEW visit_list; CREATE VIEW visit_list AS SELECT 1", .schema,
      "the view visit_list differs from"
    ),
    ("ALTER TABLE coverage_tiles ADD COLUMN note TEXT", .schema, "coverage_tiles differs from"),
    ("DROP TABLE coverage_tiles", .schema, "coverage_tiles is missing"),
    (
      "DROP TABLE stated_visits; DROP TABLE revision; DROP TABLE erasure", .schema,
      "revision is missing"
    ),
    ("PRAGMA foreign_keys = OFF; DROP TABLE regions", .schema, "table regions is missing"),
    ("DROP TABLE places", .schema, "the table places is missing"),
    ("ALTER TABLE regions ADD COLUMN note TEXT", .schema, "regions differs from"),
    ("DELETE FROM revision", .schema, "the table revision has no row"),
    (
      "CREATE TRIGGER thief AFTER INSERT ON sources BEGIN DELETE FROM kept_fixes; END", .schema,
      "the trigger thief is not Roqua's"
    ),
    (
      "CREATE TRIGGER \"a \"\"b\" INSTEAD OF INSERT ON days BEGIN DELETE FROM kept_fixes; END",
      .schema,
      "is not Roqua's"
    ),
    ("CREATE UNIQUE INDEX once ON Sources (format, id)", .schema, "the index once is not Roqua's"),
    (
      "INSERT INTO erasure VALUES (1, '2024-05-01T10:00:00Z')", .erasure,
      "at 2024-05-01T10:00:00Z is still in the file"
    ),
    (
      "UPDATE sqlite_sequence SET seq = 1", .sources,
      "the source counter is 1, but the highest source number is 5"
    ),
    (
      "UPDATE sqlite_sequence SET seq = 9223372036854775807", .sources,
      "the source counter is 92"
    ),
    ("UPDATE sqlite_sequence SET seq = 'many'", .sources, "the source counter is missing"),
    ("DELETE FROM sqlite_sequence", .sources, "the source counter is missing"),
    (
      """
      UPDATE coverage_tiles SET cells = cells + 1 \
      WHERE key = (SELECT min(key) FROM coverage_tiles)
      """,
      .tiles,
      "row says"
    ),
    ("UPDATE coverage_tiles SET bits = x'ffff'", .tiles, "(explored) cannot be read"),
    (
      "UPDATE regions SET visit_count = 99 WHERE id = :fifth", .regions,
      "(:fifth): visit_count is 99, should be"
    ),
    (
      "UPDATE regions SET radius = 200 WHERE id = :fifth", .regions,
      "(:fifth): radius is 200, should be 150"
    ),
    (
      "UPDATE regions SET place_id = 77 WHERE id = :fifth", .regions,
      "regions, row :fifth: place_id is 77"
    ),
    (
      "UPDATE regions SET accuracy = -5 WHERE id = :fifth", .regions,
      "regions, row :fifth: accuracy is -5"
    ),
    (
      "UPDATE regions SET end_ms = 1893456000000 WHERE id = :fifth", .regions,
      "timestamp_end is 2030-01-01T00:00:00Z, should be"
    ),
    (
      "UPDATE regions SET made_by = 77 WHERE id = :fifth", .regions,
      "(:fifth): made_by is 77, should be"
    ),
    (
      "UPDATE regions SET changed_by = 77 WHERE id = :fifth", .regions,
      "(:fifth): changed_by is 77, should be"
    ),
    (
      "INSERT INTO adopted_times VALUES (:fifth, '2020', NULL)", .regions,
      "region :fifth: '2020' and NULL, should be missing"
    ),
    (
      "INSERT INTO places (id, city) VALUES (99999, 'Home')", .places,
      "places, row 99999: no region"
    ),
    ("DELETE FROM regions WHERE id = :fifth", .regions, "is missing"),
    (
      "PRAGMA foreign_keys = OFF; UPDATE regions SET id = id + 1 WHERE id = :fifth", .regions,
      "no source accounts for it"
    ),
    (
      "UPDATE regions SET latitude_e7 = latitude_e7 + 10000 WHERE id = :fifth", .regions,
      "id is :fifth, which does not match its position"
    ),
    (
      "INSERT INTO repeat_visits VALUES (:fifth, 0, '0:1,7200:0.002')", .visits,
      ".002Z, should be no visit"
    ),
    (
      "UPDATE repeat_visits SET visits = visits || '.001' WHERE region_id = :often", .visits,
      "(:often): "
    ),
    (
      "UPDATE repeat_visits SET visits = '0:5,4:1' WHERE region_id = :often", .visits,
      "region :often: visits is \"0:5,4:1\""
    ),
    (
      """
      WITH RECURSIVE n (i, t) AS
        (SELECT 0, '0:1' UNION ALL SELECT i + 1, t || printf(',%d:0', 9000 * i + 9000)
         FROM n WHERE i < 32)
      UPDATE repeat_visits SET visits = (SELECT t FROM n WHERE i = 32) WHERE region_id = :often
      """, .visits, "region :often: visits is "
    ),
    (
      "UPDATE repeat_visits SET block = 7 WHERE region_id = :often", .visits,
      "region :often: block is 7, which does not follow the visits before it"
    ),
    ("DELETE FROM repeat_visits", .visits, "no visit, should be"),
    ("DELETE FROM stated_visits", .visits, "no visits stated, should be 5 from "),
    ("UPDATE stated_visits SET visit_count = 6", .visits, "6 from "),
    (
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO stated_visits SELECT :fifth, NULL, NULL, 1 FROM n
      """, .visits, "(500 rows) stated, should be no visits"
    ),
    (
      "UPDATE places SET city = 'Atlantis' WHERE id = (SELECT place_id FROM regions)", .places,
      "city is Atlantis, should be City "
    ),
    (
      "UPDATE places SET country = NULL", .places, "country is NULL, should be Land"
    ),
    ("DELETE FROM coverage_tiles", .coverage, "is missing"),
    (
      "UPDATE coverage_tiles SET (cells, bits) = (SELECT cells, bits FROM source_tiles)", .coverage,
      "cells"
    ),
    ("DELETE FROM source_tiles", .coverage, "no source explored"),
    (
      "INSERT OR REPLACE INTO settings (key, value) VALUES ('visitGapMinutes', 1)", .regions,
      "visit_count"
    ),
  ].map { Wrong($0, $1, $2, isMended: true) }
}
