import Geodesy

/// A query for regions that meet all conditions that are set.
///
/// If you request the regions page by page, passing the last id of the previous page, no region
/// that existed at the start is missed and none is returned twice, even while others are added.
///
/// ```swift
/// var query = RegionQuery(area: .circle(center: here, radiusMeters: 2_000))
/// query.countryCode = "TR"
/// let first = try await explorer.regions(matching: query, limit: 100)
/// let next = try await explorer.regions(matching: query, after: first.last?.id, limit: 100)
/// print(first.count + next.count)
/// ```
public struct RegionQuery: Sendable {
  /// The area in which a region's center must lie.
  public enum Area: Sendable {
    /// Anywhere.
    case everywhere
    /// Within a radius in meters (inclusive) of a point, on the ellipsoid.
    case circle(center: Coordinate, radiusMeters: Double)
    /// In a box, edges included; it may cross ±180°.
    case box(BoundingBox)
    /// In at least one of the polygons.
    case polygons([Polygon])
  }

  /// The area.
  public var area: Area = .everywhere
  /// The time range: a region matches if one of its visits shares a moment with it, ends included.
  /// Regions without a time do not match.
  public var times: ClosedRange<Timestamp>?
  /// The country, as an ISO 3166-1 alpha-2 code.
  public var countryCode: String?
  /// First-level division, by one of the names that regions carry; nil for any, also none. Names
  /// are compared as text: it does not matter how their accents are encoded.
  public var regions: Set<String>?
  /// First-level division, by its ISO 3166-2 code, such as `DE-BY`; nil for any, also none.
  public var regionCode: String?
  /// City, by one of the names that regions carry; nil for any, also none. A city may be spelled in
  /// several ways in one store: adopted regions keep the spelling of the app.
  public var cities: Set<String>?

  /// Creates a query for all regions.
  public init() {}

  /// Creates a query for the regions of an area.
  public init(area: Area) { self.area = area }
}

extension RegionQuery {
  /// Returns whether a region meets the conditions, with its visits taken as one range of time.
  func matches(_ region: VisitedRegion) -> Bool {
    guard matches(region.place) else { return false }
    if let times {
      guard let start = region.timestampStart, let end = region.timestampEnd,
        start <= times.upperBound,
        end >= times.lowerBound
      else { return false }
    }
    return holds(region.coordinate)
  }

  /// Returns whether the names of a place meet the conditions.
  func matches(_ place: PlaceNames) -> Bool {
    if let countryCode, place.countryCode != countryCode { return false }
    if let regions, place.region.map(regions.contains) != true { return false }
    if let regionCode, place.regionCode != regionCode { return false }
    if let cities, place.city.map(cities.contains) != true { return false }
    return true
  }

  /// Returns whether a position is in the area.
  private func holds(_ coordinate: Coordinate) -> Bool {
    switch area {
    case .everywhere: true
    case .circle(let center, let radius): center.distanceMeters(to: coordinate) <= radius
    case .box(let box): box.contains(coordinate)
    case .polygons(let polygons): polygons.contains { $0.contains(coordinate) }
    }
  }

  /// Boxes that together contain the area; nil for everywhere.
  var boxes: [BoundingBox]? {
    switch area {
    case .everywhere: nil
    case .circle(let center, let radius):
      [BoundingBox(around: LocalFrame(center: center), radiusMeters: radius)]
    case .box(let box): [box]
    case .polygons(let polygons): polygons.map(\.box)
    }
  }
}
