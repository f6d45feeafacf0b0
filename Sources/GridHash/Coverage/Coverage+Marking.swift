import Geodesy

/// The cells that a change added to a coverage.
package struct CoverageGain: Hashable, Sendable {
  /// The number of new cells.
  package var cells: Int
  /// The area of the new cells on the authalic sphere, in square meters.
  package var areaSquareMeters: Double

  /// Creates a gain; empty by default.
  package init(cells: Int = 0, areaSquareMeters: Double = 0) {
    self.cells = cells
    self.areaSquareMeters = areaSquareMeters
  }

  /// The sum of two gains.
  package static func + (left: CoverageGain, right: CoverageGain) -> CoverageGain {
    CoverageGain(
      cells: left.cells + right.cells,
      areaSquareMeters: left.areaSquareMeters + right.areaSquareMeters)
  }

  /// Adds a gain.
  package static func += (left: inout CoverageGain, right: CoverageGain) { left = left + right }
}

extension Coverage {
  /// Explores the disc around a kept fix: adds all cells whose center is at most the exploration
  /// radius away. Returns the number of new cells.
  ///
  /// - Complexity: O(1); some tens of nanoseconds away from the poles.
  @discardableResult
  public mutating func mark(discAround coordinate: Coordinate) -> Int {
    makeUnique()
    let before = count
    markDisc(around: coordinate) { _, _, _ in }
    return count - before
  }

  /// The number of fixes in a block. Their rows are computed first, without waiting for each other,
  /// then marked. 16 of 48 bytes stay in the first-level cache.
  private static let blockLength = 16

  /// Explores the discs around many kept fixes, faster than one by one. Returns the number of new
  /// cells.
  @discardableResult
  @usableFromInline package mutating func mark(
    contentsOf coordinates: UnsafeBufferPointer<Coordinate>
  ) -> Int {
    makeUnique()
    let before = count
    // Sound: `length` is at most the block's and at most what is left of `coordinates`; the first
    // loop writes the rows that the second one reads.
    withUnsafeTemporaryAllocation(of: DiscKernel.Rows.self, capacity: Coverage.blockLength) {
      block in
      var start = 0
      while start < coordinates.count {
        let length = min(coordinates.count - start, Coverage.blockLength)
        for index in 0..<length { block[index] = kernel.rows(around: coordinates[start &+ index]) }
        for index in 0..<length {
          mark(block[index], around: coordinates[start &+ index]) { _, _, _ in }
        }
        start += length
      }
    }
    return count - before
  }

  /// Explores the discs around kept fixes. Returns the number of new cells.
  @inlinable
  @discardableResult
  public mutating func mark(contentsOf coordinates: some Sequence<Coordinate>) -> Int {
    if let added = coordinates.withContiguousStorageIfAvailable({ mark(contentsOf: $0) }) {
      return added
    }
    return coordinates.reduce(0) { $0 + mark(discAround: $1) }
  }

  /// Explores the disc around a kept fix and reports the new cells: `bits` of row `row`; bit 0 is
  /// column `firstColumn`. Called once for each row and tile with a new cell, with the southernmost
  /// rows of a tile first.
  @usableFromInline package mutating func mark(
    discAround coordinate: Coordinate,
    onNewCells report: (_ row: Int32, _ firstColumn: Int32, _ bits: UInt64) -> Void
  ) {
    makeUnique()
    markDisc(around: coordinate) { row, tileColumn, bits in
      report(Int32(row), Int32(tileColumn << 6), bits)
    }
  }

  /// Explores the disc around a kept fix and returns the new cells and their area.
  ///
  /// With fixes in order of time, this gives the newly explored area of a day, a month or a year;
  /// ``NewlyExplored`` adds it up.
  package mutating func markMeasuring(discAround coordinate: Coordinate) -> CoverageGain {
    makeUnique()
    let grid = grid
    var gain = CoverageGain()
    markDisc(around: coordinate) { row, tileColumn, bits in
      gain.cells += bits.nonzeroBitCount
      gain.areaSquareMeters += grid.areaSquareMeters(row: row, tileColumn: tileColumn, bits: bits)
    }
    return gain
  }

  /// Adds a disc to a uniquely owned table.
  @inline(__always)
  private mutating func markDisc(
    around coordinate: Coordinate, onNew: (_ row: Int, _ tileColumn: Int, _ bits: UInt64) -> Void
  ) {
    mark(kernel.rows(around: coordinate), around: coordinate, onNew: onNew)
  }

