import Geodesy

/// A circle whose regions are searched: which are in it, and how far they are.
///
/// Whether a region lies within the radius is decided as ``Coordinate/distanceMeters(to:)`` would, whatever is quicker.
struct CircleSearch {
  let center: Coordinate
  let radiusMeters: Double
  let box: BoundingBox
  private let near: NearbyDistance
  /// Whether ``NearbyDistance`` reaches as far as the radius.
  let isNear: Bool
  /// Squared chords: below the first one surely within the radius, above the second surely not. A millimetre to
  /// either side of the radius, ten times what ``NearbyDistance`` may be off.
  private let surelyInside: Double
  private let surelyOutside: Double

  init(center: Coordinate, radiusMeters: Double) {
    self.center = center
    self.radiusMeters = radiusMeters
    near = NearbyDistance(center: center)
    isNear = near.reaches(radiusMeters)
    box = BoundingBox(around: LocalFrame(center: center), radiusMeters: radiusMeters)
    let inner = radiusMeters - 0.001
    surelyInside = inner > 0 ? near.squaredChord(meters: inner) : -1
    surelyOutside = near.squaredChord(meters: max(0, radiusMeters) + 0.001)
  }

  /// The distance in metres to a centre in the box, nil where it is more than the radius.
  @inline(__always)
  func meters(to other: Coordinate) -> Double? {
    guard isNear else { return exactMeters(to: other) }
    let squared = near.squaredChord(latitudeE7: other.latitudeE7, longitudeE7: other.longitudeE7)
    if squared <= surelyInside { return near.meters(squaredChord: squared) }
    if squared > surelyOutside { return nil }
    return exactMeters(to: other)
  }

  private func exactMeters(to other: Coordinate) -> Double? {
    let meters = center.distanceMeters(to: other)
    return meters <= radiusMeters ? meters : nil
  }
}
