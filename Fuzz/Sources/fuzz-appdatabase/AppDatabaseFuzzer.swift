import Foundation
import FuzzSupport
@testable import Geodesy

@testable import GeoStore
@testable import SQLiteLayer
@testable import Roqua

/// App databases with modified values, columns or bytes: they are read, or refused with an error of
/// the library; their files stay unchanged, and no other files remain.
///
/// Bit 0 of the choice selects a database with or without a log. For one without, bits 1 and 2 are
/// the number of statements that change it; bits 3 and 4 are the number of changed bytes. With bit
/// 7 the database is also adopted. The body selects the statements, and the offsets and values of
/// bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAppDatabase(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  var rest = input.body[...]
  func pick(_ count: Int) -> Int { Int(rest.popFirst() ?? 0) % count }

  let hasLog = input.choice & 1 != 0
  FuzzedApp.write(hasLog ? FuzzedApp.withLog : FuzzedApp.plain)
  if !hasLog {
    for _ in 0..<input.choice >> 1 & 3 { FuzzedApp.execute(FuzzedApp.statement(pick)) }
  }
  for _ in 0..<input.choice >> 3 & 3 {
    let name = FuzzedApp.name + (hasLog && pick(2) == 1 ? "-wal" : "")
    guard var bytes = FuzzFolder.read(name), !bytes.isEmpty else { continue }
    // Most of what SQLite reads is at the start of a page.
    let place = pick(64) * 512 + (pick(2) == 0 ? pick(64) : pick(2) * 256 + pick(256))
    bytes[place % bytes.count] = UInt8(pick(256))
    FuzzFolder.write(bytes, to: name)
  }
  let before = FuzzedApp.files()
  read(FuzzFolder.file(FuzzedApp.name))
  if input.choice & 128 != 0 { adopt(FuzzFolder.file(FuzzedApp.name)) }
  require(FuzzedApp.files() == before, "the app's files were changed")
  let left = FuzzFolder.names.filter { !$0.hasPrefix(FuzzedApp.name) }
  require(left.isEmpty, "files were left behind: \(left)")
  return 0
}

private func read(_ path: String) {
  let reader = AppRegionReader(now: EventRecorder.now)
  do {
    let database = try AppDatabase(path: path)
    try database.forEachRow { row in
      require(row.original.first == "{" && row.original.last == "}", row.original)
      require(
        row.original.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F },
        "a control character in \(row.original.debugDescription)")
      let (region, problems) = reader.region(row)
      require(region != nil || !problems.isEmpty, "a row was left out without a reason")
      guard let region else { return }
      require(region.original == row.original, "the original text was changed")
      if let start = region.start, let end = region.end { require(start <= end, "\(region)") }
    }
    try database.verifyUnchanged()
  } catch {
    require(error is DatabaseError || error is StoreError, "an error of another kind: \(error)")
  }
}

/// A database that is adopted twice is in the store once, and the store is sound.
private func adopt(_ path: String) {
  defer { FuzzFolder.remove(["", "-wal", "-shm", "-journal"].map { "store.sqlite" + $0 }) }
  do {
    let explorer = try Explorer(storePath: FuzzFolder.file("store.sqlite"))
    let request = AdoptRequest(database: path)
    _ = try explorer.adopt(request).json.description
    let again = try explorer.adopt(request)
    require(again.parts.allSatisfy(\.isDuplicate), "the same rows were adopted twice")
    let check = try explorer.check()
    require(check.isSound, "\(check.steps.flatMap(\.differences))")
  } catch {
    require(error is DatabaseError || error is StoreError, "an error of another kind: \(error)")
  }
}

/// The files that are changed, and their original contents.
private enum FuzzedApp {
  static let name = "app.sqlite"
  private static let suffixes = ["", "-wal", "-journal", "-shm"]
  private static let readWrite: Int32 = 2  // SQLITE_OPEN_READWRITE

  private static let table = """
    CREATE TABLE visited_regions (id INTEGER PRIMARY KEY AUTOINCREMENT, latitude REAL NOT NULL,
      longitude REAL NOT NULL, radius INTEGER NOT NULL DEFAULT 200, timestamp_start TEXT NOT NULL,
      timestamp_end TEXT, visit_count INTEGER NOT NULL DEFAULT 1, city TEXT, district TEXT,
      country TEXT, country_code TEXT, geohash TEXT, accuracy REAL, created_at TEXT,
      updated_at TEXT);
    """

