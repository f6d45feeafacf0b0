/// One thing of a store's schema that is not as in a new store.
struct SchemaDifference {
  /// What is wrong with it.
  enum Problem {
    /// It is not there.
    case missing
    /// It is not there, and something else has its name.
    case nameTaken
    /// Its text is another.
    case other
    /// A trigger on a table or view of the store, which would change what the store writes, or an index that would refuse
    /// it; nobody but the store's owner can have made it.
    case foreign
    /// The table `revision` has no row.
    case noRow
  }

  /// `table`, `index`, `view` or `trigger`.
  let type: String
  let name: String
  let problem: Problem

  /// Whether ``Schema/mend(_:)`` and a rebuild put it right. Not where a table of the store's own data is concerned.
  var isMendable: Bool {
    switch problem {
    case .nameTaken: false
    case .foreign, .noRow: true
    case .missing, .other: type != "table" || Schema.derivedTables.contains(name)
    }
  }

  /// One line for a person.
  var description: String {
    switch problem {
    case .missing: "the \(type) \(name) is missing"
    case .nameTaken: "the \(type) \(name) is missing: something else has its name"
    case .other: "the \(type) \(name) is not the one that Roqua made"
    case .foreign where type == "trigger": "the trigger \(name) is not Roqua's, and changes what it stores"
    case .foreign: "the unique index \(name) is not Roqua's, and refuses what it stores"
    case .noRow: "the table \(name) has no row"
    }
  }

  /// All of a store, against a new database. What a user added beside the store's own things is none, unless it meddles
  /// with them.
  static func all(
    in store: Connection, against new: Connection
  ) throws(StoreError) -> [SchemaDifference] {
    var differences: [SchemaDifference] = []
    var tables: Set<String> = []
    let expected = try Statement(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY rowid", on: new)
    let find = try Statement("SELECT type, sql FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE", on: store)
    while try expected.step() {
      let (type, name) = (expected.text(at: 0) ?? "", expected.text(at: 1) ?? "")
      if type == "table" || type == "view" { tables.insert(name) }
      find.bind(name, at: 1)
      if try !find.step() {
        differences.append(SchemaDifference(type: type, name: name, problem: .missing))
      } else if find.text(at: 0) != type {
        differences.append(SchemaDifference(type: type, name: name, problem: .nameTaken))
      } else if find.text(at: 1) != expected.text(at: 2) {
        differences.append(SchemaDifference(type: type, name: name, problem: .other))
      }
      find.reset()
    }
    if !differences.contains(where: { $0.name == "revision" }),
      try store.integer("SELECT EXISTS (SELECT 1 FROM revision)") == 0
    {
      differences.append(SchemaDifference(type: "row", name: "revision", problem: .noRow))
    }
    let others = try Statement(
      """
      SELECT type, name, tbl_name FROM sqlite_schema WHERE type = 'trigger'
      UNION ALL
      SELECT s.type, s.name, s.tbl_name FROM sqlite_schema s JOIN pragma_index_list(s.tbl_name) l ON l.name = s.name
      WHERE s.type = 'index' AND s.sql NOTNULL AND l."unique"
      """, on: store)
    while try others.step() {
      let (type, name) = (others.text(at: 0) ?? "", others.text(at: 1) ?? "")
      let table = others.text(at: 2)?.lowercased() ?? ""
      guard tables.contains(table), !differences.contains(where: { $0.type == type && $0.name == name })
      else {
        continue
      }
      differences.append(SchemaDifference(type: type, name: name, problem: .foreign))
    }
    return differences
  }
}
