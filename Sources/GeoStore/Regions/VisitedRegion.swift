import Geodesy

/// Names of a place, as a region carries them; each nil where there is none.
public struct PlaceNames: Hashable, Sendable {
  /// ISO 3166-1 alpha-2.
  public var countryCode: String?
  /// Country.
  public var country: String?
  /// First-level administrative division (admin 1).
  public var region: String?
  /// Second-level administrative division (admin 2), or a part of the city.
  public var district: String?
  /// City, town or village.
  public var city: String?

  /// Names, all nil unless given.
  public init(
    countryCode: String? = nil, country: String? = nil, region: String? = nil, district: String? = nil,
    city: String? = nil
  ) {
    self.countryCode = countryCode
    self.country = country
    self.region = region
    self.district = district
    self.city = city
  }
}

/// Names that many regions share, so that a region carries one reference instead of five texts.
final class SharedPlaceNames: Sendable {
  let names: PlaceNames

  init(_ names: PlaceNames) { self.names = names }

  /// No names.
  static let none = SharedPlaceNames(PlaceNames())
}

/// A disc around a kept fix that was not near an existing one: one row of `visited_regions`. 56 bytes.
public struct VisitedRegion: Sendable, Identifiable {
  /// The row's number, in the order in which regions were made. A rebuild numbers them anew.
  public let id: Int64
  /// Centre.
  public let coordinate: Coordinate
  private let start: Int64
  private let end: Int64
  private let accuracy: Double
  private let shared: SharedPlaceNames
  private let radius: Int32
  private let count: Int32

  /// What stands for no time: the smallest number of milliseconds.
  private static let noTime = Int64.min

  init(
    id: Int64, coordinate: Coordinate, radiusMeters: Int, timestampStart: Timestamp?,
    timestampEnd: Timestamp?,
    visitCount: Int, names: SharedPlaceNames, accuracyMeters: Double?
  ) {
    self.id = id
    self.coordinate = coordinate
    start = timestampStart?.millisecondsSince1970 ?? Self.noTime
    end = timestampEnd?.millisecondsSince1970 ?? Self.noTime
    accuracy = accuracyMeters ?? .nan
    shared = names
    radius = Int32(clamping: radiusMeters)
    count = Int32(clamping: visitCount)
  }

  /// Radius in whole metres.
  public var radiusMeters: Int { Int(radius) }
  /// First fix time; nil where no fix of the region has one.
  public var timestampStart: Timestamp? { Self.time(start) }
  /// Last fix time; nil where no fix of the region has one.
  public var timestampEnd: Timestamp? { Self.time(end) }
  /// Number of visits, at least 1.
  public var visitCount: Int { Int(count) }
  /// Where it is, in words.
  public var place: PlaceNames { shared.names }
  /// Geohash of the centre, 9 characters.
  public var geohash: String { Geohash(coordinate).description }
  /// Horizontal accuracy in metres of the fix that made the region; nil where unknown.
  public var accuracyMeters: Double? { accuracy.isNaN ? nil : accuracy }

  private static func time(_ milliseconds: Int64) -> Timestamp? {
    milliseconds == noTime ? nil : Timestamp(millisecondsSince1970: milliseconds)
  }
}

extension VisitedRegion: Hashable {
  /// Whether all that is known of two regions is equal.
  public static func == (left: VisitedRegion, right: VisitedRegion) -> Bool {
    left.id == right.id && left.coordinate == right.coordinate && left.radius == right.radius
      && left.start == right.start && left.end == right.end && left.count == right.count
      && left.accuracyMeters == right.accuracyMeters
      && (left.shared === right.shared || left.place == right.place)
  }

  /// Equal regions have equal hashes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(coordinate)
  }
}

extension VisitedRegion {
  /// The columns that ``init(row:names:)`` reads, in order.
  static let columns = """
    id, latitude, longitude, radius, timestamp_start, timestamp_end, visit_count, country_code, country, \
    region, district, city, accuracy
    """

  /// A region from a row of ``columns``.
  ///
  /// - Parameter names: keeps one object for equal names; nil makes one for each region.
  /// - Throws: ``StoreError/damaged(path:detail:cause:)`` for a value that no writer puts there.
  init(row: borrowing Statement, names: PlaceNamesPool? = nil) throws(StoreError) {
    let id = try row.rowID(at: 0, of: "visited_regions")
    var rowName: String { "visited_regions, row \(id)" }
    let names = names ?? PlaceNamesPool()
    self.init(
      id: id, coordinate: try row.coordinate(at: 1, of: rowName),
      radiusMeters: try row.int(at: 3, in: StoredRange.radiusMeters, of: rowName),
      timestampStart: try row.optionalTextTime(at: 4, of: rowName),
      timestampEnd: try row.optionalTextTime(at: 5, of: rowName),
      visitCount: try row.int(at: 6, in: StoredRange.regionVisits, of: rowName),
      names: try names.shared(row, from: 7),
      accuracyMeters: try row.optionalNumber(at: 12, of: rowName))
  }
}

/// Names of places as regions are read: one object for equal names.
///
/// Neighbours mostly share a place, so rows are told apart by their bytes, and texts are made for new names only.
final class PlaceNamesPool {
  private var known: [[UInt8]: SharedPlaceNames] = [:]
  private var last: (key: [UInt8], names: SharedPlaceNames)?
  private var key: [UInt8] = []

  /// The object of the names in five columns of a row: country code, country, region, district, city.
  func shared(_ row: borrowing Statement, from column: Int32) throws(StoreError) -> SharedPlaceNames {
    key.removeAll(keepingCapacity: true)
    for column in column..<column + 5 {
      // Told from an empty text, and ended: no UTF-8 has these bytes.
      key.append(row.isNull(at: column) ? 0xFE : 0xFF)
      try row.withBytes(at: column) { key.append(contentsOf: $0) }
    }
    if let last, last.key == key { return last.names }
    let names =
      known[key]
      ?? SharedPlaceNames(
        PlaceNames(
          countryCode: row.text(at: column), country: row.text(at: column + 1),
          region: row.text(at: column + 2), district: row.text(at: column + 3), city: row.text(at: column + 4)
        ))
    known[key] = names
    last = (key, names)
    return names
  }

  /// Bytes that the names take, roughly.
  var byteCount: Int {
    known.keys.reduce(0) { $0 + 100 + $1.count }
  }
}
