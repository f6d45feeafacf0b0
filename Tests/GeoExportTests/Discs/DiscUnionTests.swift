import CSQLite
import Foundation
import Geodesy
import SQLiteLayer
import SeededRandom
import TestSupport
import Testing

@testable import GeoExport

private let hasSpatiaLite = (try? SpatiaLiteModule.version()) != nil

@Suite(.enabled(if: hasSpatiaLite, "libspatialite is not installed"))
struct DiscUnionTests {
  private static let radius = 150.0
  private static let disc = Double.pi * radius * radius

  private func union(_ centers: [Coordinate]) throws -> [(ExportGeometry, Double)] {
    var discs = try DiscUnion(radiusMeters: Self.radius)
    for center in centers { discs.add(center) }
    var result: [(ExportGeometry, Double)] = []
    try discs.forEachPolygon(failing: { $0 as any Error }) { result.append(($0, $1)) }
    return result
  }

  private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  @Test(arguments: [0, 41, -60, 85, 89.99])
  func `One disc has the area of its circle within 0.2 %`(latitude: Double) throws {
    let found = try union([try place(latitude, 29)])
    #expect(found.count == 1)
    let tolerance = latitude > 89 ? 0.01 : 0.002
    #expect(abs((found.first?.1 ?? 0) / Self.disc - 1) < tolerance)
  }

  @Test func `Discs that overlap are one polygon, and others stay apart`() throws {
    let near = try union([try place(41, 29), try place(41.001, 29)])
    #expect(near.count == 1)
    // A lens of two circles at a distance d: 2r²·acos(d/2r) - d/2·√(4r² - d²).
    let (r, d) = (Self.radius, 0.001 * .pi / 180 * AuthalicSphere.radiusMeters)
    let lens = 2 * r * r * acos(d / 2 / r) - d / 2 * (4 * r * r - d * d).squareRoot()
    #expect(abs((near.first?.1 ?? 0) / (2 * Self.disc - lens) - 1) < 0.003)
    #expect(try union([try place(41, 29), try place(41.003, 29)]).count == 2)
  }

  @Test func `A circle of discs keeps its hole, and its rings keep their directions`() throws {
    let centers = try (0..<40).map { index in
      let angle = Double(index) / 40 * 2 * .pi
      return try place(0.004 * sin(angle), 0.004 * cos(angle))
    }
    let found = try union(centers)
    #expect(found.count == 1)
    let geometry = found[0].0
    #expect(geometry.ringEnds.count == 2)
    var outer = geometry
    outer.ringEnds = [geometry.ringEnds[0]]
    #expect(outer.authalicSquareMeters > found[0].1)
  }

  @Test func `A disc on 180° has a half on each side`() throws {
    let found = try union([try place(-16.8, 180), try place(-16.8, 179.9995)])
    #expect(found.count == 2)
    for (geometry, _) in found {
      let bounds = try #require(geometry.bounds)
      #expect(bounds.maxX == 180 || bounds.minX == -180)
      #expect(bounds.maxX - bounds.minX < 0.01)
    }
  }

  @Test(arguments: [89.9999, -89.9999, 90, -90])
  func `A disc with a pole inside reaches around the world`(latitude: Double) throws {
    let found = try union([try place(latitude, 20)])
    #expect(found.count == 1)
    let bounds = try #require(found.first?.0.bounds)
    #expect(bounds.minX == -180 && bounds.maxX == 180)
    #expect(latitude > 0 ? bounds.maxY == 90 : bounds.minY == -90)
    #expect(abs((found.first?.1 ?? 0) / Self.disc - 1) < 0.01)
  }

