/// A setting and who set it when.
package struct SharedSetting: Joinable {
  /// The value; nil for the default.
  package var value: Double?
  /// When it was set, on which device.
  package var stamp: Stamp

  /// Creates a setting.
  package init(value: Double?, stamp: Stamp) { (self.value, self.stamp) = (value, stamp) }

  /// Takes the later setting; of two with one stamp, the larger value.
  package mutating func join(_ other: Self) {
    if stamp < other.stamp || stamp == other.stamp && isSmaller(than: other) { self = other }
  }

  /// Whether the value is smaller; the default is smaller than any value.
  private func isSmaller(than other: Self) -> Bool {
    guard let value, let larger = other.value else { return value == nil && other.value != nil }
    return value.bitPattern != larger.bitPattern && value.isTotallyOrdered(belowOrEqualTo: larger)
  }

  /// Whether the stamps and the bits of the values are equal.
  package static func == (left: Self, right: Self) -> Bool {
    left.stamp == right.stamp && left.value?.bitPattern == right.value?.bitPattern
  }

  /// Hashes the stamp and the bits of the value.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(stamp)
    hasher.combine(value?.bitPattern)
  }
}
