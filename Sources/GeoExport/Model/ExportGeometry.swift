/// A point, a line, or a polygon with holes, in degrees of WGS 84, longitude (x) first.
///
/// Longitudes are -180...180 and latitudes -90...90. Nothing crosses ±180°: whoever fills a
/// geometry has divided it there. A ring's first position is repeated at its end; outer rings run
/// counterclockwise as seen with north above, holes clockwise (RFC 7946, 3.1.6).
package struct ExportGeometry: Hashable, Sendable {
  /// The positions one after the other: x, y, x, y, …
  package var coordinates: [Double] = []
  /// The measure of each position of a line; empty for other shapes.
  package var measures: [Double] = []
  /// For each ring of a polygon, the number of positions up to its end; the first ring is the outer
  /// one. Empty for points and lines.
  package var ringEnds: [Int] = []

  /// Creates an empty geometry.
  package init() {}

  /// The number of positions.
  package var count: Int { coordinates.count / 2 }

  /// Reserves memory for a number of positions without measures.
  package mutating func reserveCapacity(_ count: Int) { coordinates.reserveCapacity(2 * count) }

  /// Removes all positions and keeps the memory.
  package mutating func removeAll() {
    coordinates.removeAll(keepingCapacity: true)
    measures.removeAll(keepingCapacity: true)
    ringEnds.removeAll(keepingCapacity: true)
  }

  /// Appends a position without a measure.
  @inlinable
  package mutating func append(x: Double, y: Double) {
    coordinates.append(x)
    coordinates.append(y)
  }

  /// Appends a position of a line with its measure.
  @inlinable
  package mutating func append(x: Double, y: Double, measure: Double) {
    append(x: x, y: y)
    measures.append(measure)
  }

  /// Ends a ring at the last position.
  package mutating func endRing() { ringEnds.append(count) }

  /// The smallest box that contains all positions; nil if there is none.
  package var bounds: ExportBounds? {
    guard count > 0 else { return nil }
    var bounds = ExportBounds()
    for place in stride(from: 0, to: coordinates.count - 1, by: 2) {
      bounds.include(x: coordinates[place], y: coordinates[place + 1])
    }
    return bounds
  }
}

/// A box in degrees that grows; it never crosses ±180°.
package struct ExportBounds: Hashable, Sendable {
  /// The edges; an empty box has a minimum above its maximum.
  package var minX = Double.infinity
  package var minY = Double.infinity
  package var maxX = -Double.infinity
  package var maxY = -Double.infinity

  /// Creates an empty box.
  package init() {}

  /// Whether nothing was included.
  package var isEmpty: Bool { minX > maxX }

  /// Grows to include a position.
  @inlinable
  package mutating func include(x: Double, y: Double) {
    minX = Swift.min(minX, x)
    minY = Swift.min(minY, y)
    maxX = Swift.max(maxX, x)
    maxY = Swift.max(maxY, y)
  }

  /// Grows to include a box.
  package mutating func include(_ other: ExportBounds) {
    minX = Swift.min(minX, other.minX)
    minY = Swift.min(minY, other.minY)
    maxX = Swift.max(maxX, other.maxX)
    maxY = Swift.max(maxY, other.maxY)
  }
}
