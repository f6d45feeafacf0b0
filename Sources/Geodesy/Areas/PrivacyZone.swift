/// A disc whose data is kept out of the store: every fix at most `radiusMeters` from the center.
///
/// ```swift
/// let home = PrivacyZone(center: here, radiusMeters: 300)
/// for await fix in receiver where !home.contains(fix.coordinate) { print(fix.coordinate) }
/// ```
public struct PrivacyZone: Hashable, Sendable {
  /// The center.
  public let center: Coordinate
  /// The radius in meters on the ellipsoid, inclusive.
  public let radiusMeters: Double

  /// Creates a zone. A negative radius makes an empty zone.
  public init(center: Coordinate, radiusMeters: Double) {
    self.center = center
    self.radiusMeters = radiusMeters
  }

  /// Returns whether a position lies in the zone.
  public func contains(_ coordinate: Coordinate) -> Bool {
    center.distanceMeters(to: coordinate) <= radiusMeters
  }
}

/// Several privacy zones, prepared for testing many positions.
///
/// ```swift
/// var settings = FilterSettings()
/// settings.zones = PrivacyZones([PrivacyZone(center: here, radiusMeters: 300)])
/// ```
public struct PrivacyZones: Hashable, Sendable {
  /// The zones.
  package let zones: [PrivacyZone]
  /// A box around each zone, so that a distance is computed only near a zone.
  private let boxes: [BoundingBox]

  /// Creates a collection of zones, by default an empty one.
  public init(_ zones: [PrivacyZone] = []) {
    self.zones = zones
    // A box around a negative radius is empty; `contains` decides.
    boxes = zones.map { BoundingBox(around: $0.center, radiusMeters: max(0, $0.radiusMeters)) }
  }

  /// True if there are no zones.
  package var isEmpty: Bool { zones.isEmpty }

  /// Returns whether a position lies in any of the zones: the same as
  /// ``PrivacyZone/contains(_:)`` for each.
  ///
  /// - Complexity: O(zones), a few comparisons each, and a distance for zones nearby.
  @inline(__always)
  package func contains(_ coordinate: Coordinate) -> Bool {
    !zones.isEmpty && isInside(coordinate)
  }

  @inline(never)
  private func isInside(_ coordinate: Coordinate) -> Bool {
    for (zone, box) in zip(zones, boxes) where box.contains(coordinate) {
      if zone.contains(coordinate) { return true }
    }
    return false
  }
}
