@testable import GeoStore
@testable import SQLiteLayer

/// An object of a database's schema, with its texts as bytes: Swift compares characters, SQLite
/// bytes.
struct SchemaRow {
  let type: String
  let foldedName: [UInt8]
  let name: String
  let sql: [UInt8]?

  /// All objects.
  static func all(in database: Connection) throws(DatabaseError) -> [SchemaRow] {
    let select = try Statement("SELECT type, name, sql FROM sqlite_schema", on: database)
    var rows: [SchemaRow] = []
    while try select.step() {
      let name = select.text(at: 1) ?? ""
      rows.append(
        SchemaRow(
          type: select.text(at: 0) ?? "", foldedName: folded(name), name: name,
          sql: select.text(at: 2).map { Array($0.utf8) }))
    }
    return rows
  }

  /// The bytes of a name without the case of ASCII letters, as SQLite compares names.
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}

extension SchemaDifference {
  /// Whether it is about an object that Roqua creates, rather than one that somebody added.
  var isAboutOwnObject: Bool {
    switch problem {
    case .missing, .nameTaken, .other, .restorable: true
    case .disguised, .misspelled, .foreign, .noRow: false
    }
  }
}
