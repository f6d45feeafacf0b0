import Foundation
import Geodesy

/// Why bytes are no area in GeoJSON.
public enum GeoJSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Not JSON, with the parser's reason.
  case notJSON(String)
  /// JSON, but at this place not what RFC 7946 has there.
  case malformed(at: String)
  /// A ring that is no polygon's.
  case ring(at: String, PolygonError)
  /// There is no polygon in it.
  case noPolygon

  /// One line: what is wrong and where.
  public var description: String {
    switch self {
    case .notJSON(let reason): "not JSON: \(reason)"
    case .malformed(let place): "not GeoJSON (RFC 7946) at \(place)"
    case .ring(let place, .tooFewCorners): "the ring at \(place) has fewer than three different corners"
    case .ring(let place, .aroundPole):
      "the ring at \(place) runs around a pole; draw it along ±180° and the pole instead"
    case .noPolygon: "there is no Polygon and no MultiPolygon in it"
    }
  }
}

/// Reads the polygons of GeoJSON.
public enum GeoJSON {
  /// The polygons of a `Polygon`, `MultiPolygon`, `GeometryCollection`, `Feature` or `FeatureCollection`; other geometries
  /// are passed over.
  ///
  /// - Throws: ``GeoJSONError``.
  public static func polygons(in data: Data) throws(GeoJSONError) -> [Polygon] {
    let object: Any
    do {
      object = try JSONSerialization.jsonObject(with: data)
    } catch {
      throw .notJSON((error as NSError).userInfo["NSDebugDescription"] as? String ?? "it cannot be parsed")
    }
    var polygons: [Polygon] = []
    try collect(object, at: "the top", depth: 0, into: &polygons)
    guard !polygons.isEmpty else { throw .noPolygon }
    return polygons
  }

  private static func collect(
    _ value: Any, at place: String, depth: Int, into polygons: inout [Polygon]
  ) throws(GeoJSONError) {
    guard depth < 32, let object = value as? [String: Any], let type = object["type"] as? String else {
      throw .malformed(at: place)
    }
    switch type {
    case "FeatureCollection": try collectAll(of: object, "features", at: place, depth: depth, into: &polygons)
    case "GeometryCollection":
      try collectAll(of: object, "geometries", at: place, depth: depth, into: &polygons)
    case "Feature":
      // A feature without a place has the geometry null.
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
    of object: [String: Any], _ key: String, at place: String, depth: Int, into polygons: inout [Polygon]
  ) throws(GeoJSONError) {
    guard let members = object[key] as? [Any] else { throw .malformed(at: "\(place).\(key)") }
    for (index, member) in members.enumerated() {
      try collect(member, at: "\(place).\(key)[\(index)]", depth: depth + 1, into: &polygons)
    }
  }

  private static func polygon(_ value: Any?, at place: String) throws(GeoJSONError) -> Polygon {
    guard let rings = value as? [Any], !rings.isEmpty else { throw .malformed(at: place) }
    var read: [[Coordinate]] = []
    for (index, ring) in rings.enumerated() {
      guard let positions = ring as? [Any] else { throw .malformed(at: "\(place)[\(index)]") }
      var coordinates: [Coordinate] = []
      for (corner, position) in positions.enumerated() {
        // Longitude first; an elevation may follow.
        guard let numbers = position as? [NSNumber], numbers.count >= 2,
          let coordinate = try? Coordinate(
            latitudeDegrees: numbers[1].doubleValue, longitudeDegrees: numbers[0].doubleValue)
        else { throw .malformed(at: "\(place)[\(index)][\(corner)]") }
        coordinates.append(coordinate)
      }
      read.append(coordinates)
    }
    do {
      return try Polygon(outer: read[0], holes: Array(read.dropFirst()))
    } catch {
      throw .ring(at: place, error)
    }
  }
}
