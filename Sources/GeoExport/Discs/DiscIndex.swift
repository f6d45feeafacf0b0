import Foundation
import Geodesy
import GridHash

/// Finds the neighbors of discs of one radius, and the groups of discs that hang together.
///
/// The centers are sorted by rows of 1.3 radii, and in a row by longitude. The boxes of a row are
/// at most as wide, so two discs with centers in one box overlap.
///
/// - Memory: 12 bytes for each center and 50 for each box that has one.
struct DiscIndex {
  /// The radius as an angle on the authalic sphere, in radians.
  let angle: Double
  let centers: [Coordinate]
  /// The height of a row in units of 1e-7 degree.
  private let rowHeight: Int32
  /// The centers of each row.
  private var rows: [Int32: Range<Int>] = [:]
  /// The first center of each box, and the number of centers at the end.
  private var boxStarts: [Int32] = []
  /// The box of each center.
  private var boxes: [Int32] = []

  init(_ unsorted: [Coordinate], radiusMeters: Double) {
    angle = radiusMeters / AuthalicSphere.radiusMeters
    let height = max(1, Int32(1.3 * angle / Coordinate.radiansPerUnit))
    rowHeight = height
    centers = unsorted.sorted {
      (Self.row(of: $0, height), $0.longitudeE7, $0.latitudeE7)
        < (Self.row(of: $1, height), $1.longitudeE7, $1.latitudeE7)
    }
    boxes.reserveCapacity(centers.count)
    var last: (row: Int32, column: Int)?
    var (rowStart, width) = (0, 1.0)
    for (place, center) in centers.enumerated() {
      let row = Self.row(of: center, height)
      if row != last?.row {
        if let last { rows[last.row] = rowStart..<place }
        rowStart = place
        width = boxWidth(row: row)
      }
      let column = Int((Double(center.longitudeE7) / width).rounded(.down))
      if row != last?.row || column != last?.column { boxStarts.append(Int32(place)) }
      boxes.append(Int32(boxStarts.count - 1))
      last = (row, column)
    }
    if let last { rows[last.row] = rowStart..<centers.count }
    boxStarts.append(Int32(centers.count))
  }

  private static func row(of center: Coordinate, _ height: Int32) -> Int32 {
    (center.latitudeE7 + 900_000_000) / height
  }

  /// The width of the boxes of a row in units of 1e-7 degree: as wide as high where it is widest.
  private func boxWidth(row: Int32) -> Double {
    let south = Double(row) * Double(rowHeight) - 9e8
    let north = south + Double(rowHeight)
    let widest = south < 0 && north > 0 ? 0 : min(abs(south), abs(north))
    return Double(rowHeight) / max(1e-6, cos(widest * Coordinate.radiansPerUnit))
  }

  /// How far east or west a center can be whose disc overlaps one around a latitude, in units of
  /// 1e-7 degree; the whole world near a pole.
  private func reach(latitudeE7: Int32) -> Double {
    let latitude = Double(abs(latitudeE7)) * Coordinate.radiansPerUnit
    guard latitude + 2 * angle < .pi / 2 - 1e-6 else { return 4e9 }
    return asin(min(1, sin(2 * angle) / cos(latitude))) / Coordinate.radiansPerUnit + 2
  }

