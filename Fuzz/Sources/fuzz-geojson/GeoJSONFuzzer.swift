import Foundation
import FuzzSupport
@testable import Geodesy
@testable import Roqua

/// Areas in GeoJSON: any bytes are refused with a reason, or give polygons that can be tested with
/// every point. The same object in a collection gives the same polygons.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGeoJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  let polygons: [Polygon]
  do throws(GeoJSONError) {
    polygons = try GeoJSON.polygons(in: Data(input.body))
  } catch {
    require(!error.description.isEmpty, "an error without words")
    return 0
  }
  require(!polygons.isEmpty, "neither a polygon nor an error")
  for polygon in polygons { ask(polygon) }

  // Only UTF-8 without a byte order mark can be wrapped.
  guard input.body.first == UInt8(ascii: "{"), !input.body.contains(0),
    String(validating: input.body, as: UTF8.self) != nil
  else { return 0 }
  let head = #"{"type":"GeometryCollection","geometries":["#
  let wrapped = Array(head.utf8) + input.body + Array("]}".utf8)
  // One level deeper may exceed the limit.
  guard let again = try? GeoJSON.polygons(in: Data(wrapped)) else { return 0 }
  requireEqual(polygons, again, "alone and in a collection")
  return 0
}

private func ask(_ polygon: Polygon) {
  let box = polygon.box
  let points: [(Double, Double)] = [
    (box.south, box.west), (box.south, box.east), (box.north, box.west), (box.north, box.east),
    ((box.south + box.north) / 2, (box.west + box.east) / 2), (0, 0), (90, 0), (-90, 180),
    (10, -180),
  ]
  for (latitude, longitude) in points {
    guard
      let point = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { continue }
    require(!polygon.contains(point) || box.contains(point), "\(point) is outside the box \(box)")
  }
}
