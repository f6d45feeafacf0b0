import Geodesy

/// What a change added to a coverage.
public struct CoverageGain: Hashable, Sendable {
  /// Cells that were not there before.
  public var cells: Int
  /// Their area on the authalic sphere, in square metres.
  public var areaSquareMeters: Double

  /// A gain; nothing by default.
  public init(cells: Int = 0, areaSquareMeters: Double = 0) {
    self.cells = cells
    self.areaSquareMeters = areaSquareMeters
  }

  /// The two gains together.
  public static func + (left: CoverageGain, right: CoverageGain) -> CoverageGain {
    CoverageGain(
      cells: left.cells + right.cells, areaSquareMeters: left.areaSquareMeters + right.areaSquareMeters)
  }

  /// Adds a gain.
  public static func += (left: inout CoverageGain, right: CoverageGain) { left = left + right }
}

extension Coverage {
  /// Explores the disc around a kept fix: adds all cells whose centre is at most the exploration radius away.
  /// Returns how many were new.
  ///
  /// - Complexity: O(1); some tens of nanoseconds away from the poles.
  @discardableResult
  public mutating func mark(discAround coordinate: Coordinate) -> Int {
    makeUnique()
    let before = count
    markDisc(around: coordinate) { _, _, _ in }
    return count - before
  }

  /// Explores the discs around kept fixes, the fastest way to many. Returns how many cells were new.
  @discardableResult
  public mutating func mark(contentsOf coordinates: UnsafeBufferPointer<Coordinate>) -> Int {
    makeUnique()
    let before = count
    for coordinate in coordinates { markDisc(around: coordinate) { _, _, _ in } }
    return count - before
  }

  /// Explores the discs around kept fixes. Returns how many cells were new.
  @inlinable
  @discardableResult
  public mutating func mark(contentsOf coordinates: some Sequence<Coordinate>) -> Int {
    if let added = coordinates.withContiguousStorageIfAvailable({ mark(contentsOf: $0) }) { return added }
    return coordinates.reduce(0) { $0 + mark(discAround: $1) }
  }

  /// Explores the disc around a kept fix, and tells of the new cells: `bits` of row `row`, bit 0 being
  /// column `firstColumn`. Called once for each row and tile with a new cell, southernmost rows of a tile
  /// first.
  public mutating func mark(
    discAround coordinate: Coordinate,
    onNewCells report: (_ row: Int32, _ firstColumn: Int32, _ bits: UInt64) -> Void
  ) {
    makeUnique()
    markDisc(around: coordinate) { row, tileColumn, bits in
      report(Int32(row), Int32(tileColumn << 6), bits)
    }
  }

  /// Explores the disc around a kept fix, and returns the new cells and their area.
  ///
  /// Called with fixes in order of time, it says how much of a day, a month or a year was new ground:
  /// ``NewGround`` adds it up.
  public mutating func markMeasuring(discAround coordinate: Coordinate) -> CoverageGain {
    makeUnique()
    let grid = grid
    var gain = CoverageGain()
    markDisc(around: coordinate) { row, tileColumn, bits in
      gain.cells += bits.nonzeroBitCount
      gain.areaSquareMeters += grid.areaSquareMeters(row: row, tileColumn: tileColumn, bits: bits)
    }
    return gain
  }

  /// Adds a disc to a table that is uniquely owned.
  @inline(__always)
  private mutating func markDisc(
    around coordinate: Coordinate, onNew: (_ row: Int, _ tileColumn: Int, _ bits: UInt64) -> Void
  ) {
    guard let rows = kernel.rows(around: coordinate) else {
      markExactly(around: coordinate, onNew: onNew)
      return
    }
    let low = rows.low
    let high = rows.high
    let firstRow = rows.firstRow
    let state = table.state
    let tileRow = firstRow >> 6
    let tileColumn = Int(low[1] >> 6)
    // High ends are exclusive: one that is the first of the next tile takes the other way, harmlessly.
    let strays = ((low ^ low[1]) | (high ^ low[1])) & ~63
    if firstRow & 63 <= 60, strays == SIMD4(repeating: 0) {
      let words =
        state.pointee.recent(
          tileRow: tileRow, tileColumn: tileColumn, tileColumnCount: grid.tileColumnCount)
        + (firstRow & 63)
      let ends = SIMD4<UInt64>(truncatingIfNeeded: high & 63)
      let starts = SIMD4<UInt64>(truncatingIfNeeded: low & 63)
      let one = SIMD4<UInt64>(repeating: 1)
      let masks = (one &<< ends) &- (one &<< starts)
      var added = 0
      for row in 0..<4 {
        let new = masks[row] & ~words[row]
        if new != 0 {
          words[row] |= new
          added &+= new.nonzeroBitCount
          onNew(firstRow + row, tileColumn, new)
        }
      }
      count &+= added
      return
    }
    markAcrossTiles(rows, onNew: onNew)
  }

  /// Adds a disc that lies in up to four tiles.
  @inline(__always)
  private mutating func markAcrossTiles(
    _ rows: DiscKernel.Rows, onNew: (_ row: Int, _ tileColumn: Int, _ bits: UInt64) -> Void
  ) {
    for row in 0..<4 where rows.low[row] < rows.high[row] {
      markSpan(
        row: rows.firstRow + row, columns: Int(rows.low[row])..<Int(rows.high[row]), onNew: onNew)
    }
  }

  /// Adds a disc by the rule itself.
  @inline(never)
  private mutating func markExactly(
    around coordinate: Coordinate, onNew: (_ row: Int, _ tileColumn: Int, _ bits: UInt64) -> Void
  ) {
    ExactDisc(grid: grid, around: coordinate).forEachSpan { row, columns in
      markSpan(row: row, columns: columns, onNew: onNew)
    }
  }

  /// Adds neighbouring cells of one row.
  @inline(__always)
  private mutating func markSpan(
    row: Int, columns: Range<Int>, onNew: (_ row: Int, _ tileColumn: Int, _ bits: UInt64) -> Void
  ) {
    let last = columns.upperBound - 1
    for tileColumn in columns.lowerBound >> 6...last >> 6 {
      var mask = ~UInt64(0)
      if tileColumn == columns.lowerBound >> 6 { mask &= ~0 << UInt64(columns.lowerBound & 63) }
      if tileColumn == last >> 6 { mask &= ~0 >> UInt64(63 - last & 63) }
      let word =
        table.state.pointee.recent(
          tileRow: row >> 6, tileColumn: tileColumn, tileColumnCount: grid.tileColumnCount)
        + (row & 63)
      let new = mask & ~word.pointee
      if new != 0 {
        word.pointee |= new
        count += new.nonzeroBitCount
        onNew(row, tileColumn, new)
      }
    }
  }
}
