import SQLiteLayer

/// The tables of a store, and which of them can be rebuilt from the others.
enum Schema {
  /// How a database is recognized as a store: `application_id` is "Roqu" in ASCII, and
  /// `user_version` is the number of migrations.
  ///
  /// A migration that was released is never edited: another one follows it.
  static let format = DatabaseFormat(
    name: "Roqua", applicationID: 0x526F_7175, migrations: [Migration(tables + "\n" + views)])

  /// Tables of which every row follows from others, or carries no data of its own: they can be
  /// rebuilt. The other tables are the truth.
  static let derivedTables: Set<String> = [
    "regions", "places", "repeat_visits", "stated_visits", "adopted_times", "coverage_tiles",
    "revision", "erasure",
  ]
}
