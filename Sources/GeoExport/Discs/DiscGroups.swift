import Foundation
import Geodesy

/// Sorts discs into groups that share no ground.
///
/// The map is divided into boxes at least as high and as wide as a disc. Boxes with centers that
/// touch, also across ±180°, belong to one group; so discs of different groups never overlap.
struct DiscGroups {
  private struct Box: Hashable {
    let row: Int32
    let column: Int32
  }

  private let radiusMeters: Double
  private let rowHeight: Double
  private var centers: [Coordinate] = []
  private var seen: Set<Box> = []

  /// How far apart two centers may be that count as one: a thirtieth of the radius.
  private let lattice: Double

  init(radiusMeters: Double) {
    self.radiusMeters = radiusMeters
    rowHeight = 2.02 * radiusMeters / AuthalicSphere.radiusMeters * 180 / .pi
    lattice = rowHeight / 60
  }

  /// Adds a center, unless one in the same square of 1/30 of the radius is there already.
  mutating func add(_ center: Coordinate) {
    let row = (center.latitudeDegrees / lattice).rounded(.down)
    let width = lattice / max(1e-9, cos(row * lattice * .pi / 180))
    let column = (center.longitudeDegrees / width).rounded(.down)
    guard seen.insert(Box(row: Int32(row), column: Int32(column))).inserted else { return }
    centers.append(center)
  }

  /// The number of columns in a row: each as wide as a disc where the row is nearest to a pole.
  private func columnCount(row: Int32) -> Int {
    let north = (Double(row) + 1) * rowHeight - 90
    let edge = max(abs(north), abs(north - rowHeight)) + rowHeight
    guard edge < 90 else { return 1 }
    return max(1, Int(360 * cos(edge * .pi / 180) / rowHeight))
  }

  private func box(of center: Coordinate) -> Box {
    let row = Int32(((center.latitudeDegrees + 90) / rowHeight).rounded(.down))
    let count = columnCount(row: row)
    let column = Int((center.longitudeDegrees + 180) / 360 * Double(count))
    return Box(row: row, column: Int32(min(count - 1, column)))
  }

  /// Calls `body` with the centers of each group, those of a square of ten discs next to each
  /// other.
  mutating func forEachGroup<Failure: Error>(
    _ body: ([[Coordinate]]) throws(Failure) -> Void
  ) throws(Failure) {
    seen = []
    var members: [Box: [Int32]] = [:]
    for (index, center) in centers.enumerated() {
      members[box(of: center), default: []].append(Int32(index))
    }
    var left = Set(members.keys)
    for first in members.keys.sorted(by: { ($0.row, $0.column) < ($1.row, $1.column) })
    where left.remove(first) != nil {
      var boxes = [first]
      var next = 0
      while next < boxes.count {
        for neighbor in neighbors(of: boxes[next]) where left.remove(neighbor) != nil {
          boxes.append(neighbor)
        }
        next += 1
      }
      var blocks: [Box: [Coordinate]] = [:]
      for box in boxes.sorted(by: { ($0.row, $0.column) < ($1.row, $1.column) }) {
        let block = Box(row: box.row / 10, column: box.column / 10)
        blocks[block, default: []] += (members[box] ?? []).map { centers[Int($0)] }
      }
      try body(
        blocks.sorted { ($0.key.row, $0.key.column) < ($1.key.row, $1.key.column) }.map(\.value))
    }
  }

  /// The boxes that touch a box or are nearer to it than a disc is wide.
  private func neighbors(of box: Box) -> [Box] {
    let width = 1 / Double(columnCount(row: box.row))
    let west = Double(box.column) * width
    return (box.row - 1...box.row + 1).flatMap { row -> [Box] in
      let count = columnCount(row: row)
      let reach = max(width, 1 / Double(count))
      let first = Int(((west - reach) * Double(count)).rounded(.down))
      let last = Int(((west + width + reach) * Double(count)).rounded(.down))
      guard last - first < count else {
        return (0..<count).map { Box(row: row, column: Int32($0)) }
      }
      return (first...last).map { Box(row: row, column: Int32(($0 + count) % count)) }
    }
  }
}
