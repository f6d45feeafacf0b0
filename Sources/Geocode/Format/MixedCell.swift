/// The packed bytes of a mixed cell of a ``Partition``: the labels along its left edge, then the
/// border lines that cross it.
///
/// - Byte layout: the number of runs along the left edge; a label and a top step for each run, from
///   south to north; then for each line its left label, right label and number of points, two bytes
///   each, and three bytes per point (``LatticePoint``). All little-endian.
///
/// Sound: reads are unchecked. Either `Partition.validate` has checked the offsets, counts and
/// points of every cell before the first lookup, or the file is linked in and checked by tests. The
/// bytes outlive the partition.
struct MixedCell {
  private let start: UnsafeRawPointer
  private let lines: UnsafeRawPointer
  private let end: UnsafeRawPointer
  /// The number of runs along the left edge, at least one.
  let runCount: Int

  @inline(__always)
  init(_ cell: Int, of partition: Partition) {
    start = partition.lines + Int(partition.cellOffsets.u32(4 * cell))
    end = partition.lines + Int(partition.cellOffsets.u32(4 * cell + 4))
    runCount = Int(start.u16(0))
    lines = start + 2 + 4 * runCount
  }

  /// The label of a run along the left edge.
  @inline(__always)
  func label(ofRun run: Int) -> UInt16 { start.u16(2 + 4 * run) }

  /// The step at which a run along the left edge ends, counted from the south.
  @inline(__always)
  func topStep(ofRun run: Int) -> Int { Int(start.u16(4 + 4 * run)) }

  /// The label of the left edge at a step.
  @inline(__always)
  func leftEdgeLabel(atStep step: Int) -> UInt16 {
    for run in 0..<runCount where topStep(ofRun: run) > step { return label(ofRun: run) }
    return 0
  }

  /// Returns true if a matching label is along the left edge or next to one of the lines.
  func contains(where fits: (UInt16) -> Bool) -> Bool {
    for run in 0..<runCount where fits(label(ofRun: run)) { return true }
    var cursor = lines
    while cursor < end {
      if fits(cursor.u16(0)) || fits(cursor.u16(2)) { return true }
      cursor += 6 + 3 * Int(cursor.u16(4))
    }
    return false
  }

  /// A straight part of a border line between two neighboring points.
  struct Piece {
    let from: LatticePoint
    let to: LatticePoint
    let left: UInt16
    let right: UInt16

    /// The label east of the piece, which must not be horizontal.
    @inline(__always)
    var eastLabel: UInt16 { from.y < to.y ? right : left }
  }

  /// Calls `body` with the pieces that have one end at a step or south of it and the other end
  /// north of it.
  @inline(__always)
  func forEachPiece(acrossStep step: Int, _ body: (Piece) -> Void) {
    // The step is in the high 12 of a point's 24 bits.
    let firstNorth = UInt32(step + 1) << 12
    var cursor = lines
    while cursor < end {
      let count = Int(cursor.u16(4))
      let points = cursor + 6
      var wasNorth = points.u32(0) & 0xFF_FFFF >= firstNorth
      for index in 1..<max(count, 1) {
        let isNorth = points.u32(3 * index) & 0xFF_FFFF >= firstNorth
        if isNorth != wasNorth {
          wasNorth = isNorth
          body(
            Piece(
              from: LatticePoint(points.u32(3 * index - 3)),
              to: LatticePoint(points.u32(3 * index)),
              left: cursor.u16(0), right: cursor.u16(2)))
        }
      }
      cursor = points + 3 * count
    }
  }

  /// Calls `body` with the pieces of all lines in order until it returns false.
  ///
  /// - Returns: true if `body` never returned false.
  @inline(__always)
  @discardableResult
  func forEachPiece(_ body: (Piece) -> Bool) -> Bool {
    var cursor = lines
    while cursor < end {
      let left = cursor.u16(0)
      let right = cursor.u16(2)
      let count = Int(cursor.u16(4))
      cursor += 6
      var from = LatticePoint(cursor.u32(0))
      for index in 1..<max(count, 1) {
        let to = LatticePoint(cursor.u32(3 * index))
        if !body(Piece(from: from, to: to, left: left, right: right)) { return false }
        from = to
      }
      cursor += 3 * count
    }
    return true
  }
}
