import FogMap
import Foundation
import Geodesy
import GridHash

/// Finds the view that shows some part of the world in a frame.
struct PictureFraming {
  let projection: PictureProjection
  let frame: PictureFrame
  /// The part of the frame that is left free around a map of the world.
  let margin: Double

  private static let radians = Double.pi / 180

  private var width: Double { Double(frame.width) }
  private var height: Double { Double(frame.height) }

  private func view(_ center: Angles, scale: Double) -> MapView {
    MapView(projection, center: center, scale: scale, frame: frame)
  }

  /// The world, as large as the frame allows; Mercator fills the frame's width.
  func world(around center: Angles?) -> MapView {
    switch projection {
    case .globe:
      let center = center ?? Angles(latitude: 25 * Self.radians, longitude: 10 * Self.radians)
      return view(center, scale: (1 - margin) / 2 * min(width, height))
    case .equalEarth:
      let (halfWidth, halfHeight) = (
        EqualEarth.point(of: Angles(latitude: 0, longitude: .pi)).x,
        EqualEarth.point(of: Angles(latitude: .pi / 2, longitude: 0)).y
      )
      return view(
        Angles(latitude: 0, longitude: center?.longitude ?? 0),
        scale: (1 - margin) / 2 * min(width / halfWidth, height / halfHeight))
    case .mercator:
      let scale = width / (2 * .pi)
      // A frame that is less high than the map shows where most people live.
      let isWhole = height >= width
      return view(
        Angles(
          latitude: isWhole ? 0 : center?.latitude ?? 22 * Self.radians,
          longitude: center?.longitude ?? 0),
        scale: isWhole ? min(scale, height / (2 * .pi)) : scale)
    }
  }

  /// The surroundings of a point, as large as web maps show them at a zoom: in Mercator the equator
  /// has 256 · 2^zoom pixels, and the other projections have the same scale at the point.
  func around(_ center: Angles, zoom: Double) -> MapView {
    let enlargement = projection == .mercator ? 1 : 1 / max(0.08, cos(center.latitude))
    return view(center, scale: enlargement * Self.scale(zoom: zoom))
  }

  /// The pixels of a radian of the equator in Mercator.
  private static func scale(zoom: Double) -> Double { 256 * exp2(zoom) / (2 * .pi) }

  /// A box, all of which is shown.
  ///
  /// - Parameter margin: the part of the frame that is left free around it, 0..<1.
  func box(_ box: BoundingBox, margin: Double) -> MapView {
    let span = box.east - box.west + (box.east < box.west ? 360 : 0)
    if span >= 359, projection != .globe { return world(around: nil) }
    let longitude = (box.west + span / 2).remainder(dividingBy: 360) * Self.radians
    var center = Angles(
      latitude: (box.south + box.north) / 2 * Self.radians, longitude: longitude)
    var scale = 1.0
    // The middle of the box on the map is not at its middle latitude.
    for _ in 0..<4 {
      let view = MapView(
        projection, center: center, scale: 1_000, frame: PictureFrame(width: 0, height: 0))
      var (low, high) = (PicturePoint(repeating: .infinity), PicturePoint(repeating: -.infinity))
      for step in 0...32 {
        for other in 0...32 where step % 32 == 0 || other % 32 == 0 {
          let latitude = box.south + (box.north - box.south) * Double(step) / 32
          let east = (Double(other) / 32 - 0.5) * span * Self.radians
          let point = view.point(latitude: latitude * Self.radians, east: east)
          (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
        }
      }
      let size = pointwiseMax((high - low) / 1_000, PicturePoint(repeating: 1e-7))
      scale = (1 - margin) * min(width / size.x, height / size.y)
      let middle = (low + high) / 2
      guard let better = view.angles(x: 0, y: middle.y) else { break }
      center.latitude = better.latitude
    }
    return view(center, scale: min(scale, Self.scale(zoom: PictureOptions.zooms.upperBound)))
  }

  /// The middle of a coverage on the sphere, at most 40° from the equator; nil for none, or if it
  /// is all around the Earth.
  static func middle(of coverage: Coverage) -> Angles? {
    var (x, y, z, count) = (0.0, 0.0, 0.0, 0.0)
    let step = coverage.grid.stepDegrees * radians
    for (key, tile) in coverage.tiles {
      let first = coverage.grid.firstCell(ofTile: key)
      let latitude = Double(first.row + 32) * step - .pi / 2
      let longitude = Double(first.column + 32) * step - .pi
      let cells = Double(tile.count)
      x += cells * cos(latitude) * cos(longitude)
      y += cells * cos(latitude) * sin(longitude)
      z += cells * sin(latitude)
      count += cells
    }
    let length = (x * x + y * y + z * z).squareRoot()
    guard count > 0, length / count > 0.05 else { return nil }
    // People know the Earth with its poles near the rim.
    let latitude = asin(max(-1, min(1, z / length)))
    return Angles(latitude: max(-0.7, min(0.7, latitude)), longitude: atan2(y, x))
  }
}
