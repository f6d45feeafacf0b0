/// Why rings are no polygon.
public enum PolygonError: Error, Equatable, Sendable {
  /// A ring of fewer than three different corners.
  case tooFewCorners
  /// A ring that runs around a pole, and so has no inside on a map of degrees.
  case aroundPole
}

/// An area with straight edges on a map of degrees, as in GeoJSON (RFC 7946): a ring, and others that cut holes into it.
///
/// An edge takes the short way from corner to corner, so a ring may run across ±180°. Corners and edges belong to the area.
public struct Polygon: Hashable, Sendable {
  /// A corner in units of 1e-7 degree; longitudes go on beyond ±180° where the ring runs across.
  private struct Corner: Hashable {
    let x: Int64
    let y: Int64
  }

  /// Outer ring and holes, each without its first corner once more at the end.
  private let rings: [[Corner]]
  private let west: Int64
  private let east: Int64
  /// The smallest box around the outer ring.
  public let box: BoundingBox

  /// A polygon; each ring may repeat its first corner at the end, and run either way round.
  ///
  /// - Throws: ``PolygonError``.
  public init(outer: [Coordinate], holes: [[Coordinate]] = []) throws(PolygonError) {
    let ring = try Self.ring(outer)
    var rings = [ring]
    for hole in holes { rings.append(try Self.ring(hole)) }
    self.rings = rings
    let latitudes = ring.map(\.y)
    let longitudes = ring.map(\.x)
    west = longitudes.min() ?? 0
    east = longitudes.max() ?? 0
    let isAllAround = east - west >= Self.turn
    box = BoundingBox(
      southE7: Int32(latitudes.min() ?? 0), westE7: isAllAround ? -1_800_000_000 : Self.wrapped(west),
      northE7: Int32(latitudes.max() ?? 0), eastE7: isAllAround ? 1_800_000_000 : Self.wrapped(east))
  }

  private static let turn: Int64 = 3_600_000_000

  private static func wrapped(_ x: Int64) -> Int32 {
    Int32(x > 1_800_000_000 ? x - turn : x < -1_800_000_000 ? x + turn : x)
  }

  private static func ring(_ coordinates: [Coordinate]) throws(PolygonError) -> [Corner] {
    var corners: [Corner] = []
    for coordinate in coordinates {
      var x = Int64(coordinate.longitudeE7)
      if let last = corners.last {
        // The short way from the corner before.
        while x - last.x > turn / 2 { x -= turn }
        while last.x - x > turn / 2 { x += turn }
      }
      let corner = Corner(x: x, y: Int64(coordinate.latitudeE7))
      if corner != corners.last { corners.append(corner) }
    }
    if let first = corners.first, let last = corners.last, corners.count > 1 {
      // Closing takes the short way too; a whole turn further on, the ring has gone round a pole.
      if abs(first.x - last.x) > turn / 2 { throw .aroundPole }
      if first == last { corners.removeLast() }
    }
    guard corners.count >= 3 else { throw .tooFewCorners }
    guard let low = corners.map(\.x).min(), let high = corners.map(\.x).max(), high - low <= turn else {
      throw .aroundPole
    }
    return corners
  }

  /// Whether a coordinate lies in the area: inside the outer ring or on it, and not inside a hole.
  ///
  /// - Complexity: O(corners); exact, in integers.
  public func contains(_ coordinate: Coordinate) -> Bool {
    guard coordinate.latitudeE7 >= box.southE7, coordinate.latitudeE7 <= box.northE7 else { return false }
    let y = Int64(coordinate.latitudeE7)
    // Where it would stand on the ring's own map: at most one turn to either side.
    for shift in [0, -Self.turn, Self.turn] {
      let x = Int64(coordinate.longitudeE7) + shift
      if x >= west, x <= east, contains(x: x, y: y) { return true }
    }
    return false
  }

  private func contains(x: Int64, y: Int64) -> Bool {
    for (index, ring) in rings.enumerated() {
      // A hole may lie on the other side of ±180° from where the outer ring begins.
      var side = Self.side(of: ring, x: x, y: y)
      if index > 0, side == .outside {
        for shift in [-Self.turn, Self.turn] {
          let other = Self.side(of: ring, x: x + shift, y: y)
          if other != .outside { side = other }
        }
      }
      switch (index, side) {
      case (0, .outside): return false
      case (0, _): continue
      case (_, .inside): return false
      case (_, .edge): return true
      default: continue
      }
    }
    return true
  }

  private enum Side { case inside, edge, outside }

  /// On which side of a ring a point lies: by the number of edges that a line to the east crosses.
  private static func side(of ring: [Corner], x: Int64, y: Int64) -> Side {
    var isInside = false
    var a = ring[ring.count - 1]
    for b in ring {
      defer { a = b }
      if (a.y > y) != (b.y > y) {
        // Which side of the edge: the sign of the cross product, up to 3.6e9 × 1.8e9 twice, beyond 64 bits.
        let cross = Int128(b.x - a.x) * Int128(y - a.y) - Int128(x - a.x) * Int128(b.y - a.y)
        if cross == 0 { return .edge }
        if (cross > 0) == (b.y > a.y) { isInside.toggle() }
      } else if a.y == y, b.y == y, min(a.x, b.x) <= x, x <= max(a.x, b.x) {
        return .edge
      } else if a.y == y && a.x == x || b.y == y && b.x == x {
        return .edge
      }
    }
    return isInside ? .inside : .outside
  }
}
