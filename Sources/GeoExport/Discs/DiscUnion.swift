import ByteStreams
import CSQLite
import Foundation
import Geodesy
import SQLiteLayer

/// Dissolves discs of one radius into polygons.
///
/// ``DiscTracer`` computes the outline of a group of discs that hang together. The library GEOS
/// that SpatiaLite brings repairs polygons whose edges meet after positions are rounded
/// (``PolygonEdges``), and dissolves the groups that come near a pole or ±180°.
///
/// - Complexity: O(n log n + n · k) for discs that each overlap k others.
/// - Memory: the centers, and the outline of the largest group, three times.
package struct DiscUnion {
  private let radiusMeters: Double
  private let connection: Connection
  private var centers: DiscCenters

  /// Creates a union without discs.
  ///
  /// - Throws: ``ExportFailure/failed(reason:)`` if SpatiaLite is not installed.
  package init(radiusMeters: Double) throws(ExportFailure) {
    self.radiusMeters = radiusMeters
    centers = DiscCenters(radiusMeters: radiusMeters)
    connection = try Self.database { () throws(DatabaseError) in
      try Connection(path: "discs", flags: SQLITE_OPEN_READWRITE, name: ":memory:")
    }
    do throws(SpatiaLiteFailure) {
      try SpatiaLiteModule.load(into: connection)
    } catch {
      throw .failed(reason: error.description)
    }
    sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, 1_000_000_000)
  }

  /// Adds a disc. One whose center is less than a twentieth of the radius from another one's may be
  /// left out.
  package mutating func add(_ center: Coordinate) { centers.add(center) }

  /// Calls `body` with each polygon: valid, its positions rounded to 9 digits after the point, and
  /// its area on the authalic sphere in square meters.
  package mutating func forEachPolygon<Failure: Error>(
    failing: (ExportFailure) -> Failure,
    _ body: (ExportGeometry, Double) throws(Failure) -> Void
  ) throws(Failure) {
    let index = DiscIndex(centers.take(), radiusMeters: radiusMeters)
    var tracer = DiscTracer(index)
    let (inland, others) = index.groups()
    for (number, group) in (inland + [others]).enumerated() where !group.isEmpty {
      let polygons: [ExportGeometry]
      do throws(ExportFailure) {
        if number < inland.count, let outline = tracer.outline(of: group) {
          polygons =
            PolygonEdges(outline).meetOnlyAtEnds
            ? [outline] : try Self.valid(outline, on: connection)
        } else {
          polygons = try Self.dissolve(
            group.map { index.centers[Int($0)] }, radiusMeters, on: connection)
        }
      } catch {
        throw failing(error)
      }
      for polygon in polygons { try body(polygon, polygon.authalicSquareMeters) }
    }
  }

  /// The union of discs as polygons with 64 corners, by GEOS: first of those in squares of 20
  /// radii, then of all.
  static func dissolve(
    _ centers: [Coordinate], _ radius: Double, on connection: Connection
  ) throws(ExportFailure) -> [ExportGeometry] {
    let side = 20 * radius / AuthalicSphere.radiusMeters * 180 / .pi
    let blocks = Dictionary(grouping: centers) { center in
      SIMD2(
        Int((center.latitudeDegrees / side).rounded(.down)),
        Int((center.longitudeDegrees * cos(center.latitudeRadians) / side).rounded(.down)))
    }
    var parts: [ExportGeometry] = []
    for (_, block) in blocks.sorted(by: { ($0.key.x, $0.key.y) < ($1.key.x, $1.key.y) }) {
      var discs: [ExportGeometry] = []
      for center in block {
        for ring in DiscPolygon.rings(around: center, radiusMeters: radius) {
          var disc = ExportGeometry()
          for position in ring { disc.append(x: position.x, y: position.y) }
          disc.endRing()
          discs.append(disc)
        }
      }
      parts += try call("ST_UnaryUnion(GeomFromWKB(?, 4326))", discs, on: connection)
    }
    if blocks.count > 1 {
      parts = try call("ST_UnaryUnion(GeomFromWKB(?, 4326))", parts, on: connection)
    }
    var result: [ExportGeometry] = []
    for part in parts { result += try valid(part, on: connection) }
    return result
  }

  /// A polygon with rounded positions. Rounding can make two edges cross; then GEOS repairs it.
  private static func valid(
    _ polygon: ExportGeometry, on connection: Connection
  ) throws(ExportFailure) -> [ExportGeometry] {
    var waiting = [polygon]
    var result: [ExportGeometry] = []
    for _ in 0..<8 {
      var repaired: [ExportGeometry] = []
      for candidate in waiting {
        guard let rounded = candidate.roundedPolygon else { continue }
        if try isValid(rounded, on: connection) {
          result.append(rounded)
        } else {
          repaired += try call("ST_Buffer(GeomFromWKB(?, 4326), 0)", [rounded], on: connection)
        }
      }
      if repaired.isEmpty { return result }
      waiting = repaired
    }
    throw .failed(reason: "GEOS finds no valid outline of the discs")
  }

  private static func isValid(
    _ polygon: ExportGeometry, on connection: Connection
  ) throws(ExportFailure) -> Bool {
    try database { () throws(DatabaseError) in
      let select = try connection.cached("SELECT ST_IsValid(GeomFromWKB(?, 4326))")
      select.bind(MultiPolygonBinary.bytes(of: [polygon]), at: 1)
      return try select.step() && select.int(at: 0) == 1
    }
  }

  private static func call(
    _ function: String, _ polygons: [ExportGeometry], on connection: Connection
  ) throws(ExportFailure) -> [ExportGeometry] {
    let bytes = try database { () throws(DatabaseError) in
      let select = try connection.cached("SELECT AsBinary(\(function))")
      select.bind(MultiPolygonBinary.bytes(of: polygons), at: 1)
      return try select.step() ? try select.bytes(at: 0) : []
    }
    guard let result = MultiPolygonBinary.polygons(in: bytes) else {
      throw .failed(reason: "GEOS cannot dissolve the discs")
    }
    return result
  }

  private static func database<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(ExportFailure) -> Result {
    do throws(DatabaseError) {
      return try body()
    } catch {
      if case .interrupted = error { throw .canceled }
      throw .failed(reason: error.sqliteFailure?.message ?? "SQLite failed")
    }
  }
}