  @Test(arguments: Seeds.sample(6))
  func `The union has exactly what lies in a disc, and its area`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let latitude: Double = [0.0, 41.0, -75.0][Int(seed % 3)]
    let west = seed % 2 == 0 ? 179.99 : 12.0
    let centers = try (0..<60).map { _ in
      try place(
        latitude + Double.random(in: 0..<0.02, using: &random),
        west + Double.random(in: 0..<0.03, using: &random))
    }
    let found = try union(centers)
    var inside = 0
    let samples = 4000
    for _ in 0..<samples {
      let point = try place(
        latitude + Double.random(in: -0.01..<0.03, using: &random),
        west + Double.random(in: -0.03..<0.06, using: &random))
      let distance = centers.map { Self.sphereMeters($0, point) }.min() ?? 0
      let isInside = found.contains { Self.contains($0.0, point) }
      if isInside { inside += 1 }
      // Between the corners a disc is 0.12 % narrower, and left out centers are up to 8 m away.
      if distance < Self.radius * 0.94 { #expect(isInside) }
      if distance > Self.radius * 1.0001 { #expect(!isInside) }
    }
    let degree: Double = AuthalicSphere.radiusMeters * Double.pi / 180
    let box: Double = 0.04 * 0.09 * degree * degree * cos((latitude + 0.01) * Double.pi / 180)
    let counted = box * Double(inside) / Double(samples)
    let area: Double = found.reduce(0.0) { $0 + $1.1 }
    #expect(abs(counted / area - 1) < 0.15)
  }

  /// Where the discs are, and how many.
  private enum Scene: CaseIterable {
    case scattered, street, again, dense, square, far

    func centers(_ seed: UInt64) throws -> [Coordinate] {
      var random = SplitMix64(seed: seed)
      let latitude: Double = [0.0, 48.2, -79.9][Int(seed % 3)]
      func place(_ north: Double, _ east: Double) throws -> Coordinate {
        try Coordinate(
          latitudeDegrees: latitude + north / 111_195,
          longitudeDegrees: -71 + east / 111_195 / cos(latitude * .pi / 180))
      }
      switch self {
      case .scattered, .dense, .far:
        let side: Double = self == .dense ? 400 : self == .far ? 20_000 : 3_000
        return try (0..<150).map { _ in
          try place(
            Double.random(in: 0..<side, using: &random), Double.random(in: 0..<side, using: &random)
          )
        }
      case .street, .again:
        var (north, east, heading) = (0.0, 0.0, 0.0)
        var way: [Coordinate] = []
        for step in 0..<150 {
          if self == .again, step == 75 { (north, east, heading) = (4, -3, 0.05) }
          heading += Double.random(in: -0.5..<0.5, using: &random)
          north += 60 * cos(heading)
          east += 60 * sin(heading)
          way.append(try place(north, east))
        }
        return way
      case .square:
        // Many circles cross in the same points, and many touch.
        return try (0..<144).map { try place(Double($0 / 12) * 150, Double($0 % 12) * 150) }
      }
    }
  }

  @Test(arguments: Seeds.sample(9), Scene.allCases)
  private func `The union equals that of the polygons of all discs by GEOS`(
    seed: UInt64, scene: Scene
  ) throws {
    let centers = try scene.centers(seed)
    let found = try union(centers)
    let plain = try DiscUnion.dissolve(centers, Self.radius, on: Self.spatiaLite())
    let select = try Self.spatiaLite().cached(
      """
      SELECT ST_Area(a), ST_Area(ST_Difference(a, b)), ST_Area(ST_Difference(b, a)), ST_IsValid(b)
      FROM (SELECT GeomFromWKB(?) AS a, GeomFromWKB(?) AS b)
      """)
    select.bind(MultiPolygonBinary.bytes(of: plain), at: 1)
    select.bind(MultiPolygonBinary.bytes(of: found.map(\.0)), at: 2)
    #expect(try select.step())
    let area = select.double(at: 0)
    // Positions on the circles are outside of the polygons with 64 corners, by up to 0.16 % of the
    // area of a disc, and the centers left out of one square are 7 m apart at most.
    #expect(select.double(at: 1) < 0.01 * area)
    #expect(select.double(at: 2) < 0.01 * area)
    #expect(select.int(at: 3) == 1)
  }

  private static func spatiaLite() throws -> Connection {
    let connection = try Connection(
      path: "oracle", flags: SQLITE_OPEN_READWRITE, name: ":memory:")
    try SpatiaLiteModule.load(into: connection)
    return connection
  }

  private static func sphereMeters(_ one: Coordinate, _ other: Coordinate) -> Double {
    let (a, b) = (one.latitudeDegrees * .pi / 180, other.latitudeDegrees * .pi / 180)
    let half = (one.longitudeDegrees - other.longitudeDegrees) * .pi / 360
    let chord = pow(sin((a - b) / 2), 2) + cos(a) * cos(b) * pow(sin(half), 2)
    return 2 * AuthalicSphere.radiusMeters * asin(chord.squareRoot())
  }

  /// By the number of edges east of the point.
  private static func contains(_ geometry: ExportGeometry, _ point: Coordinate) -> Bool {
    let (x, y) = (point.longitudeDegrees, point.latitudeDegrees)
    var (isInside, start) = (false, 0)
    for end in geometry.ringEnds {
      for place in start..<end - 1 {
        let (x1, y1) = (geometry.coordinates[2 * place], geometry.coordinates[2 * place + 1])
        let (x2, y2) = (geometry.coordinates[2 * place + 2], geometry.coordinates[2 * place + 3])
        if (y1 > y) != (y2 > y), x < x1 + (y - y1) / (y2 - y1) * (x2 - x1) { isInside.toggle() }
      }
      start = end
    }
    return isInside
  }
}
