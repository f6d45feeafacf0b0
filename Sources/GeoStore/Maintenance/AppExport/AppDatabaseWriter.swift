import CSQLite
import SQLiteLayer

/// Writes the Roqua app's table into an empty file that is this process's alone.
///
/// The file is whole after ``finish()``. Before that nothing of it is of use: whoever gives up
/// removes it.
final class AppDatabaseWriter {
  /// The connection that writes the file.
  let connection: Connection
  private let target: String
  /// Rows so far.
  private(set) var rows = 0
  /// Rows so far without a time.
  private(set) var undatedRows = 0

  /// Begins the database.
  ///
  /// - Parameters:
  ///   - path: the empty file.
  ///   - target: the path that stands in messages.
  ///   - fileSystem: the name of SQLite's file system; nil for one without locks, which the file
  ///     does not need: it is locked already, in a way that is one with SQLite's on some systems.
  /// - Throws: `DatabaseError.cannotWrite(path:reason:)`.
  init(path: String, target: String, fileSystem: String?) throws(DatabaseError) {
    self.target = target
    connection = try Self.writing(to: target) { () throws(DatabaseError) in
      let connection = try Connection(
        path: path, flags: SQLITE_OPEN_READWRITE, fileSystem: fileSystem ?? "unix-none")
      // One file results. A defensive connection has a journal; of a new file it holds nothing.
      _ = try connection.text("PRAGMA journal_mode = MEMORY")
      // The file is brought to the disk when it is whole.
      try connection.execute("PRAGMA synchronous = OFF")
      try Pragmas.saveMemory(connection)
      try connection.beginTransaction()
      try connection.execute(AppSchema.table)
      return connection
    }
  }

  /// Adds a row. Rows are numbered from 1 in the order in which they come.
  ///
  /// - Throws: `DatabaseError.cannotWrite(path:reason:)`.
  func append(_ row: AppExportRow) throws(DatabaseError) {
    try Self.writing(to: target) { () throws(DatabaseError) in
      let (region, place) = (row.region, row.region.place)
      let insert = try connection.cached(AppSchema.insert)
      insert.bind(region.coordinate.latitudeDegrees, at: 1)
      insert.bind(region.coordinate.longitudeDegrees, at: 2)
      insert.bind(Int64(region.radiusMeters), at: 3)
      insert.bind(row.timestampStart, at: 4)
      insert.bind(row.timestampEnd, at: 5)
      insert.bind(Int64(region.visitCount), at: 6)
      insert.bind(place.city, at: 7)
      insert.bind(place.district, at: 8)
      insert.bind(place.country, at: 9)
      insert.bind(place.countryCode, at: 10)
      insert.bind(region.geohash, at: 11)
      insert.bind(region.accuracyMeters, at: 12)
      insert.bind(row.createdAt, at: 13)
      insert.bind(row.updatedAt, at: 14)
      try insert.run(changing: 1)
    }
    rows += 1
    if row.region.timestampStart == nil { undatedRows += 1 }
  }

  /// Makes the indexes and ends the database.
  ///
  /// - Returns: the bytes of the file.
  /// - Throws: `DatabaseError.cannotWrite(path:reason:)`, and `DatabaseError.interrupted(path:)` if
  ///   the work on ``connection`` was cancelled.
  func finish() throws(DatabaseError) -> Int {
    try Self.writing(to: target) { () throws(DatabaseError) in
      for index in AppSchema.indexes { try connection.execute(index) }
      try connection.run("COMMIT")
      connection.endTransaction()
      let pages = try connection.integer("PRAGMA page_count") ?? 0
      return Int(pages * (try connection.integer("PRAGMA page_size") ?? 0))
    }
  }

  /// Runs `body`, whose errors are about the file that is written: the store is not the reason.
  private static func writing<T>(
    to target: String, _ body: () throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    do throws(DatabaseError) {
      return try body()
    } catch {
      throw switch error {
      case .interrupted: .interrupted(path: target)
      case .diskFull: .cannotWrite(path: target, reason: "the disk is full")
      default:
        .cannotWrite(path: target, reason: error.sqliteFailure?.message ?? error.description)
      }
    }
  }
}
