import SQLiteLayer

/// One difference between a store's schema and that of a new store.
struct SchemaDifference {
  /// The kind of difference.
  enum Problem {
    /// The object is missing.
    case missing
    /// The object is missing, and another object of this type has its name.
    case nameTaken(by: String)
    /// The text differs.
    case other
    /// The text of a table with the store's own data differs, but all its columns exist, possibly
    /// with others: the contents can be copied into a table as Roqua makes it.
    case restorable
    /// The type and the text do not match. SQLite reads the text, so the object is not what its
    /// type says.
    case disguised
    /// The row names a table of the store in other letters. SQLite would not find the row when that
    /// table is dropped.
    case misspelled(table: String)
    /// A trigger on a table or view of the store, which would change what the store writes, or an
    /// index that would refuse it. Only the store's owner can have made it.
    case foreign
    /// The table `revision` has no row.
    case noRow
  }

  /// `table`, `index`, `view` or `trigger`.
  let type: String
  let name: String
  let problem: Problem
  /// Whether it cannot be fixed because of another difference.
  var isBlocked = false

  /// Whether ``Schema/mend(_:)`` and a rebuild fix it. They do not replace tables with the store's
  /// own data.
  var isMendable: Bool {
    if isBlocked { return false }
    return switch problem {
    // A view contains no data that would be lost.
    case .nameTaken(let other): other == "view" && Schema.derivedTables.contains(name)
    case .restorable, .disguised, .misspelled: false
    case .foreign, .noRow: true
    case .missing, .other: type != "table" || Schema.derivedTables.contains(name)
    }
  }

  /// The type of the object that has its name in the store; nil if there is none.
  var foundType: String? {
    switch problem {
    case .missing, .noRow: nil
    case .nameTaken(let other): other
    case .other, .restorable, .disguised, .misspelled, .foreign: type
    }
  }

  /// Whether ``Store/repair()`` fixes it.
  var isRepairable: Bool { isRestorable || isMendable }

  /// Whether ``Schema/restoreTables(_:)`` fixes it.
  var isRestorable: Bool { if case .restorable = problem { !isBlocked } else { false } }

  /// A description in one line, for people.
  var description: String {
    switch problem {
    case .missing: "the \(type) \(name) is missing"
    case .nameTaken(let other):
      "the \(type) \(name) is missing: \(other == "index" ? "an" : "a") \(other) has its name"
    case .disguised:
      "the schema lists \(name) as \(type == "index" ? "an" : "a") \(type), but its SQL does not "
        + "create one"
    case .misspelled(let table):
      SchemaEntry(type: type, name: name, table: table, sql: nil).misspells(table)
    case .other, .restorable: "the \(type) \(name) differs from the one that Roqua creates"
    case .foreign where type == "trigger":
      "the trigger \(name) is not Roqua's and changes what Roqua stores"
    case .foreign: "the index \(name) is not Roqua's and may reject what Roqua stores"
    case .noRow: "the table \(name) has no row"
    }
  }

  /// Returns all differences between a store and a new database. A user's own additions are not
  /// differences unless they affect the store's objects.
  static func all(
    in store: Connection, against new: Connection
  ) throws(DatabaseError) -> [SchemaDifference] {
    var differences: [SchemaDifference] = []
    var tables: Set<String> = []
    let expected = try Statement(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY rowid", on: new)
    let find = try Statement(
      "SELECT type, sql FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE", on: store)
    while try expected.step() {
      let (type, name) = (expected.text(at: 0) ?? "", expected.text(at: 1) ?? "")
      if type == "table" || type == "view" { tables.insert(name) }
      find.bind(name, at: 1)
      if try !find.step() {
        differences.append(SchemaDifference(type: type, name: name, problem: .missing))
      } else if let other = find.text(at: 0), other != type {
        differences.append(SchemaDifference(type: type, name: name, problem: .nameTaken(by: other)))
      } else if find.text(at: 1) != expected.text(at: 2) {
        var isRestorable = type == "table" && !Schema.derivedTables.contains(name)
        if isRestorable { isRestorable = try hasColumns(of: name, store, new) }
        differences.append(
          SchemaDifference(type: type, name: name, problem: isRestorable ? .restorable : .other))
      }
      find.reset()
    }
    if !differences.contains(where: { $0.name == "revision" }),
      try store.integer("SELECT EXISTS (SELECT 1 FROM revision)") == 0
    {
      differences.append(SchemaDifference(type: "row", name: "revision", problem: .noRow))
    }
    let found = try store.tableAndViewNames()
    let entries = try Statement("SELECT type, name, tbl_name, sql FROM sqlite_schema", on: store)
    while try entries.step() {
      let entry = SchemaEntry(
        type: entries.text(at: 0) ?? "", name: entries.text(at: 1) ?? "",
        table: entries.text(at: 2) ?? "",
        sql: entries.text(at: 3))
      if let table = entry.misspelledTable(in: Schema.format, isTable: found.contains) {
        // No table is replaced while rows would be left behind.
        for index in differences.indices { differences[index].isBlocked = true }
        differences.append(
          SchemaDifference(
            type: entry.type, name: entry.name, problem: .misspelled(table: table)))
      }
      if entry.isDisguised {
        differences.append(
          SchemaDifference(type: entry.type, name: entry.name, problem: .disguised))
      } else if entry.isComputingIndex(in: Schema.format),
        !differences.contains(where: { $0.name == entry.name })
      {
        differences.append(SchemaDifference(type: entry.type, name: entry.name, problem: .foreign))
      }
    }
    let others = try Statement(
      """
      SELECT type, name, tbl_name FROM sqlite_schema WHERE type = 'trigger'
      UNION ALL
      SELECT s.type, s.name, s.tbl_name FROM sqlite_schema s \
      JOIN pragma_index_list(s.tbl_name) l ON l.name = s.name
      WHERE s.type = 'index' AND s.sql NOTNULL AND l."unique"
      """, on: store)
    while try others.step() {
      let (type, name) = (others.text(at: 0) ?? "", others.text(at: 1) ?? "")
      let table = others.text(at: 2)?.foldedSchemaName ?? ""
      guard tables.contains(table),
        !differences.contains(where: { $0.type == type && $0.name == name })
      else {
        continue
      }
      differences.append(SchemaDifference(type: type, name: name, problem: .foreign))
    }
    return differences
  }

  /// Returns whether a table of the store has every column that it has in a new one.
  private static func hasColumns(
    of table: String, _ store: Connection, _ new: Connection
  ) throws(DatabaseError) -> Bool {
    let own = Set(try store.columns(ofTable: table))
    return try new.columns(ofTable: table).allSatisfy(own.contains)
  }
}

extension Connection {
  /// Returns the names of all tables with pages of their own, the schema table first.
  func tableNames() throws(DatabaseError) -> [String] {
    let select = try cached("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    var names = ["sqlite_schema"]
    while try select.step() { names.append(select.text(at: 0) ?? "") }
    return names
  }

  /// Returns the names of all tables and views.
  fileprivate func tableAndViewNames() throws(DatabaseError) -> Set<String> {
    let select = try cached("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    var names: Set<String> = []
    while try select.step() { names.insert(select.text(at: 0) ?? "") }
    return names
  }

  /// Returns the names of a table's columns in order, including generated ones; empty if there is
  /// no such table.
  func columns(ofTable table: String) throws(DatabaseError) -> [String] {
    let select = try cached("SELECT name FROM pragma_table_xinfo(?1) ORDER BY cid")
    select.bind(table, at: 1)
    var names: [String] = []
    while try select.step() { names.append(select.text(at: 0) ?? "") }
    return names
  }
}
