import Geodesy

/// A region that a source brought itself, without the fixes that made it: one row of `source_regions`.
public struct SourceRegion: Hashable, Sendable {
  /// Centre.
  public var center: Coordinate
  /// Radius of what it explored, in metres, 1...10 000; nil for the store's exploration radius.
  public var radiusMeters: Int?
  /// First time; nil where unknown.
  public var start: Timestamp?
  /// Last time, not before the first; nil where unknown.
  public var end: Timestamp?
  /// Number of visits, at least 1; nil where only the position is known. Then it is one more undated fix: a region near
  /// it takes it.
  public var visitCount: Int?
  /// Names that it had.
  public var place = PlaceNames()
  /// Horizontal accuracy in metres; nil where unknown.
  public var accuracyMeters: Double?
  /// When its row was made, as it says.
  public var createdAt: String?
  /// When its row was changed, as it says.
  public var updatedAt: String?
  /// What was found, as JSON: nothing is lost of it.
  public var original: String

  /// A region of which only the position is known.
  public init(center: Coordinate, original: String) {
    self.center = center
    self.original = original
  }

  /// What it says of its visits; nil where it says nothing.
  var stated: StatedVisits? {
    visitCount.map { count in
      StatedVisits(range: start.map { $0...max($0, end ?? $0) }, count: count)
    }
  }
}

extension SourceRegion {
  /// The columns that `insert` writes, in order; ``init(row:)`` reads them, and after them `id` and
  /// `source_id`.
  static let columns = """
    latitude, longitude, radius, start_ms, end_ms, visit_count, city, district, country, country_code, accuracy, \
    created_at, updated_at, original
    """

  /// - Throws: ``StoreError/damaged(path:detail:cause:)`` for a value that no writer puts there.
  init(row: borrowing Statement) throws(StoreError) {
    let id = try row.rowID(at: 14, of: "source_regions")
    var rowName: String { "source_regions, row \(id) of source \(row.int64(at: 15))" }
    self.init(center: try row.coordinate(at: 0, of: rowName), original: row.text(at: 13) ?? "")
    radiusMeters = try row.optionalInt(at: 2, in: StoredRange.radiusMeters, of: rowName)
    start = try row.optionalTime(at: 3, of: rowName)
    end = try row.optionalTime(at: 4, of: rowName)
    if let start, let end, end < start { throw row.damaged(4, of: rowName, ", before start_ms") }
    visitCount = try row.optionalInt(at: 5, in: StoredRange.statedVisits, of: rowName)
    place = PlaceNames(
      countryCode: row.text(at: 9), country: row.text(at: 8), district: row.text(at: 7), city: row.text(at: 6)
    )
    accuracyMeters = try row.optionalNumber(at: 10, of: rowName)
    (createdAt, updatedAt) = (row.text(at: 11), row.text(at: 12))
  }

  fileprivate func bind(to insert: borrowing Statement) {
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
  /// The nearest value in a range.
  fileprivate func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}

/// Writes one source that has no fixes but regions of its own, inside a write transaction. What follows from them is
/// there after ``WriteSession/rebuild()``, which must come after.
public final class RegionSourceWriter {
  private let connection: Connection
  private let options: StoreOptions
  private let sourceID: Int64

  init(connection: Connection, options: StoreOptions) throws(StoreError) {
    self.connection = connection
    self.options = options
    sourceID = try connection.nextSourceID()
  }

  /// Takes a region. A radius or count out of its range becomes the nearest in it; a time that ISO
  /// 8601 cannot write with a year of four digits, and an accuracy that is no number, are unknown.
  public func append(_ region: SourceRegion) throws(StoreError) {
    let insert = try connection.cached(
      """
      INSERT INTO source_regions (source_id, \(SourceRegion.columns))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
      """)
    insert.bind(sourceID, at: 1)
    region.bind(to: insert)
    try insert.run(changing: 1)
  }

  /// Ends the source: writes its row.
  public func finish(_ description: SourceDescription) throws(StoreError) {
    try connection.insertSource(description, id: sourceID, kept: 0, importedAt: options.now())
  }
}

extension WriteSession {
  /// Starts a source that has no fixes but regions of its own.
  public func beginRegionSource() throws(StoreError) -> RegionSourceWriter {
    try RegionSourceWriter(connection: connection, options: options)
  }
}
