import SQLiteLayer

/// One thing of a store's schema that is not as in a new store.
struct SchemaDifference {
  /// What is wrong with it.
  enum Problem {
    /// It is not there.
    case missing
    /// It is not there, and something else has its name, of this type.
    case nameTaken(by: String)
    /// Its text is another.
    case other
    /// A table of the store's own data whose text is another, with all its columns and maybe
    /// others: what is in them can be taken over into a table as Roqua makes it.
    case restorable
    /// Its type and its text do not belong together: SQLite reads the text, so it is something else
    /// than it says.
    case disguised
    /// A trigger on a table or view of the store, which would change what the store writes, or an
    /// index that would refuse it; nobody but the store's owner can have made it.
    case foreign
    /// The table `revision` has no row.
    case noRow
  }

  /// `table`, `index`, `view` or `trigger`.
  let type: String
  let name: String
  let problem: Problem

  /// Whether ``Schema/mend(_:)`` and a rebuild put it right. Not where a table of the store's own
  /// data is concerned.
  var isMendable: Bool {
    switch problem {
    // A view holds nothing that would be lost.
    case .nameTaken(let other): other == "view" && Schema.derivedTables.contains(name)
    case .restorable, .disguised: false
    case .foreign, .noRow: true
    case .missing, .other: type != "table" || Schema.derivedTables.contains(name)
    }
  }

  /// The type of what has its name in the store; nil for nothing.
  var foundType: String? {
    switch problem {
    case .missing, .noRow: nil
    case .nameTaken(let other): other
    case .other, .restorable, .disguised, .foreign: type
    }
  }

  /// Whether ``Store/repair()`` puts it right.
  var isRepairable: Bool { if case .restorable = problem { true } else { isMendable } }

  /// One line for a person.
  var description: String {
    switch problem {
    case .missing: "the \(type) \(name) is missing"
    case .nameTaken(let other):
      "the \(type) \(name) is missing: \(other == "index" ? "an" : "a") \(other) has its name"
    case .disguised:
      "the schema says that \(name) is of type \(type), but its SQL does not make one"
    case .other, .restorable: "the \(type) \(name) is not the one that Roqua made"
    case .foreign where type == "trigger":
      "the trigger \(name) is not Roqua's, and changes what it stores"
    case .foreign: "the index \(name) is not Roqua's, and may refuse what it stores"
    case .noRow: "the table \(name) has no row"
    }
  }

  /// All of a store, against a new database. What a user added beside the store's own things is
  /// none, unless it meddles with them.
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
    let entries = try Statement("SELECT type, name, tbl_name, sql FROM sqlite_schema", on: store)
    while try entries.step() {
      let entry = SchemaEntry(
        type: entries.text(at: 0) ?? "", name: entries.text(at: 1) ?? "",
        table: entries.text(at: 2) ?? "",
        sql: entries.text(at: 3))
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
      let table = others.text(at: 2)?.lowercased() ?? ""
      guard tables.contains(table),
        !differences.contains(where: { $0.type == type && $0.name == name })
      else {
        continue
      }
      differences.append(SchemaDifference(type: type, name: name, problem: .foreign))
    }
    return differences
  }

  /// Whether a table of the store has every column that it has in a new one.
  private static func hasColumns(
    of table: String, _ store: Connection, _ new: Connection
  ) throws(DatabaseError) -> Bool {
    let own = Set(try store.columns(ofTable: table))
    return try new.columns(ofTable: table).allSatisfy(own.contains)
  }
}

extension Connection {
  /// The names of all tables with pages of their own, that of the schema first.
  func tableNames() throws(DatabaseError) -> [String] {
    let select = try cached("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    var names = ["sqlite_schema"]
    while try select.step() { names.append(select.text(at: 0) ?? "") }
    return names
  }

  /// The names of a table's columns, in order, generated ones too; none where there is no such
  /// table.
  func columns(ofTable table: String) throws(DatabaseError) -> [String] {
    let select = try cached("SELECT name FROM pragma_table_xinfo(?1) ORDER BY cid")
    select.bind(table, at: 1)
    var names: [String] = []
    while try select.step() { names.append(select.text(at: 0) ?? "") }
    return names
  }
}
