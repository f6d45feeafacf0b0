import Geodesy

@testable import Geocode

/// The plain reader: every mixed cell unpacked into lines, and a point tested against each label's
/// outline in turn.
///
/// Where ``Partition`` takes the nearest line to the west, this one asks for each label by the
/// even-odd rule: the outline of the label in the cell is every line that has it on exactly one
/// side, closed by the wall; a point is inside where a walk to the west meets it an odd number of
/// times. Crossings are compared as whole numbers in a form of their own (cross products instead of
/// fractions).
struct SlowPartition {
  let partition: Partition

  struct Line {
    let from: LatticePoint
    let to: LatticePoint
    let left: UInt16
    let right: UInt16
  }

  struct Cell {
    var walls: [(label: UInt16, top: Int)] = []
    var lines: [Line] = []
  }

  /// A mixed cell, unpacked.
  func unpacked(_ cell: Int) -> Cell {
    let bytes = UnsafeRawBufferPointer(start: partition.lines, count: partition.lineByteCount)
    var position = Int(partition.cellOffsets.u32(4 * cell))
    let end = Int(partition.cellOffsets.u32(4 * cell + 4))
    var result = Cell()
    for wall in 0..<Int(bytes.u16(position)) {
      let at = position + 2 + 4 * wall
      result.walls.append((bytes.u16(at), Int(bytes.u16(at + 2))))
    }
    position += 2 + 4 * result.walls.count
    while position < end {
      let points = (0..<Int(bytes.u16(position + 4))).map {
        LatticePoint(bytes.u32(position + 6 + 3 * $0))
      }
      for (from, to) in zip(points, points.dropFirst()) {
        result.lines.append(
          Line(from: from, to: to, left: bytes.u16(position), right: bytes.u16(position + 2)))
      }
      position += 6 + 3 * points.count
    }
    return result
  }

  /// Every label whose outline holds the point: one, unless lines of the packed data cross each
  /// other.
  func labels(inMixedCell cell: Int, x: Int, y: Int) -> [UInt16] {
    let stepE7 = 625 << partition.level
    let cell = unpacked(cell)
    let wall = cell.walls.first { y < $0.top * stepE7 }?.label ?? 0
    var known: Set<UInt16> = [wall]
    for line in cell.lines { known.formUnion([line.left, line.right]) }
    return known.sorted().filter { label in
      var crossings = label == wall ? 1 : 0
      for line in cell.lines where (line.left == label) != (line.right == label) {
        let (ax, ay) = (line.from.x * stepE7, line.from.y * stepE7)
        let (bx, by) = (line.to.x * stepE7, line.to.y * stepE7)
        guard (ay > y) != (by > y) else { continue }
        // The side of the directed line on which the point lies, turned so that east of it is
        // positive.
        let side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if by > ay ? side <= 0 : side >= 0 { crossings += 1 }
      }
      return crossings % 2 == 1
    }
  }
}
