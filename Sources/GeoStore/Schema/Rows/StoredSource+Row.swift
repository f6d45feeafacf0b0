import Geodesy
import SQLiteLayer

extension StoredSource {
  /// The columns of `sources` that ``init(row:isForgiving:)`` reads, in order. If a tile's number
  /// of cells is impossible, so is `cells`.
  static let columns = """
    id, sha256, path, format, bytes, points, kept, first_time, last_time, imported_at, \
    (SELECT CASE WHEN count(*) = count(CASE WHEN \(isPossible) THEN 1 END) \
      THEN coalesce(sum(CASE WHEN \(isPossible) THEN cells END), 0) ELSE -1 END \
      FROM source_tiles WHERE source_id = sources.id) AS cells, \
    (SELECT count(*) FROM source_regions WHERE source_id = sources.id)
    """

  private static let isPossible = Connection.condition("cells", StoredRange.tileCells)

  /// Creates a source from a row of ``columns``.
  ///
  /// - Parameter isForgiving: whether impossible numbers read as 0, so that a damaged source can be
  ///   forgotten.
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` for impossible numbers otherwise.
  init(row: borrowing Statement, isForgiving: Bool = false) throws(DatabaseError) {
    let id = row.int64(at: 0)
    func count(
      _ column: Int32, _ range: ClosedRange<Int64> = StoredRange.sourceCount
    ) throws(DatabaseError) -> Int {
      if isForgiving, !range.contains(row.int64(at: column)) { return 0 }
      return try row.int(at: column, in: range, of: "sources, row \(id)")
    }
    self.id = isForgiving ? id : try row.rowID(at: 0, of: "sources")
    sha256 = row.text(at: 1) ?? ""
    path = row.text(at: 2) ?? ""
    format = row.text(at: 3) ?? ""
    bytes = try count(4, StoredRange.byteCount)
    points = try count(5)
    kept = try count(6)
    firstTime = row.text(at: 7).flatMap(Timestamp.init(iso8601:))
    lastTime = row.text(at: 8).flatMap(Timestamp.init(iso8601:))
    importedAt = row.text(at: 9).flatMap(Timestamp.init(iso8601:))
    // The error identifies the tile rather than the source.
    if row.int64(at: 10) < 0, !isForgiving { throw try row.connection.damageOfSourceTile() }
    cells = try count(10)
    regions = try count(11)
  }
}
