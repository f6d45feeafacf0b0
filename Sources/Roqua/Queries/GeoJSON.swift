import Foundation
import Geodesy

/// The reason why data cannot be read as areas in GeoJSON.
///
/// ```swift
/// do {
///   print(try GeoJSON.polygons(in: Data(bytes)).count)
/// } catch GeoJSONError.noPolygon {
///   print("Draw an area first.")
/// } catch {
///   print("The file cannot be used: \(error)")
/// }
/// ```
public enum GeoJSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Not JSON, with the parser's reason.
  case notJSON(String)
  /// Valid JSON, but not what RFC 7946 requires at this place.
  case malformed(at: String)
  /// A ring that does not form a polygon.
  case ring(at: String, PolygonError)
  /// The data contains no polygon.
  case noPolygon

  /// One line that says what is wrong and where.
  public var description: String {
    switch self {
    case .notJSON(let reason): "not JSON: \(reason)"
    case .malformed(let place): "not GeoJSON (RFC 7946) at \(place)"
    case .ring(let place, .tooFewCorners):
      "the ring at \(place) has fewer than three different corners"
    case .ring(let place, .aroundPole), .ring(let place, .tooWide):
      "the ring at \(place) is more than 360° wide"
    case .noPolygon: "it contains no Polygon or MultiPolygon"
    }
  }
}

/// Reads polygons from GeoJSON.
///
/// Edges are straight lines in longitude and latitude (RFC 7946, 3.1.1). A shape that crosses ±180°
/// is either cut there into two polygons (3.1.9) or has longitudes beyond ±180.
///
/// ```swift
/// let data = try Data(contentsOf: URL(filePath: "park.geojson"))
/// let query = RegionQuery(area: .polygons(try GeoJSON.polygons(in: data)))
/// print(try await explorer.countRegions(matching: query))
/// ```
public enum GeoJSON {
  /// The polygons of a `Polygon`, `MultiPolygon`, `GeometryCollection`, `Feature` or
  /// `FeatureCollection`. Ignores other geometries.
  ///
  /// - Throws: ``GeoJSONError``.
  public static func polygons(in data: Data) throws(GeoJSONError) -> [Polygon] {
    let object: Any
    do {
      object = try JSONSerialization.jsonObject(with: data)
    } catch {
      throw .notJSON(
        (error as NSError).userInfo["NSDebugDescription"] as? String ?? "it cannot be parsed")
    }
    var polygons: [Polygon] = []
    try collect(object, at: "the top", depth: 0, into: &polygons)
    guard !polygons.isEmpty else { throw .noPolygon }
    return polygons
  }

  private static func collect(
    _ value: Any, at place: String, depth: Int, into polygons: inout [Polygon]
  ) throws(GeoJSONError) {
    guard depth < 32, let object = value as? [String: Any], let type = object["type"] as? String
    else {
      throw .malformed(at: place)
    }
    switch type {
    case "FeatureCollection":
      try collectAll(of: object, "features", at: place, depth: depth, into: &polygons)
    case "GeometryCollection":
      try collectAll(of: object, "geometries", at: place, depth: depth, into: &polygons)
    case "Feature":
      // A feature without a location has a null geometry.
      guard let geometry = object["geometry"] else { throw .malformed(at: place) }
      if geometry is NSNull { return }
      try collect(geometry, at: "\(place).geometry", depth: depth + 1, into: &polygons)
    case "Polygon": polygons.append(try polygon(object["coordinates"], at: "\(place).coordinates"))
    case "MultiPolygon":
      guard let members = object["coordinates"] as? [Any] else {
        throw .malformed(at: "\(place).coordinates")
      }
      for (index, member) in members.enumerated() {
        polygons.append(try polygon(member, at: "\(place).coordinates[\(index)]"))
      }
    case "Point", "MultiPoint", "LineString", "MultiLineString": return
    default: throw .malformed(at: "\(place).type")
    }
  }

  private static func collectAll(
    of object: [String: Any], _ key: String, at place: String, depth: Int,
    into polygons: inout [Polygon]
  ) throws(GeoJSONError) {
    guard let members = object[key] as? [Any] else { throw .malformed(at: "\(place).\(key)") }
    for (index, member) in members.enumerated() {
      try collect(member, at: "\(place).\(key)[\(index)]", depth: depth + 1, into: &polygons)
    }
  }

  private static func polygon(_ value: Any?, at place: String) throws(GeoJSONError) -> Polygon {
    guard let rings = value as? [Any], !rings.isEmpty else { throw .malformed(at: place) }
    var read: [[Polygon.Corner]] = []
    for (index, ring) in rings.enumerated() {
      guard let positions = ring as? [Any] else { throw .malformed(at: "\(place)[\(index)]") }
      var corners: [Polygon.Corner] = []
      for (corner, position) in positions.enumerated() {
        // Longitude first; an elevation may follow.
        guard let numbers = position as? [NSNumber], numbers.count >= 2,
          !numbers.contains(where: isTruthValue),
          let read = Polygon.Corner(
            latitudeDegrees: numbers[1].doubleValue, longitudeDegrees: numbers[0].doubleValue)
        else { throw .malformed(at: "\(place)[\(index)][\(corner)]") }
        corners.append(read)
      }
      read.append(corners)
    }
    do {
      return try Polygon(corners: read[0], holes: Array(read.dropFirst()))
    } catch {
      throw .ring(at: place, error)
    }
  }

  /// JSON's `true` and `false` arrive as numbers too, with the C type `bool` or `char`.
  private static func isTruthValue(_ number: NSNumber) -> Bool {
    let type = String(cString: number.objCType)
    return type == "c" || type == "B"
  }
}
