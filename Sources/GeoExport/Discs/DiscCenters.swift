import Foundation
import Geodesy

/// Collects centers of discs, of which at most one is kept in a square of 1/30 of the radius: the
/// most southern one, so the order in which they come does not matter.
///
/// - Memory: 24 bytes for each center that is kept, at most twice as many while they are collected.
struct DiscCenters {
  /// The side of a square in degrees.
  private let side: Double
  private var centers: [Coordinate] = []
  private var limit = 1 << 16

  init(radiusMeters: Double) {
    side = radiusMeters / 30 / AuthalicSphere.radiusMeters * 180 / .pi
  }

  mutating func add(_ center: Coordinate) {
    centers.append(center)
    if centers.count >= limit {
      thin()
      limit = max(limit, 2 * centers.count)
    }
  }

  /// Removes and returns the centers that are kept.
  mutating func take() -> [Coordinate] {
    thin()
    defer { centers = [] }
    return centers
  }

  private mutating func thin() {
    let keyed = centers.map { (square: square(of: $0), center: $0) }.sorted {
      ($0.square, $0.center.latitudeE7, $0.center.longitudeE7)
        < ($1.square, $1.center.latitudeE7, $1.center.longitudeE7)
    }
    centers.removeAll(keepingCapacity: true)
    var last: Int64?
    for (square, center) in keyed where square != last {
      centers.append(center)
      last = square
    }
  }

  private func square(of center: Coordinate) -> Int64 {
    let row = (center.latitudeDegrees / side).rounded(.down)
    let width = side / max(1e-9, cos(row * side * .pi / 180))
    return Int64(row) << 32 + Int64((center.longitudeDegrees / width).rounded(.down))
  }
}
