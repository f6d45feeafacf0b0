import Foundation
import Geodesy
import Roqua
import Testing

@Suite struct GeoJSONTests {
  private func polygons(_ text: String) throws -> [Polygon] {
    try GeoJSON.polygons(in: Data(text.utf8))
  }

  private let ring = "[[0,0],[10,0,300],[10,10],[0,10],[0,0]]"
  private let hole = "[[4,4],[4,6],[6,6],[6,4],[4,4]]"

  @Test func `polygons are found in every kind of GeoJSON object`() throws {
    let polygon = "{\"type\":\"Polygon\",\"coordinates\":[\(ring),\(hole)]}"
    let texts = [
      polygon, "{\"type\":\"Feature\",\"properties\":null,\"geometry\":\(polygon)}",
      "{\"type\":\"MultiPolygon\",\"coordinates\":[[\(ring),\(hole)]]}",
      "{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":[1,2]},"
        + "\(polygon)]}",
      """
      {"type":"FeatureCollection","features":[{"type":"Feature","geometry":null},
        {"type":"Feature","geometry":\(polygon)},
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]}}]}
      """,
    ]
    for text in texts {
      let found = try polygons(text)
      #expect(found.count == 1)
      let coordinates = try [(5.0, 1.0), (5, 5), (11, 5)].map {
        try Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1)
      }
      #expect(coordinates.map(found[0].contains) == [true, false, false])
    }
    #expect(
      try polygons("{\"type\":\"MultiPolygon\",\"coordinates\":[[\(ring)],[\(ring)]]}").count == 2)
  }

  @Test func `edges follow the longitudes as written, across half the globe`() throws {
    let wide = try polygons(
      "{\"type\":\"Polygon\",\"coordinates\":[[[-170,-20],[100,-20],"
        + "[100,20],[-170,20],[-170,-20]]]}"
    )
    let at: (Double) throws -> Coordinate = {
      try Coordinate(latitudeDegrees: 0, longitudeDegrees: $0)
    }
    #expect(try [0, 90, -160].allSatisfy { try wide[0].contains(at($0)) })
    #expect(try [170, 180, -175].allSatisfy { try !wide[0].contains(at($0)) })
  }

  @Test func `GeoJSON without a valid polygon throws an error that names the position`() {
    func error(_ text: String) -> GeoJSONError? {
      do throws(GeoJSONError) {
        _ = try GeoJSON.polygons(in: Data(text.utf8))
        return nil
      } catch { return error }
    }
    if case .notJSON = error("{") {} else { Issue.record("half a document") }
    #expect(error("[]") == .malformed(at: "the top"))
    #expect(error("{\"type\":\"Point\",\"coordinates\":[1,2]}") == .noPolygon)
    #expect(error("{\"type\":\"FeatureCollection\",\"features\":[]}") == .noPolygon)
    #expect(error("{\"type\":\"Circle\"}") == .malformed(at: "the top.type"))
    #expect(
      error("{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,95],[1,1]]]}")
        == .malformed(at: "the top.coordinates[0][1]"))
    #expect(
      error("{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,1]]]}")
        == .ring(at: "the top.coordinates", .tooFewCorners))
    #expect(
      error("{\"type\":\"Polygon\",\"coordinates\":[[[-180,80],[181,80],[0,90]]]}")
        == .ring(at: "the top.coordinates", .tooWide))
    for position in ["[true,1]", "[0,\"1\"]", "[1]", "[null,0]", "[0,91]", "[541,0]", "7"] {
      #expect(
        error("{\"type\":\"Polygon\",\"coordinates\":[[\(position),[1,0],[1,1]]]}")
          == .malformed(at: "the top.coordinates[0][0]"), "\(position)")
    }
    let deep = String(repeating: "{\"type\":\"Feature\",\"geometry\":", count: 40)
    #expect(error(deep + "null" + String(repeating: "}", count: 40)) != nil)
  }
}
