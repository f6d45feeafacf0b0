import Geodesy

/// Names shared by many regions, so that a region carries one reference instead of seven strings.
final class SharedPlaceNames: Sendable {
  let names: PlaceNames

  init(_ names: PlaceNames) { self.names = names }

  /// No names.
  static let none = SharedPlaceNames(PlaceNames())
}

/// A disc around a kept fix that no earlier region was near: one row of `regions`. 56 bytes.
///
/// ```swift
/// for match in try await explorer.regions(near: here, radiusMeters: 500) {
///   let region = match.region
///   print(region.coordinate, region.visitCount, region.place.city ?? "", match.distanceMeters)
/// }
/// ```
public struct VisitedRegion: Sendable, Identifiable {
  /// Its number, 0..<2⁵³: the geohash of the center times 256, plus a counter. Importing tracks
  /// does not change it.
  public let id: Int64
  /// The center.
  public let coordinate: Coordinate
  private let start: Int64
  private let end: Int64
  private let accuracy: Double
  private let shared: SharedPlaceNames
  private let radius: Int32
  private let count: Int32

  /// The value for no time: the smallest number of milliseconds.
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

  /// Radius in whole meters.
  public var radiusMeters: Int { Int(radius) }
  /// First fix time; nil if no fix of the region has one.
  public var timestampStart: Timestamp? { Self.time(start) }
  /// Last fix time; nil if no fix of the region has one.
  public var timestampEnd: Timestamp? { Self.time(end) }
  /// Number of visits, at least 1.
  public var visitCount: Int { Int(count) }
  /// Names of the place where it lies.
  public var place: PlaceNames { shared.names }
  /// Geohash of the center, 9 characters.
  public var geohash: String { Geohash(coordinate).description }
  /// Horizontal accuracy in meters of the fix that made the region; nil if unknown.
  public var accuracyMeters: Double? { accuracy.isNaN ? nil : accuracy }

  private static func time(_ milliseconds: Int64) -> Timestamp? {
    milliseconds == noTime ? nil : Timestamp(millisecondsSince1970: milliseconds)
  }
}

extension VisitedRegion: Hashable {
  /// Returns whether two regions are equal in every property.
  public static func == (left: VisitedRegion, right: VisitedRegion) -> Bool {
    left.id == right.id && left.coordinate == right.coordinate && left.radius == right.radius
      && left.start == right.start && left.end == right.end && left.count == right.count
      && left.accuracyMeters == right.accuracyMeters
      && (left.shared === right.shared || left.place == right.place)
  }

  /// Hashes the id and the coordinate.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(coordinate)
  }
}
