/// A row of `sqlite_schema`.
package struct SchemaEntry {
  /// `table`, `index`, `view` or `trigger`.
  package let type: String
  /// Its name.
  package let name: String
  /// The table or view that it belongs to.
  package let table: String
  /// The SQL text; nil for the indexes that SQLite creates for a constraint.
  package let sql: String?

  /// Creates a row from its columns.
  package init(type: String, name: String, table: String, sql: String?) {
    (self.type, self.name, self.table, self.sql) = (type, name, table, sql)
  }

  /// The beginnings of SQLite's own texts, by type. SQLite reads the text, regardless of the type.
  private static let beginnings = [
    "table": ["CREATE TABLE ", "CREATE VIRTUAL TABLE "],
    "index": ["CREATE INDEX ", "CREATE UNIQUE INDEX "],
    "view": ["CREATE VIEW "], "trigger": ["CREATE TRIGGER "],
  ]

  /// Whether the text is of a different type than stated.
  package var isDisguised: Bool {
    guard let sql else { return false }
    return !(Self.beginnings[type] ?? []).contains(where: sql.hasPrefix)
  }

  /// The table or view of a format that the row names in other letters than its own definition,
  /// such as "PLACES" for "places"; nil otherwise. SQLite never writes such a row. It compares
  /// these names exactly when it drops a table, so the row would be left behind.
  ///
  /// - Parameter isTable: whether a table or view has exactly this name.
  package func misspelledTable(
    in format: DatabaseFormat, isTable: (String) -> Bool
  ) -> String? {
    let own = table.foldedSchemaName
    switch type {
    // Triggers are dropped by their own names.
    case "trigger": return nil
    case "index": return format.texts.isOwn(own) && !isTable(table) ? own : nil
    default:
      guard format.texts.isOwn(own) || format.texts.isOwn(name.foldedSchemaName) else { return nil }
      return table == name && definedName.map({ $0 == name }) ?? true ? nil : own
    }
  }

  /// The name in the SQL of a table or view; nil for an object of another type.
  private var definedName: String? {
    guard let sql,
      let beginning = ["CREATE TABLE ", "CREATE VIRTUAL TABLE ", "CREATE VIEW "]
        .first(where: sql.hasPrefix)
    else { return nil }
    let rest = sql.dropFirst(beginning.count)
    let quotes: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]
    guard let quote = rest.first.flatMap({ quotes[$0] }) else {
      return String(decoding: rest.utf8.prefix(while: Self.isNameByte), as: UTF8.self)
    }
    return String(rest.dropFirst().prefix { $0 != quote })
  }

  /// Whether a byte is part of a name without quotes: a letter, a digit, `_`, `$`, or beyond ASCII.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// The description of a row with a misspelled name of `table`, for people.
  package func misspells(_ table: String) -> String {
    "the schema lists the \(type) \(name) with a misspelled name of the table \(table)"
  }

  /// Returns whether it is an index on one of a format's tables that computes something for each
  /// row, like an index on an expression or with a condition.
  package func isComputingIndex(in format: DatabaseFormat) -> Bool {
    guard type == "index", let sql, format.texts.isOwn(table.foldedSchemaName),
      format.texts.indexes[name] != sql
    else { return false }
    // The part after the index name, which may contain anything.
    guard let columns = sql.firstRange(of: " ON ").map({ sql[$0.upperBound...] }) else {
      return true
    }
    return columns.count(where: { $0 == "(" }) > 1 || columns.uppercased().contains("WHERE")
  }

  /// Returns the reason why SQLite would run code other than the program's own when the database is
  /// read or written; nil if it would not.
  package func problem(in format: DatabaseFormat) -> String? {
    let owner = format.name
    if type == "table", let expected = format.texts.tables[name], sql == expected, table == name {
      return nil
    }
    if let table = misspelledTable(in: format, isTable: format.texts.isOwn) {
      return misspells(table)
    }
    if isDisguised {
      return "the schema lists \(name) as \(type == "index" ? "an" : "a") \(type), but its SQL "
        + "does not create one"
    }
    if let expected = format.texts.tables[name.foldedSchemaName] {
      if type != "table" { return "the table \(name) is \(type == "index" ? "an" : "a") \(type)" }
      return sql == expected ? nil : "the table \(name) differs from the one that \(owner) creates"
    }
    if isComputingIndex(in: format) { return "the index \(name) on \(table) is not \(owner)'s" }
    if type == "trigger", format.texts.isOwn(table.foldedSchemaName) {
      return "the trigger \(name) on \(table) is not \(owner)'s"
    }
    return nil
  }
}
