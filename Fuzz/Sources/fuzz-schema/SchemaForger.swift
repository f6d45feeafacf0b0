@testable import GeoStore
@testable import SQLiteLayer

/// Statements that edit the schema table, selected by bytes.
enum SchemaForger {
  private static let names: [String] = {
    let texts = Schema.format.texts
    return (Array(texts.tables.keys) + texts.indexes.keys + texts.views.keys).sorted()
  }()

  private static let types = ["table", "index", "view", "trigger", "TABLE", "", "x"]

  /// Words that change what a definition means. `\u{212A}` is the Kelvin sign, a letter k to
  /// Unicode but not to SQLite.
  private static let words = [
    " ", "", "X", "\u{212A}", "\u{37E}", "e\u{301}", "\0", "'", "\"", "(", ")", ",", ";", "--",
    "/*", " CHECK (radius < 91)", " CHECK (1)", " UNIQUE", ", UNIQUE (value)",
    ", note TEXT", ", odd INTEGER AS (length(zeroblob(9000)))", " DEFAULT (random())",
    " COLLATE NOCASE", " REFERENCES mine", " STRICT", " WITHOUT ROWID", " IF NOT EXISTS",
    " WHERE points > 3", " TEMP", " UNIQUE INDEX ", " VIRTUAL",
  ]

  private static let texts = [
    "CREATE TRIGGER t BEFORE INSERT ON sources BEGIN SELECT RAISE(IGNORE); END",
    "CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM notes; END",
    "CREATE TABLE notes (text)", "CREATE TABLE KEPT_FIXES (a)",
    "CREATE TABLE \u{212A}ept_fixes (a)",
    "CREATE INDEX i ON sources (path)", "CREATE UNIQUE INDEX i ON sources (path)",
    "CREATE INDEX i ON sources (hex(path))", "CREATE INDEX i ON Sources (path) WHERE points > 3",
    "CREATE INDEX \"a ON b\" ON revision (regions + 1)", "CREATE VIEW v AS SELECT 1",
    "CREATE VIEW revision AS SELECT 1 AS only, 2 AS regions", "create table lower (a)",
    "CREATE TABLE\tnotes (a)",
  ]

  /// A statement that the next bytes select.
  static func statement(_ rest: inout ArraySlice<UInt8>) -> String {
    func pick(_ count: Int) -> Int { Int(rest.popFirst() ?? 0) % count }
    let name = names[pick(names.count)]
    let target = "WHERE name = '\(name)'"
    switch pick(12) {
    case 0: return "DELETE FROM sqlite_schema \(target)"
    case 1: return "UPDATE sqlite_schema SET type = '\(types[pick(types.count)])' \(target)"
    case 2:
      return "UPDATE sqlite_schema SET name = \(other(of: name, pick)) \(target)"
    case 3:
      return "UPDATE sqlite_schema SET tbl_name = \(other(of: name, pick)) \(target)"
    case 4:
      return "INSERT INTO sqlite_schema VALUES ('\(types[pick(types.count)])', "
        + "\(other(of: name, pick)), '\(names[pick(names.count)])', 0, "
        + "\(quoted(texts[pick(texts.count)])))"
    case 5, 6: return texts[pick(texts.count)]
    case 7: return "ALTER TABLE \(name) ADD COLUMN note\(words[pick(words.count)])"
    case 8:
      let type = ["TABLE", "INDEX", "VIEW"][pick(3)]
      return "DROP \(type) \(name)"
    default:
      let (place, removed) = (pick(256) + 256 * pick(4), pick(8))
      let word = pick(2) == 0 ? quoted(words[pick(words.count)]) : "char(\(pick(256)))"
      return "UPDATE sqlite_schema SET sql = substr(sql, 1, \(place)) || \(word) "
        + "|| substr(sql, \(place + 1 + removed)) \(target)"
    }
  }

  /// The SQL of another name, or of the same in other letters.
  private static func other(of name: String, _ pick: (Int) -> Int) -> String {
    switch pick(5) {
    case 0: return quoted(name.uppercased())
    case 1: return quoted(names[pick(names.count)])
    case 2: return quoted(name.replacing("k", with: "\u{212A}"))
    case 3: return "'sqlite_' || '\(name)'"
    default: return quoted("mine")
    }
  }

  private static func quoted(_ text: String) -> String {
    "CAST(x'" + text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      + "' AS TEXT)"
  }
}
