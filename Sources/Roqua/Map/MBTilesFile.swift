import ByteStreams
import FogMap
import GeoStore
import GridHash
import SQLiteLayer

/// Writes map tiles to an MBTiles file, a database that many map programs read.
///
/// The file also holds the digests of the squares of cells that its tiles show. So a file from
/// before is renewed: only changed tiles are written, in one transaction. Any other file is written
/// as a whole and gets its name when it is complete.
enum MBTilesFile {
  private static let digestsName = "squares"

  /// Writes or renews a file.
  ///
  /// - Parameters:
  ///   - files: files that are never overwritten, with a description of each.
  ///   - isReplacing: true to replace a file that cannot be renewed.
  static func write(
    _ coverage: Coverage, to path: String, _ options: MapTileOptions,
    keeping files: [FileIdentity: String], replacing isReplacing: Bool
  ) throws(DatabaseError) -> MapTileReport {
    let job = try MapTileJob(coverage, options, compressed: true, path: path)
    let digests = SquareDigests(coverage, purpose: job.purpose)
    let isKept = FileIdentity(path: path).map { files[$0] != nil } ?? false
    if !isKept, let report = try renew(path, job, digests) { return report }
    let file = try DatabaseOutput(path: path, keeping: files, replacing: isReplacing)
    guard let partialPath = file.partialPath else {
      throw .cannotWrite(path: path, reason: "it is not a file")
    }
    let report = try fill(partialPath, path, job, digests)
    try file.finish()
    return report
  }

  /// Fills an empty file. Its connection is closed when this returns.
  private static func fill(
    _ partialPath: String, _ path: String, _ job: MapTileJob, _ digests: SquareDigests
  ) throws(DatabaseError) -> MapTileReport {
    let connection = try Connection.output(partialPath)
    try connection.execute("PRAGMA application_id = \(MBTilesSchema.applicationID)")
    let meter = WorkMeter.current
    var report = MapTileReport(path: path, isRenewal: false)
    try connection.writeTransaction { () throws(DatabaseError) in
      try connection.execute(MBTilesSchema.tables)
      let insert = try connection.cached("INSERT INTO tiles VALUES (?, ?, ?, ?)")
      try job.pyramid.forEachTile(job.coverage.tileKeys) { (tile, bytes) throws(DatabaseError) in
        try Cancellation.checkCurrent(for: path)
        meter?.add(1)
        try run(insert, tile, bytes)
        report.written += 1
      }
      try connection.execute(MBTilesSchema.index)
      try describe(connection, job, digests)
    }
    return report
  }

  /// Renews a file; nil if there is none, or if it shows something else.
  private static func renew(
    _ path: String, _ job: MapTileJob, _ digests: SquareDigests
  ) throws(DatabaseError) -> MapTileReport? {
    guard DatabaseFile.isDatabase(path: path) else { return nil }
    let connection = try Connection.changing(path)
    guard let old = try self.digests(of: connection),
      let changed = job.changes(digests, since: old)
    else { return nil }
    let meter = WorkMeter.current
    var report = MapTileReport(path: path, isRenewal: true)
    if changed.isEmpty, old.purpose == digests.purpose { return report }
    try connection.writeTransaction { () throws(DatabaseError) in
      // Another process may have renewed it while this one waited for the lock.
      guard try self.digests(of: connection) == old else { throw .changedWhileRead(path: path) }
      let write = try connection.cached(
        """
        INSERT INTO tiles VALUES (?, ?, ?, ?)
        ON CONFLICT (zoom_level, tile_column, tile_row) DO UPDATE SET tile_data = excluded.tile_data
        WHERE tile_data IS NOT excluded.tile_data
        """)
      let keep = try connection.cached("INSERT OR IGNORE INTO tiles VALUES (?, ?, ?, ?)")
      let remove = try connection.cached(
        "DELETE FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?")
      try job.pyramid.forEachChange(changed) { (tile, change) throws(DatabaseError) in
        try Cancellation.checkCurrent(for: path)
        meter?.add(1)
        let before = connection.allChangedRows
        switch change {
        case .write(let bytes): try run(write, tile, bytes)
        case .keepOrWrite(let bytes): try run(keep, tile, bytes)
        case .remove:
          try run(remove, tile, nil)
          report.removed += Int(connection.allChangedRows &- before)
          return
        }
        report.written += Int(connection.allChangedRows &- before)
      }
      try describe(connection, job, digests)
    }
    return report
  }

  /// The digests in a file; nil if it is not an MBTiles file that Roqua wrote.
  private static func digests(of connection: Connection) throws(DatabaseError) -> SquareDigests? {
    guard try connection.integer("PRAGMA application_id") == Int64(MBTilesSchema.applicationID),
      try connection.integer(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'roqua_tiles'") == 1
    else { return nil }
    let statement = try connection.cached("SELECT value FROM roqua_tiles WHERE name = ?")
    statement.bind(digestsName, at: 1)
    return try statement.step() ? SquareDigests(try statement.bytes(at: 0)) : nil
  }

  private static func describe(
    _ connection: Connection, _ job: MapTileJob, _ digests: SquareDigests
  ) throws(DatabaseError) {
    let metadata = try connection.cached("INSERT OR REPLACE INTO metadata VALUES (?, ?)")
    let rows = MBTilesSchema.metadata(
      name: job.options.name, credits: MapWording.dataCredits, format: job.style.format,
      zooms: job.options.zooms, bounds: job.bounds)
    for (name, value) in rows {
      metadata.bind(name, at: 1)
      metadata.bind(value, at: 2)
      try metadata.run()
    }
    let bytes = digests.bytes
    // Without digests the file cannot be renewed, but is as good for every reader.
    guard bytes.count < Int(Connection.longestValueBytes) else { return }
    let statement = try connection.cached("INSERT OR REPLACE INTO roqua_tiles VALUES (?, ?)")
    statement.bind(digestsName, at: 1)
    statement.bind(bytes, at: 2)
    try statement.run()
  }

  private static func run(
    _ statement: borrowing Statement, _ tile: MapTile, _ bytes: [UInt8]?
  ) throws(DatabaseError) {
    statement.bind(Int64(tile.zoom), at: 1)
    statement.bind(Int64(tile.x), at: 2)
    statement.bind(Int64(MBTilesSchema.row(of: tile)), at: 3)
    if let bytes { statement.bind(bytes, at: 4) }
    try statement.run()
  }
}
