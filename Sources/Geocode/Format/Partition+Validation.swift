extension Partition {
  /// Checks every entry, offset, count, point and label, so that no lookup can read outside the
  /// file.
  ///
  /// Sound: `init` has checked the sizes of the sections, and each number is checked before it is
  /// used as an offset.
  ///
  /// - Throws: ``GeocodeError/damaged(_:section:)`` with the damaged section.
  /// - Complexity: O(size of the file).
  func validate(_ kind: GeodataKind, labelCount: UInt16) throws(GeocodeError) {
    for block in 0..<blockColumns * blockRows {
      let value = blocks.u16(2 * block)
      let isRight =
        value & Self.isMixed == 0 ? value <= labelCount : Int(value & ~Self.isMixed) < subBlockCount
      guard isRight else { throw .damaged(kind, section: "BLKS") }
    }
    for index in 0..<subBlockCount {
      let sub = subBlocks + index * Self.subBlockSize
      let first = Int(sub.u32(0))
      for cell in 0..<Self.blockCells * Self.blockCells {
        let value = sub.u16(4 + 2 * cell)
        let isRight =
          value & Self.isMixed == 0
          ? value <= labelCount : first + Int(value & ~Self.isMixed) < mixedCellCount
        guard isRight else { throw .damaged(kind, section: "SUBS") }
      }
    }
    // The last byte of the lines allows a point to be read as four bytes.
    guard cellOffsets.u32(0) == 0, Int(cellOffsets.u32(4 * mixedCellCount)) == lineByteCount - 1
    else {
      throw .damaged(kind, section: "CELL")
    }
    for cell in 0..<mixedCellCount {
      let start = Int(cellOffsets.u32(4 * cell))
      let end = Int(cellOffsets.u32(4 * cell + 4))
      guard start < end, end < lineByteCount else { throw .damaged(kind, section: "CELL") }
      guard isCellWhole(from: start, to: end, labelCount: labelCount) else {
        throw .damaged(kind, section: "EDGE")
      }
    }
  }

  /// Returns true if the left-edge runs and chains between these offsets fill them exactly.
  private func isCellWhole(from start: Int, to end: Int, labelCount: UInt16) -> Bool {
    guard start + 2 <= end else { return false }
    let edgeCount = Int(lines.u16(start))
    var position = start + 2 + 4 * edgeCount
    guard edgeCount >= 1, position <= end else { return false }
    var top: UInt16 = 0
    for edge in 0..<edgeCount {
      let next = lines.u16(start + 4 + 4 * edge)
      guard lines.u16(start + 2 + 4 * edge) <= labelCount, next > top else { return false }
      top = next
    }
    guard Int(top) == Self.cellSteps else { return false }
    while position < end {
      guard position + 6 <= end else { return false }
      let count = Int(lines.u16(position + 4))
      guard lines.u16(position) <= labelCount, lines.u16(position + 2) <= labelCount,
        count >= 2, position + 6 + 3 * count <= end
      else { return false }
      for index in 0..<count {
        let point = LatticePoint(lines.u32(position + 6 + 3 * index))
        guard point.x <= Self.cellSteps, point.y <= Self.cellSteps else { return false }
      }
      position += 6 + 3 * count
    }
    return position == end
  }
}
