import SQLiteLayer

/// Writes the Roqua app's table into an empty file that only this process uses.
///
/// The file is complete after ``finish()``. Until then it is unusable: delete it if the export
/// stops.
final class AppDatabaseWriter {
  /// The connection that writes the file.
  let connection: Connection
  private let target: String
  /// Number of rows so far.
  private(set) var rows = 0
  /// Number of rows without a time so far.
  private(set) var undatedRows = 0

  /// Starts the database.
  ///
  /// - Parameters:
  ///   - path: the empty file.
  ///   - target: the path used in messages.
  ///   - fileSystem: the name of SQLite's file system; if nil, SQLite's one without locks.
  /// - Throws: `DatabaseError.cannotWrite(path:reason:)`.
  init(path: String, target: String, fileSystem: String?) throws(DatabaseError) {
    self.target = target
    connection = try Self.writing(to: target) { () throws(DatabaseError) in
      let connection = try Connection.output(path, fileSystem: fileSystem)
      try Pragmas.saveMemory(connection)
      try connection.beginTransaction()
      try connection.execute(AppSchema.table)
      return connection
    }
  }

  /// Adds a row. Rows are numbered from 1 in the order of the calls.
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
      insert.bind(place.appDistrict, at: 8)
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

  /// Creates the indexes and completes the database.
  ///
  /// - Returns: the size of the file in bytes.
  /// - Throws: `DatabaseError.cannotWrite(path:reason:)`, and `DatabaseError.interrupted(path:)` if
  ///   the work on ``connection`` was canceled.
  func finish() throws(DatabaseError) -> Int {
    try Self.writing(to: target) { () throws(DatabaseError) in
      for index in AppSchema.indexes { try connection.execute(index) }
      try connection.run("COMMIT")
      connection.endTransaction()
      let pages = try connection.integer("PRAGMA page_count") ?? 0
      return Int(pages * (try connection.integer("PRAGMA page_size") ?? 0))
    }
  }

  /// Runs `body` and turns its errors into errors of the written file, since the store is not their
  /// cause.
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
