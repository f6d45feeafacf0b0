import SQLiteLayer

/// The tables of a store, and which of them can be rebuilt from the others.
enum Schema {
  /// The identification of a database as a store: `application_id` is "Roqu" in ASCII, and
  /// `user_version` is the number of migrations.
  ///
  /// A released migration is never edited; changes go into a new one.
  static let format = DatabaseFormat(
    name: "Roqua", applicationID: 0x526F_7175, migrations: [Migration(tables + "\n" + views)])

  /// Tables whose rows are all derived from other tables, or carry no data of their own, so that
  /// they can be rebuilt. The other tables are the store's own data.
  static let derivedTables: Set<String> = [
    "regions", "places", "repeat_visits", "stated_visits", "adopted_times", "coverage_tiles",
    "revision", "erasure", "achievement_progress", "achievement_state",
  ]

  /// Tables whose `region_id` is the number of a row of `regions`.
  ///
  /// They have no foreign keys, so what deletes regions deletes their rows here: for each deleted
  /// region, SQLite would open a temporary table, and it could not delete all regions at once
  /// (`docs/decisions/pragmas.md`).
  static let tablesOfRegions = ["repeat_visits", "stated_visits", "adopted_times"]
}
