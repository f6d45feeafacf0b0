/// A privacy zone, or that it was removed.
package enum SharedZone: Joinable {
  /// The zone is in force.
  case present(PresentZone)
  /// The zone was removed, which is final: a zone that is added again gets another name.
  case removed(Stamp)

  /// Joins what both say. Removed wins; of two removals the earlier one counts, and of two zones
  /// the smaller one in the order of ``PresentZone``.
  package mutating func join(_ other: Self) {
    switch (self, other) {
    case (.removed(let own), .removed(let added)): self = .removed(min(own, added))
    case (.removed, .present): break
    case (.present, .removed): self = other
    case (.present(let own), .present(let added)): self = .present(min(own, added))
    }
  }
}

/// A privacy zone that is in force.
package struct PresentZone: Hashable, Comparable, Sendable {
  /// The name that a person gave it, or nil.
  package var name: String?
  /// The latitude of the center, in units of 1e-7 degree.
  package var latitudeE7: Int32
  /// The longitude of the center, in units of 1e-7 degree.
  package var longitudeE7: Int32
  /// The radius in meters.
  package var radiusMeters: Double
  /// When it was added, in milliseconds since 1970.
  package var addedMilliseconds: Int64

  /// Creates a zone.
  package init(
    name: String?, latitudeE7: Int32, longitudeE7: Int32, radiusMeters: Double,
    addedMilliseconds: Int64
  ) {
    (self.name, self.latitudeE7, self.longitudeE7) = (name, latitudeE7, longitudeE7)
    (self.radiusMeters, self.addedMilliseconds) = (radiusMeters, addedMilliseconds)
  }

  /// The order by time, place, radius and the bytes of the name.
  package static func < (left: Self, right: Self) -> Bool {
    let one = (
      left.addedMilliseconds, left.latitudeE7, left.longitudeE7, left.radiusMeters.bitPattern
    )
    let two = (
      right.addedMilliseconds, right.latitudeE7, right.longitudeE7, right.radiusMeters.bitPattern
    )
    if one != two { return one < two }
    // No name comes before the empty one. Bytes, since equal strings may have different bytes.
    guard let name = left.name else { return right.name != nil }
    guard let other = right.name else { return false }
    return name.utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Whether all values are equal, the names in their bytes.
  package static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }

  /// Hashes what is compared.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(addedMilliseconds)
    hasher.combine(latitudeE7)
    hasher.combine(longitudeE7)
    hasher.combine(radiusMeters.bitPattern)
    hasher.combine(name.map { Array($0.utf8) })
  }
}
