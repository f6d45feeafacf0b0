extension Schema {
  /// The texts of a store's tables, as SQLite keeps them, and of the indexes and views that steps make, by name.
  static let texts: Texts = {
    var texts = Texts()
    for step in migrations { texts.add(step) }
    // Version 3 takes the last column out of it.
    let (regions, column) = ("visited_regions", ",\n  cell INTEGER NOT NULL\n)")
    if let text = texts.tables[regions], text.hasSuffix(column) {
      texts.tables[regions] = String(Substring(text.utf8.dropLast(column.utf8.count))) + ")"
    }
    return texts
  }()

  /// What makes tables, indexes and views, by their names; the last one of each name.
  struct Texts {
    var tables: [String: String] = [:]
    private(set) var indexes: [String: String] = [:]
    private(set) var views: [String: String] = [:]

    /// Whether a store has a table or a view of this name.
    func isOwn(_ name: String) -> Bool { tables[name] != nil || views[name] != nil }

    /// Adds the statements of a step. Bytes, not characters: this is done whenever a store is opened.
    mutating func add(_ step: String) {
      var step = step
      step.withUTF8 { bytes in
        var start = 0
        for end in bytes.indices where bytes[end] == UInt8(ascii: ";") {
          add(UnsafeBufferPointer(rebasing: bytes[start..<end].drop { $0 <= 0x20 }))
          start = end + 1
        }
      }
    }

    private mutating func add(_ statement: UnsafeBufferPointer<UInt8>) {
      func text(_ kind: StaticString) -> (name: String, text: String)? {
        let beginning = UnsafeBufferPointer(start: kind.utf8Start, count: kind.utf8CodeUnitCount)
        guard statement.starts(with: beginning) else { return nil }
        let name = statement.dropFirst(beginning.count).prefix { $0 > 0x20 }
        return (String(decoding: name, as: UTF8.self), String(decoding: statement, as: UTF8.self))
      }
      if let (name, text) = text("CREATE TABLE ") {
        tables[name] = text
      } else if let (name, text) = text("CREATE INDEX ") {
        indexes[name] = text
      } else if let (name, text) = text("CREATE VIEW ") {
        views[name] = text
      }
    }
  }

  /// Makes sure that the tables of a store are those that Roqua made, and that nothing hangs on them that
  /// would run when they are written: a table's text has its columns, generated ones too, and its
  /// constraints. Views and plain indexes that a user added are not looked at, nor tables of other names.
  ///
  /// Call it before anything else is read. Triggers and views are switched off besides
  /// (``Connection/harden(_:)``).
  ///
  /// - Throws: ``StoreError/alteredSchema(path:detail:)`` with the name of what is wrong.
  /// - Complexity: O(tables, indexes, views and triggers).
  static func verify(_ connection: Connection) throws(StoreError) {
    var missing = Set(texts.tables.keys)
    let select = try connection.cached("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    while try select.step() {
      let entry = SchemaEntry(
        type: select.text(at: 0) ?? "", name: select.text(at: 1) ?? "", table: select.text(at: 2) ?? "",
        sql: select.text(at: 3))
      if let problem = entry.problem {
        throw .alteredSchema(path: connection.path, detail: problem)
      }
      missing.remove(entry.name.lowercased())
    }
    if let name = missing.min() {
      throw .alteredSchema(path: connection.path, detail: "the table \(name) is missing")
    }
  }
}

/// A row of `sqlite_schema`.
struct SchemaEntry {
  let type: String
  let name: String
  let table: String
  /// Nil for the indexes that SQLite makes for a constraint.
  let sql: String?

  /// What SQLite's own texts begin with, by type. It reads the text, whatever the type says.
  private static let beginnings = [
    "table": ["CREATE TABLE ", "CREATE VIRTUAL TABLE "], "index": ["CREATE INDEX ", "CREATE UNIQUE INDEX "],
    "view": ["CREATE VIEW "], "trigger": ["CREATE TRIGGER "],
  ]

  /// Whether its text is of another type than it says.
  var isDisguised: Bool {
    guard let sql else { return false }
    return !(Self.beginnings[type] ?? []).contains(where: sql.hasPrefix)
  }

  /// Whether it is an index on a table of the store that works something out for each row, as one on an expression or
  /// with a condition does.
  var isComputingIndex: Bool {
    guard type == "index", let sql, Schema.texts.isOwn(table.lowercased()),
      Schema.texts.indexes[name] != sql
    else { return false }
    // Behind the name of the index, which may hold anything.
    guard let columns = sql.range(of: " ON ").map({ sql[$0.upperBound...] }) else { return true }
    return columns.count(where: { $0 == "(" }) > 1 || columns.uppercased().contains("WHERE")
  }

  /// What would make SQLite run something that is not Roqua's where the store is read or written; nil
  /// where that cannot be.
  var problem: String? {
    if type == "table", let expected = Schema.texts.tables[name], sql == expected { return nil }
    if isDisguised { return "the schema says that \(name) is of type \(type), but its SQL does not make one" }
    if let expected = Schema.texts.tables[name.lowercased()] {
      if type != "table" { return "the table \(name) is \(type == "index" ? "an" : "a") \(type)" }
      return sql == expected ? nil : "the table \(name) is not the one that Roqua made"
    }
    if isComputingIndex { return "the index \(name) on \(table) is not Roqua's" }
    if type == "trigger", Schema.texts.isOwn(table.lowercased()) {
      return "the trigger \(name) on \(table) is not Roqua's"
    }
    return nil
  }
}
