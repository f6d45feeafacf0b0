import Geodesy
import SQLiteLayer

extension SourceRegion {
  /// The columns that `insert` writes, in order. ``init(row:)`` reads them, followed by `id` and
  /// `source_id`.
  static let columns = BroughtData.regionColumnNames.joined(separator: ", ")

  /// Creates a region from a row of ``columns``.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` for a value that no writer produces.
  init(row: borrowing Statement) throws(DatabaseError) {
    let id = try row.rowID(at: 14, of: "source_regions")
    var rowName: String { "source_regions, row \(id) of source \(row.int64(at: 15))" }
    self.init(center: try row.coordinate(at: 0, of: rowName), original: row.text(at: 13) ?? "")
    radiusMeters = try row.optionalInt(at: 2, in: StoredRange.radiusMeters, of: rowName)
    start = try row.optionalTime(at: 3, of: rowName)
    end = try row.optionalTime(at: 4, of: rowName)
    if let start, let end, end < start { throw row.damaged(4, of: rowName, ", before start_ms") }
    visitCount = try row.optionalInt(at: 5, in: StoredRange.statedVisits, of: rowName)
    place = PlaceNames(
      countryCode: row.text(at: 9), country: row.text(at: 8), district: row.text(at: 7),
      city: row.text(at: 6)
    )
    accuracyMeters = try row.optionalNumber(at: 10, of: rowName)
    (createdAt, updatedAt) = (row.text(at: 11), row.text(at: 12))
  }

  func bind(to insert: borrowing Statement) {
    insert.bind(center.latitudeDegrees, at: 2)
    insert.bind(center.longitudeDegrees, at: 3)
    insert.bind(radiusMeters.map { Int64($0).clamped(to: StoredRange.radiusMeters) }, at: 4)
    let start = start.flatMap { Timestamp.writable.contains($0) ? $0 : nil }
    let end = end.flatMap { Timestamp.writable.contains($0) ? max($0, start ?? $0) : nil }
    insert.bind(start?.millisecondsSince1970, at: 5)
    insert.bind(end?.millisecondsSince1970, at: 6)
    insert.bind(visitCount.map { Int64($0).clamped(to: StoredRange.statedVisits) }, at: 7)
    insert.bind(place.city, at: 8)
    insert.bind(place.district, at: 9)
    insert.bind(place.country, at: 10)
    insert.bind(place.countryCode, at: 11)
    insert.bind(accuracyMeters.flatMap { $0.isFinite ? $0 : nil }, at: 12)
    insert.bind(createdAt, at: 13)
    insert.bind(updatedAt, at: 14)
    insert.bind(original, at: 15)
  }
}

extension Comparable {
  /// Returns the nearest value in a range.
  fileprivate func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
