/// The squared chords that decide whether a distance is at most a radius, nearly always without the
/// exact distance.
///
/// They are a millimeter to either side of the radius, ten times the greatest error of
/// ``NearbyDistance``. In between, ``Coordinate/distanceMeters(to:)`` decides.
package struct ChordLimits: Sendable {
  /// A coordinate whose squared chord is at most this, in square meters, is within the radius.
  package let surelyInside: Double
  /// A coordinate whose squared chord is above this, in square meters, is not.
  package let surelyOutside: Double

  /// Prepares for a circle around the center of `near`.
  ///
  /// - Precondition: `near` reaches at least as far as `radiusMeters`.
  package init(_ near: NearbyDistance, radiusMeters: Double) {
    let inner = radiusMeters - 0.001
    surelyInside = inner > 0 ? near.squaredChord(meters: inner) : -1
    surelyOutside = near.squaredChord(meters: max(0, radiusMeters) + 0.001)
  }
}