  /// Positions far from land and cities, where places are looked up quickly, on both sides of
  /// ±180°.
  private static let rows = """
    INSERT INTO visited_regions VALUES (1, 30, -40, 150, '2024-05-01T10:00:00Z',
      '2024-08-01T10:00:00.500Z', 5, 'A', 'B', 'C', 'TR', 'd', 12.5, 'then', 'later');
    INSERT INTO visited_regions (latitude, longitude, timestamp_start) VALUES
      (30.001, -40.002, '2024-05-01 12:00:00+02:00'), (-20, 179.9999, 1714557600), (95, 11.5, 'x');
    """

  /// A database without a log.
  static let plain = made("PRAGMA page_size = 512; " + table + rows)
  /// A database whose rows are only in its log.
  static let withLog = made(
    "PRAGMA page_size = 512; PRAGMA journal_mode = WAL; " + table
      + "PRAGMA wal_checkpoint(TRUNCATE); " + rows)

  /// The files of a new database, as a crash would leave them.
  private static func made(_ sql: String) -> [String: [UInt8]] {
    // A database is copied with its log into this folder.
    setenv("TMPDIR", FuzzFolder.path, 1)
    write([:])
    let create: Int32 = 4  // SQLITE_OPEN_CREATE
    do {
      let connection = try Connection(path: FuzzFolder.file(name), flags: readWrite | create)
      try connection.execute(sql)
      // SQLite's shared memory is lost in a crash.
      return withExtendedLifetime(connection) { files().filter { $0.key != "-shm" } }
    } catch {
      fatalError("\(error)")
    }
  }

  /// The bytes of the database and of the files next to it, by suffix.
  static func files() -> [String: [UInt8]] {
    suffixes.reduce(into: [:]) { $0[$1] = FuzzFolder.read(name + $1) }
  }

  /// Replaces the database and the files next to it.
  static func write(_ files: [String: [UInt8]]) {
    FuzzFolder.remove(suffixes.map { name + $0 })
    for (suffix, bytes) in files { FuzzFolder.write(bytes, to: name + suffix) }
  }

  /// Runs a statement on the file; one that SQLite rejects changes nothing.
  static func execute(_ sql: String) {
    guard let connection = try? Connection(path: FuzzFolder.file(name), flags: readWrite)
    else { return }
    try? connection.execute(sql)
  }

  private static let columns = [
    "latitude", "longitude", "radius", "timestamp_start", "timestamp_end", "visit_count", "city",
    "country", "country_code", "accuracy", "created_at", "updated_at", "id",
  ]

  private static let values = [
    "NULL", "''", "'x'", "0", "-1", "1", "2", "91", "-181", "180", "0.5", "1e308", "9e999",
    "-9e999", "5e-324", "9223372036854775807", "-9223372036854775808", "1000001", "10001",
    "1714557600", "1714557600000", "'2024-05-01T10:00:00Z'", "'2024-05-01 12:00:00 +0200'",
    "'2024-13-01'", "'0000-01-01'", "'99999-01-01T00:00:00Z'", "x'00ff'",
    "CAST(x'ff80c0' AS TEXT)", "'esc' || char(27, 155, 8238, 10, 0)", "'1e400'", "'nan'",
    "zeroblob(9000)",
  ]

  private static let newColumns = [
    "\"say \"\"hi\"\"\"", "rowid", "_rowid_", "oid", "\"\"", "\"a\nb\"", "\"Größe\"", "LATITUDE2",
    "extra GENERATED ALWAYS AS (latitude * 2)",
  ]

  /// A statement that changes the database.
  static func statement(_ pick: (Int) -> Int) -> String {
    let column = columns[pick(columns.count)]
    switch pick(8) {
    case 0:
      return "ALTER TABLE visited_regions ADD COLUMN \(newColumns[pick(newColumns.count)])"
    case 1: return "ALTER TABLE visited_regions DROP COLUMN \(column)"
    case 2:
      return "ALTER TABLE visited_regions RENAME COLUMN \(column) TO "
        + newColumns[pick(newColumns.count - 1)]
    case 3: return "DELETE FROM visited_regions WHERE id = \(pick(6))"
    case 4:
      return "INSERT INTO visited_regions (latitude, longitude, timestamp_start) VALUES ("
        + (0..<3).map { _ in values[pick(values.count)] }.joined(separator: ", ") + ")"
    default:
      return "UPDATE visited_regions SET \(column) = \(values[pick(values.count)]) "
        + "WHERE id % 4 = \(pick(4))"
    }
  }
}
