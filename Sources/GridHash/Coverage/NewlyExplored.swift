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
  private let counted: Coverage?
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
    counted = nil
  }

  /// Creates a tally that ignores the cells of a coverage, such as those explored earlier or by
  /// other means.
  ///
  /// - Parameters:
  ///   - coverage: the cells to ignore.
  ///   - box: counts only cells in it; nil for all.
  ///   - counted: counts only these cells; nil for all.
  /// - Precondition: all have the same grid.
  package init(
    beyond coverage: Coverage, countingIn box: CellBox? = nil, only counted: Coverage? = nil
  ) {
    precondition(box.map { $0.grid == coverage.grid } ?? true, "cells of two grids")
    precondition(counted.map { $0.grid == coverage.grid } ?? true, "cells of two grids")
    self.coverage = coverage
    self.box = box
    self.counted = counted
  }

  /// Explores the disc around a kept fix of a period.
  package mutating func mark(discAround coordinate: Coordinate, in period: Period?) {
    if period != current { settle(period) }
    let grid = coverage.grid
    let (box, counted) = (box, counted)
    coverage.mark(discAround: coordinate) { row, firstColumn, bits in
      var bits = bits
      if let box { bits &= box.mask(row: Int(row), firstColumn: Int(firstColumn)) }
      if let counted { bits &= counted.bits(row: row, firstColumn: firstColumn) }
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
    var gained = box.map { new.intersection($0) } ?? new
    if let counted { gained = gained.intersection(counted) }
    currentGain += CoverageGain(cells: gained.count, areaSquareMeters: gained.areaSquareMeters)
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
