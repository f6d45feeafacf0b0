import Geodesy

/// Computes the newly explored area by year, month, day, or any other period: each cell counts for
/// the period in which it was first explored.
///
/// Mark the kept fixes in order of their times. Mark fixes without a time last, with nil as the
/// period: cells that only they explored have no time. The periods together then contain all cells
/// of ``coverage``.
package struct NewlyExplored<Period: Hashable & Sendable>: Sendable {
  /// The coverage explored so far.
  package private(set) var coverage: Coverage
  private var settled: [Period?: CoverageGain] = [:]
  private var current: Period?
  private var currentGain = CoverageGain()
  private let box: CellBox?
  /// A cache of the areas of rows, by the low bits of the row.
  private var areas = [(row: Int32, squareMetersPerUnit: Double)](repeating: (-1, 0), count: 16)

  /// Creates a tally without explored cells.
  ///
  /// - Parameters:
  ///   - grid: the grid of the cells.
  ///   - box: counts only cells in it; nil for all.
  /// - Precondition: both have the same grid.
  package init(grid: Grid, countingIn box: CellBox? = nil) {
    precondition(box.map { $0.grid == grid } ?? true, "cells of two grids")
    coverage = Coverage(grid: grid)
    self.box = box
  }

  /// Creates a tally that ignores the cells of a coverage, such as those explored earlier or by
  /// other means.
  ///
  /// - Precondition: both have the same grid.
  package init(beyond coverage: Coverage) {
    self.coverage = coverage
    box = nil
  }

  /// Explores the disc around a kept fix of a period.
  package mutating func mark(discAround coordinate: Coordinate, in period: Period?) {
    if period != current { settle(period) }
    let grid = coverage.grid
    let box = box
    coverage.mark(discAround: coordinate) { row, firstColumn, bits in
      let bits = box.map { bits & $0.mask(row: Int(row), firstColumn: Int(firstColumn)) } ?? bits
      if bits == 0 { return }
      let place = Int(row & 15)
      if areas[place].row != row {
        areas[place] = (row, grid.areaPerUnitOfLongitude(row: Int(row)))
      }
      let units = grid.units(tileColumn: Int(firstColumn >> 6), bits: bits)
      currentGain.cells += bits.nonzeroBitCount
      currentGain.areaSquareMeters += areas[place].squareMetersPerUnit * Double(units)
    }
  }

  /// Adds cells without fixes to a period; nil if their time is unknown.
  ///
  /// - Precondition: both have the same grid.
  package mutating func add(_ cells: Coverage, in period: Period?) {
    if period != current { settle(period) }
    let new = cells.subtracting(coverage)
    let counted = box.map { new.intersection($0) } ?? new
    currentGain += CoverageGain(cells: counted.count, areaSquareMeters: counted.areaSquareMeters)
    coverage.formUnion(new)
  }

  private mutating func settle(_ next: Period?) {
    if currentGain.cells > 0 { settled[current, default: CoverageGain()] += currentGain }
    currentGain = CoverageGain()
    current = next
  }

  /// The new cells and their area by period; nil for cells without a time. Periods without new
  /// cells are left out.
  package var gains: [Period?: CoverageGain] {
    var copy = self
    copy.settle(nil)
    return copy.settled
  }
}
