/// The texts that SQLite keeps of the tables, indexes and views that migrations create, by name.
/// The last text of each name counts.
package struct SchemaTexts: Sendable {
  /// `CREATE TABLE` texts.
  package private(set) var tables: [String: String] = [:]
  /// `CREATE INDEX` texts.
  package private(set) var indexes: [String: String] = [:]
  /// `CREATE VIEW` texts.
  package private(set) var views: [String: String] = [:]

  /// Collects the texts of all steps.
  init(_ migrations: [Migration]) {
    for step in migrations {
      add(step.sql)
      tables.merge(step.alteredTables) { _, new in new }
    }
  }

  /// Returns whether a table or view has this name.
  package func isOwn(_ name: String) -> Bool { tables[name] != nil || views[name] != nil }

  /// Adds the statements of a step. Works on bytes, because it runs whenever a database is opened.
  private mutating func add(_ step: String) {
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
      // Sound: valid for the life of the process, because a static string's bytes are constant.
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
