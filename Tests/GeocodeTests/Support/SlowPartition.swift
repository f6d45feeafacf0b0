import Geodesy

@testable import Geocode

/// The reference reader: unpacks mixed cells into lines and tests a point against each label's
/// outline.
///
/// ``Partition`` uses the nearest line to the west. This reader instead tests each label by the
/// even-odd rule: the outline of a label in the cell consists of all lines that have the label on
/// exactly one side, closed by the left edge. A point is inside if a walk to the west crosses the
/// outline an odd number of times. Crossings are compared with integers in a different form (cross
/// products instead of fractions).
struct SlowPartition {
  let partition: Partition

  struct Line {
    let from: LatticePoint
    let to: LatticePoint
    let left: UInt16
    let right: UInt16
  }

  struct Cell {
    /// The labels of the left edge, from south to north, each up to a latitude.
    var leftEdge: [(label: UInt16, top: Int)] = []
    var lines: [Line] = []
  }

  /// Unpacks a mixed cell.
  func unpacked(_ cell: Int) -> Cell {
    // Sound: the partition checked that it has these bytes, and its gazetteer keeps them alive.
    let bytes = UnsafeRawBufferPointer(start: partition.lines, count: partition.lineByteCount)
    var position = Int(partition.cellOffsets.u32(4 * cell))
    let end = Int(partition.cellOffsets.u32(4 * cell + 4))
    var result = Cell()
    for part in 0..<Int(bytes.u16(position)) {
      let at = position + 2 + 4 * part
      result.leftEdge.append((bytes.u16(at), Int(bytes.u16(at + 2))))
    }
    position += 2 + 4 * result.leftEdge.count
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

  /// The labels whose outlines contain the point: exactly one, unless lines in the packed data
  /// cross.
  func labels(inMixedCell cell: Int, x: Int, y: Int) -> [UInt16] {
    let stepE7 = 625 << partition.level
    let cell = unpacked(cell)
    let start = cell.leftEdge.first { y < $0.top * stepE7 }?.label ?? 0
    var known: Set<UInt16> = [start]
    for line in cell.lines { known.formUnion([line.left, line.right]) }
    return known.sorted().filter { label in
      var crossings = label == start ? 1 : 0
      for line in cell.lines where (line.left == label) != (line.right == label) {
        let (ax, ay) = (line.from.x * stepE7, line.from.y * stepE7)
        let (bx, by) = (line.to.x * stepE7, line.to.y * stepE7)
        guard (ay > y) != (by > y) else { continue }
        // The side of the directed line on which the point lies; positive means east of the line
        // after correcting for its direction.
        let side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if by > ay ? side <= 0 : side >= 0 { crossings += 1 }
      }
      return crossings % 2 == 1
    }
  }
}
