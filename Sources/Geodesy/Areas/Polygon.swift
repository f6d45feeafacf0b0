/// An error about rings that are not a polygon.
///
/// ```swift
/// do {
///   print(try Polygon(outer: [here]).contains(here))
/// } catch PolygonError.tooFewCorners {
///   print("An area needs at least three corners.")
/// }
/// ```
public enum PolygonError: Error, Equatable, Sendable {
  /// A ring has fewer than three different corners.
  case tooFewCorners
  /// A ring of short edges runs around a pole, and so has no inside on a map of degrees.
  case aroundPole
  /// A ring is more than 360° wide.
  case tooWide
}

/// An area with straight edges on a map of degrees: an outer ring, and rings that cut holes into
/// it. Corners and edges belong to the area.
///
/// An edge between two longitudes can run either way around the Earth. Edges between
/// ``Coordinate``s take the shorter way.
///
/// ```swift
/// let corners = try [(41.0, 28.9), (41.1, 28.9), (41.1, 29.1)].map {
///   try Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1)
/// }
/// print(try Polygon(outer: corners).contains(here))
/// ```
public struct Polygon: Hashable, Sendable {
  /// A corner on a map of degrees that continues beyond ±180°, in units of 1e-7 degree. Rings of
  /// corners follow their numbers, as in GeoJSON (RFC 7946, 3.1.1): from -170 to 170 through 0, and
  /// from 170 to 190 across ±180°.
  package struct Corner: Hashable, Sendable {
    /// The longitude, east positive, -5 400 000 000...5 400 000 000: one turn beyond the map on
    /// each side.
    package let x: Int64
    /// The latitude, north positive, -900 000 000...900 000 000.
    package let y: Int64

    fileprivate init(x: Int64, y: Int64) { (self.x, self.y) = (x, y) }

    /// Creates the corner nearest to these degrees; nil for NaN, a latitude beyond ±90° or a
    /// longitude beyond ±540°.
    package init?(latitudeDegrees: Double, longitudeDegrees: Double) {
      guard abs(latitudeDegrees) <= 90, abs(longitudeDegrees) <= 540 else { return nil }
      self.init(
        x: Int64((longitudeDegrees * 1e7).rounded()), y: Int64((latitudeDegrees * 1e7).rounded()))
    }
  }

  /// The outer ring and the holes, each without the repeated first corner.
  private let rings: [[Corner]]
  private let west: Int64
  private let east: Int64
  /// The smallest box around the outer ring.
  package let box: BoundingBox

  /// Creates a polygon whose edges take the shorter way. Each ring may repeat its first corner at
  /// the end, and may run in either direction.
  ///
  /// - Throws: ``PolygonError``.
  public init(outer: [Coordinate], holes: [[Coordinate]] = []) throws(PolygonError) {
    let ring = try Self.shortWay(outer)
    var rings: [[Corner]] = []
    for hole in holes { rings.append(try Self.shortWay(hole)) }
    try self.init(ring, rings)
  }

  /// Creates a polygon whose edges follow their numbers. Each ring may repeat its first corner at
  /// the end, and may run in either direction.
  ///
  /// - Throws: ``PolygonError``.
  package init(corners outer: [Corner], holes: [[Corner]] = []) throws(PolygonError) {
    try self.init(outer, holes)
  }

  private init(_ outer: [Corner], _ holes: [[Corner]]) throws(PolygonError) {
    var rings: [[Corner]] = []
    for ring in [outer] + holes { rings.append(try Self.open(ring)) }
    // All rings shift by whole turns, so that the outer ring's western end lies within ±180°.
    let start = rings[0].map(\.x).min() ?? 0
    let shift =
      -Int64((Double(start + Self.turn / 2) / Double(Self.turn)).rounded(.down)) * Self.turn
    rings = rings.map { ring in ring.map { Corner(x: $0.x + shift, y: $0.y) } }
    self.rings = rings
    let latitudes = rings[0].map(\.y)
    west = start + shift
    east = rings[0].map(\.x).max() ?? west
    let isAllAround = east - west >= Self.turn
    box = BoundingBox(
      southE7: Int32(latitudes.min() ?? 0),
      westE7: isAllAround ? -1_800_000_000 : Self.wrapped(west),
      northE7: Int32(latitudes.max() ?? 0), eastE7: isAllAround ? 1_800_000_000 : Self.wrapped(east)
    )
  }

  private static var turn: Int64 { Coordinate.unitsPerTurn }

  private static func wrapped(_ x: Int64) -> Int32 {
    Int32(x > 1_800_000_000 ? x - turn : x < -1_800_000_000 ? x + turn : x)
  }

  /// A ring on the map, with each edge taking the shorter way.
  private static func shortWay(_ coordinates: [Coordinate]) throws(PolygonError) -> [Corner] {
    var corners: [Corner] = []
    for coordinate in coordinates {
      var x = Int64(coordinate.longitudeE7)
      if let last = corners.last {
        while x - last.x > turn / 2 { x -= turn }
        while last.x - x > turn / 2 { x += turn }
      }
      corners.append(Corner(x: x, y: Int64(coordinate.latitudeE7)))
    }
    // The closing edge takes the shorter way too. If it ends a whole turn away, the ring has gone
    // around a pole.
    if let first = corners.first, let last = corners.last, abs(first.x - last.x) > turn / 2 {
      throw .aroundPole
    }
    guard width(of: corners) <= turn else { throw .aroundPole }
    return corners
  }

  /// A ring without consecutive equal corners and without the repeated first corner.
  private static func open(_ ring: [Corner]) throws(PolygonError) -> [Corner] {
    var corners: [Corner] = []
    for corner in ring where corner != corners.last { corners.append(corner) }
    if corners.count > 1, corners.first == corners.last { corners.removeLast() }
    guard corners.count >= 3 else { throw .tooFewCorners }
    guard width(of: corners) <= turn else { throw .tooWide }
    return corners
  }

  private static func width(of corners: [Corner]) -> Int64 {
    (corners.map(\.x).max() ?? 0) - (corners.map(\.x).min() ?? 0)
  }

  /// Returns true if a coordinate lies in the area: inside the outer ring or on it, and not inside
  /// a hole.
  ///
  /// - Complexity: O(corners); exact, in integers.
  public func contains(_ coordinate: Coordinate) -> Bool {
    guard coordinate.latitudeE7 >= box.southE7, coordinate.latitudeE7 <= box.northE7 else {
      return false
    }
    let y = Int64(coordinate.latitudeE7)
    // The coordinate's position on the ring's own map is at most one turn away to either side.
    for shift in [0, -Self.turn, Self.turn] {
      let x = Int64(coordinate.longitudeE7) + shift
      if x >= west, x <= east, contains(x: x, y: y) { return true }
    }
    return false
  }

  private func contains(x: Int64, y: Int64) -> Bool {
    for (index, ring) in rings.enumerated() {
      // A hole may be a turn of the map away from the outer ring.
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

  /// The side of a ring on which a point lies, from the number of edges that a line to the east
  /// crosses.
  private static func side(of ring: [Corner], x: Int64, y: Int64) -> Side {
    var isInside = false
    var a = ring[ring.count - 1]
    for b in ring {
      defer { a = b }
      if (a.y > y) != (b.y > y) {
        // The side of the edge is the sign of the cross product, of up to twice 3.6e9 × 1.8e9,
        // which exceeds 64 bits.
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
