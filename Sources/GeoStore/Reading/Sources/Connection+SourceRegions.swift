import SQLiteLayer

extension Connection {
  /// Calls `body` with the regions that came with sources, in the order in which they were stored.
  func forEachSourceRegion(
    where condition: String = "1",
    _ body: (_ region: SourceRegion, _ source: Int64) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let select = try Statement(
      """
      SELECT \(SourceRegion.columns), id, source_id FROM source_regions
      WHERE \(condition) ORDER BY id
      """, on: self)
    while try select.step() { try body(SourceRegion(row: select), select.int64(at: 15)) }
  }
}
