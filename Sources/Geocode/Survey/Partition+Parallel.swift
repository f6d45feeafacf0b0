/// A run of a parallel with one label. It begins where the previous run ends and ends before
/// `endE7`, counted eastwards from 180° W in 1e-7 degree.
struct LabelRun: Equatable {
  var endE7: Int
  var label: UInt16
}

/// Buffers for the lines that a parallel crosses in one cell, reused between parallels.
struct ParallelScratch {
  fileprivate var crossings: [(crossing: Crossing, label: UInt16)] = []
}

extension Partition {
  /// The labels along a parallel from one longitude to another, both included. They are exactly
  /// those of ``label(at:)-(CellPoint)`` for every whole number of 1e-7 degree.
  ///
  /// The lines of each cell are processed once, however many points are looked up in it.
  ///
  /// - Parameters:
  ///   - fromSouthE7: the parallel, counted from 90° S; the North Pole belongs to the parallel
  ///     south of it.
  ///   - westE7: the first longitude, counted from 180° W.
  ///   - eastE7: the last longitude, less than 3 600 000 000.
  ///   - runs: cleared and filled; the first run begins at or west of `westE7`, the last ends east
  ///     of `eastE7`.
  /// - Complexity: O(cells that the parallel passes + border points in them).
  func labels(
    fromSouthE7: Int, westE7: Int, eastE7: Int, into runs: inout [LabelRun],
    _ scratch: inout ParallelScratch
  ) {
    runs.removeAll(keepingCapacity: true)
    let cellE7 = Int(CellPoint.cellE7) << level
    let (row, y) = min(fromSouthE7, 1_799_999_999).quotientAndRemainder(dividingBy: cellE7)
    for column in westE7 / cellE7...eastE7 / cellE7 {
      // Sound: longitudes lie below 180° E and the row is clamped, so the cell is in the grid.
      let entry = entry(column: column, row: row)
      let start = column * cellE7
      if entry.isPure {
        Self.append(entry.label, until: start + cellE7, to: &runs)
      } else {
        appendLabels(inMixedCell: entry.mixedCell, startE7: start, y: y, to: &runs, &scratch)
      }
    }
  }

  @inline(__always)
  private static func append(_ label: UInt16, until endE7: Int, to runs: inout [LabelRun]) {
    if let last = runs.indices.last, runs[last].label == label {
      runs[last].endE7 = endE7
    } else {
      runs.append(LabelRun(endE7: endE7, label: label))
    }
  }

  /// The labels along a parallel in a mixed cell: that of the left edge up to the first line, then
  /// that east of each line.
  private func appendLabels(
    inMixedCell cell: Int, startE7: Int, y: Int, to runs: inout [LabelRun],
    _ scratch: inout ParallelScratch
  ) {
    let cell = MixedCell(cell, of: self)
    let stepE7 = CellPoint.stepE7 << level
    let step = y / stepE7
    var label = cell.leftEdgeLabel(atStep: step)

    scratch.crossings.removeAll(keepingCapacity: true)
    cell.forEachPiece { piece in
      let (from, to) = (piece.from, piece.to)
      if (from.y <= step) != (to.y <= step) {
        let crossing = Crossing(from, to, y: y, stepE7: stepE7)
        // From west to east. Of coincident lines the first counts, so it comes last.
        var place = scratch.crossings.count
        while place > 0, !crossing.isEast(of: scratch.crossings[place - 1].crossing) { place -= 1 }
        scratch.crossings.insert((crossing, piece.eastLabel), at: place)
      }
      return true
    }

    let cellE7 = Int(CellPoint.cellE7) << level
    var position = 0
    for (crossing, next) in scratch.crossings {
      let start = crossing.firstPoint
      if start >= cellE7 { break }
      if start > position {
        Self.append(label, until: startE7 + start, to: &runs)
        position = start
      }
      label = next
    }
    Self.append(label, until: startE7 + cellE7, to: &runs)
  }
}
