import CSQLite
import SQLiteLayer
import SeededRandom
import TestSupport
import Testing

@testable import GeoExport

@Suite struct PolygonEdgesTests {
  private func polygon(_ rings: [[(Int, Int)]]) -> ExportGeometry {
    var geometry = ExportGeometry()
    for ring in rings {
      for (x, y) in ring + ring.prefix(1) {
        geometry.append(x: 7 + Double(x) / 1e9, y: 48 + Double(y) / 1e9)
      }
      geometry.endRing()
    }
    return geometry
  }

  private static let square = [(0, 0), (9, 0), (9, 9), (0, 9)]

  @Test func `A square with a hole has no edges that meet`() {
    #expect(PolygonEdges(polygon([Self.square])).meetOnlyAtEnds)
    #expect(PolygonEdges(polygon([Self.square, [(2, 2), (2, 4), (4, 4)]])).meetOnlyAtEnds)
    #expect(PolygonEdges(ExportGeometry()).meetOnlyAtEnds)
  }

  @Test(arguments: [
    [(2, 2), (2, 4), (12, 4)],  // crosses the square
    [(0, 4), (2, 6), (2, 2)],  // touches an edge
    [(0, 0), (2, 6), (4, 4)],  // touches a corner
    [(0, 2), (0, 6), (4, 4)],  // shares a part of an edge
    [(2, 2), (4, 4), (6, 6)],  // turns back
  ])
  func `A hole that touches or crosses something is found`(hole: [(Int, Int)]) {
    #expect(!PolygonEdges(polygon([Self.square, hole])).meetOnlyAtEnds)
  }

  @Test(
    .enabled(
      if: (try? SpatiaLiteModule.version()) != nil, "libspatialite is not installed"),
    arguments: Seeds.sample(40))
  func `The edges of a ring meet only at their ends if GEOS finds it simple`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let connection = try Connection(
      path: "oracle", flags: SQLITE_OPEN_READWRITE, name: ":memory:")
    try SpatiaLiteModule.load(into: connection)
    for _ in 0..<50 {
      let count = Int.random(in: 3...8, using: &random)
      var ring: [(Int, Int)] = []
      while ring.count < count {
        let next = (Int.random(in: 0..<7, using: &random), Int.random(in: 0..<7, using: &random))
        if ring.last.map({ $0 == next }) ?? false { continue }
        if ring.count == count - 1, ring[0] == next { continue }
        ring.append(next)
      }
      // GEOS gets the numbers themselves: with 1e-9 degree it would have to round.
      let text = (ring + ring.prefix(1)).map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      let select = try connection.cached("SELECT ST_IsSimple(GeomFromText(?))")
      select.bind("LINESTRING(\(text))", at: 1)
      #expect(try select.step())
      let found = PolygonEdges(polygon([ring])).meetOnlyAtEnds
      #expect(found == (select.int(at: 0) == 1), "\(text)")
    }
  }
}