  /// Adds the rows of a disc to a uniquely owned table.
  @inline(__always)
  private mutating func mark(
    _ rows: DiscKernel.Rows, around coordinate: Coordinate,
    onNew: (_ row: Int, _ tileColumn: Int, _ bits: UInt64) -> Void
  ) {
    if rows.firstRow == DiscKernel.Rows.askExactDisc {
      markExactly(around: coordinate, onNew: onNew)
      return
    }
    let firstRow = Int(rows.firstRow)
    let firstColumn = rows.low[1]
    // High ends are exclusive. One that is the first column of the next tile takes the slower path,
    // which is harmless.
    // Sound: both types have 16 bytes and no invalid values.
    let strays = unsafeBitCast(
      (rows.low ^ firstColumn) | (rows.high ^ firstColumn), to: SIMD2<UInt64>.self)
    guard (strays[0] | strays[1]) & 0xFFFF_FFC0_FFFF_FFC0 == 0,
      firstRow & (TileTable.rows - 1) <= TileTable.rows - 4
    else {
      markAcrossTiles(rows, onNew: onNew)
      return
    }
    let tileColumn = Int(firstColumn) >> 6
    // Sound: the guard leaves room for four rows in the band of 16, and bands never move.
    let words =
      table.state.pointee.recent(
        row: firstRow, tileColumn: tileColumn, tileColumnCount: tileColumnCount)
      + (firstRow & (TileTable.rows - 1))
    let new0 = Coverage.bits(rows.low[0], rows.high[0]) & ~words[0]
    let new1 = Coverage.bits(rows.low[1], rows.high[1]) & ~words[1]
    let new2 = Coverage.bits(rows.low[2], rows.high[2]) & ~words[2]
    let new3 = Coverage.bits(rows.low[3], rows.high[3]) & ~words[3]
    if new0 | new1 | new2 | new3 == 0 { return }
    let new = SIMD4(new0, new1, new2, new3)
    for row in 0..<4 where new[row] != 0 {
      words[row] |= new[row]
      count &+= new[row].nonzeroBitCount
      onNew(firstRow + row, tileColumn, new[row])
    }
  }

  /// The bits of columns `low..<high` of one tile.
  @inline(__always)
  private static func bits(_ low: Int32, _ high: Int32) -> UInt64 {
    (1 &<< UInt64(truncatingIfNeeded: high)) &- (1 &<< UInt64(truncatingIfNeeded: low))
  }

  /// Adds a disc that lies in at most two by two tiles.
  @inline(__always)
  private mutating func markAcrossTiles(
    _ rows: DiscKernel.Rows, onNew: (_ row: Int, _ tileColumn: Int, _ bits: UInt64) -> Void
  ) {
    let low = rows.low
    let high = rows.high
    let firstRow = Int(rows.firstRow)
    // The widest row is one of the two in the middle.
    let firstColumn = Int(min(low[1], low[2])) >> 6
    let lastColumn = Int(max(high[1], high[2]) - 1) >> 6
    for tileColumn in firstColumn...lastColumn {
      let base = Int32(tileColumn << 6)
      for index in 0..<4 {
        let start = UInt64(max(0, min(64, low[index] - base)))
        let end = UInt64(max(0, min(64, high[index] - base)))
        let mask: UInt64 = (1 << end) &- (1 << start)
        if mask == 0 { continue }
        let row = firstRow + index
        // Sound: the number of a row in its band is below 16, the words of a band.
        let word =
          table.state.pointee.recent(
            row: row, tileColumn: tileColumn, tileColumnCount: tileColumnCount)
          + (row & (TileTable.rows - 1))
        let new = mask & ~word.pointee
        if new == 0 { continue }
        word.pointee |= new
        count &+= new.nonzeroBitCount
        onNew(row, tileColumn, new)
      }
    }
  }

  /// Adds a disc by the exact rule.
  @inline(never)
  private mutating func markExactly(
    around coordinate: Coordinate, onNew: (_ row: Int, _ tileColumn: Int, _ bits: UInt64) -> Void
  ) {
    ExactDisc(grid: grid, around: coordinate).forEachSpan { row, columns in
      markSpan(row: row, columns: columns, onNew: onNew)
    }
  }

  /// Adds neighboring cells of one row.
  ///
  /// - Precondition: the grid has the cells, and there is at least one.
  package mutating func insert(row: Int, columns: Range<Int>) {
    precondition(
      (0..<grid.rowCount).contains(row) && !columns.isEmpty && columns.lowerBound >= 0
        && columns.upperBound <= grid.columnCount, "cells of another grid")
    makeUnique()
    markSpan(row: row, columns: columns) { _, _, _ in }
  }

  /// Adds neighboring cells of one row.
  @inline(__always)
  private mutating func markSpan(
    row: Int, columns: Range<Int>, onNew: (_ row: Int, _ tileColumn: Int, _ bits: UInt64) -> Void
  ) {
    let last = columns.upperBound - 1
    for tileColumn in columns.lowerBound >> 6...last >> 6 {
      var mask = ~UInt64(0)
      if tileColumn == columns.lowerBound >> 6 { mask &= ~0 << UInt64(columns.lowerBound & 63) }
      if tileColumn == last >> 6 { mask &= ~0 >> UInt64(63 - last & 63) }
      // Sound: the number of a row in its band is below 16, the words of a band.
      let word =
        table.state.pointee.recent(
          row: row, tileColumn: tileColumn, tileColumnCount: tileColumnCount)
        + (row & (TileTable.rows - 1))
      let new = mask & ~word.pointee
      if new != 0 {
        word.pointee |= new
        count += new.nonzeroBitCount
        onNew(row, tileColumn, new)
      }
    }
  }
}