  /// The first center of a row that is not west of a longitude.
  private func place(in row: Range<Int>, longitudeE7 longitude: Double) -> Int {
    var (low, high) = (row.lowerBound, row.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if Double(centers[middle].longitudeE7) < longitude { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether a disc and all that overlap it are far from the poles and from ±180°.
  private func isInland(_ center: Coordinate) -> Bool {
    let latitude = Double(abs(center.latitudeE7)) * Coordinate.radiansPerUnit
    return latitude + 4 * angle < .pi / 2
      && Double(abs(Int64(center.longitudeE7))) + 2 * reach(latitudeE7: center.latitudeE7) < 1.8e9
  }

  /// Calls `body` with other discs until it returns false: with all that overlap a disc, and more.
  /// Those on the same latitude come first, the nearest of each side before others.
  ///
  /// - Precondition: the disc is in a group that is inland.
  func forEachCandidate(near disc: Int, _ body: (Int) -> Bool) {
    let center = centers[disc]
    let reach = reach(latitudeE7: center.latitudeE7)
    let (west, east) = (Double(center.longitudeE7) - reach, Double(center.longitudeE7) + reach)
    let own = Self.row(of: center, rowHeight)
    for row in [own, own - 1, own + 1, own - 2, own + 2] {
      guard let range = rows[row] else { continue }
      let middle = row == own ? disc : place(in: range, longitudeE7: Double(center.longitudeE7))
      var place = middle
      while place < range.upperBound, Double(centers[place].longitudeE7) <= east {
        if place != disc, !body(place) { return }
        place += 1
      }
      place = middle - 1
      while place >= range.lowerBound, Double(centers[place].longitudeE7) >= west {
        if !body(place) { return }
        place -= 1
      }
    }
  }

  /// The sine of half the distance of two centers, squared; precise for small distances.
  static func squaredHalfChord(_ one: Coordinate, _ other: Coordinate) -> Double {
    let north = sin(Double(other.latitudeE7 - one.latitudeE7) * Coordinate.radiansPerUnit / 2)
    let east = sin(
      Double(Int64(other.longitudeE7) - Int64(one.longitudeE7)) * Coordinate.radiansPerUnit / 2)
    return north * north + cos(one.latitudeRadians) * cos(other.latitudeRadians) * east * east
  }

  /// The groups of discs that hang together by overlapping, each in ascending order.
  ///
  /// - Returns: the groups, and all discs of those that come near a pole or ±180°.
  func groups() -> (inland: [[Int32]], others: [Int32]) {
    let count = boxStarts.count - 1
    guard count > 0 else { return ([], []) }
    var sets = DisjointSets(count: count)
    for box in 0..<count {
      for other in boxesAfter(box) where sets.root(of: box) != sets.root(of: other) {
        if overlap(box, other) { sets.join(box, other) }
      }
    }
    var outside: Set<Int> = []
    for (place, center) in centers.enumerated() where !isInland(center) {
      outside.insert(sets.root(of: Int(boxes[place])))
    }
    var numbers: [Int: Int] = [:]
    var inland: [[Int32]] = []
    var others: [Int32] = []
    for box in 0..<count {
      let root = sets.root(of: box)
      let members = boxStarts[box]..<boxStarts[box + 1]
      if outside.contains(root) {
        others += members
      } else {
        let number = numbers[root] ?? inland.count
        numbers[root] = number
        if number == inland.count { inland.append([]) }
        inland[number] += members
      }
    }
    return (inland, others)
  }

  /// The boxes east of a box in its row and those in the next two rows that have centers near it.
  private func boxesAfter(_ box: Int) -> [Int] {
    let members = Int(boxStarts[box])..<Int(boxStarts[box + 1])
    let (first, last) = (centers[members.lowerBound], centers[members.upperBound - 1])
    let row = Self.row(of: first, rowHeight)
    // The latitude of the row, or one beyond it, that is nearest to a pole.
    let edges = (Int64(row) * Int64(rowHeight) - 900_000_000, Int64(row + 1) * Int64(rowHeight))
    let farthest = max(abs(edges.0), abs(edges.1 - 900_000_000))
    let reach = reach(latitudeE7: Int32(min(farthest, 900_000_000)))
    var found: [Int] = []
    for other in row...row + 2 {
      guard let range = rows[other] else { continue }
      let start =
        other == row
        ? members.upperBound
        : place(in: range, longitudeE7: Double(first.longitudeE7) - reach)
      let end = place(in: range, longitudeE7: Double(last.longitudeE7) + reach + 1)
      guard start < end else { continue }
      found += Int(boxes[start])...Int(boxes[end - 1])
    }
    return found
  }

  private func overlap(_ box: Int, _ other: Int) -> Bool {
    let limit = pow(sin(angle), 2)
    for one in boxStarts[box]..<boxStarts[box + 1] {
      for two in boxStarts[other]..<boxStarts[other + 1]
      where Self.squaredHalfChord(centers[Int(one)], centers[Int(two)]) < limit {
        return true
      }
    }
    return false
  }
}
