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

/// A disc around a kept fix that was not near an existing one: one row of `visited_regions`.
public struct VisitedRegion: Hashable, Sendable, Identifiable {
  /// The row's number, in the order in which regions were made. A rebuild numbers them anew.
  public let id: Int64
  /// Centre.
  public let coordinate: Coordinate
  /// Radius in whole metres.
  public let radiusMeters: Int
  /// First fix time; nil where no fix of the region has one.
  public let timestampStart: Timestamp?
  /// Last fix time; nil where no fix of the region has one.
  public let timestampEnd: Timestamp?
  /// Number of visits, at least 1.
  public let visitCount: Int
  /// Where it is, in words.
  public let place: PlaceNames
  /// Geohash of the centre, 9 characters.
  public let geohash: String?
  /// Horizontal accuracy in metres of the fix that made the region; nil where unknown.
  public let accuracyMeters: Double?
}

extension VisitedRegion {
  /// The columns that ``init(row:)`` reads, in order.
  static let columns = """
    id, latitude, longitude, radius, timestamp_start, timestamp_end, visit_count, country_code, country, \
    region, district, city, geohash, accuracy
    """

  /// A region from a row of ``columns``.
  ///
  /// - Throws: ``StoreError/damaged(path:detail:)`` where the position is none.
  init(row: Statement, path: String) throws(StoreError) {
    id = row.int64(at: 0)
    guard
      let coordinate = try? Coordinate(
        latitudeDegrees: row.double(at: 1), longitudeDegrees: row.double(at: 2))
    else { throw .damaged(path: path, detail: "visited region \(id) has no valid position") }
    self.coordinate = coordinate
    radiusMeters = row.int(at: 3)
    timestampStart = row.text(at: 4).flatMap(Timestamp.init(iso8601:))
    timestampEnd = row.text(at: 5).flatMap(Timestamp.init(iso8601:))
    visitCount = row.int(at: 6)
    place = PlaceNames(
      countryCode: row.text(at: 7), country: row.text(at: 8), region: row.text(at: 9),
      district: row.text(at: 10), city: row.text(at: 11))
    geohash = row.text(at: 12)
    accuracyMeters = row.optionalDouble(at: 13)
  }
}
