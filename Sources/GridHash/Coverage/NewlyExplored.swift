import Geodesy

/// How much of each year, month, day, or whatever a period is, was new ground: each cell counts for
/// the period in which it was first explored.
///
/// Give it the kept fixes in order of their times. Fixes without a time come last, with nil for a
/// period: what only they explored has no time. The periods together then have all cells of
/// ``coverage``.
package struct NewlyExplored<Period: Hashable & Sendable>: Sendable {
  /// All that was explored so far.
  package private(set) var coverage: Coverage
  private var settled: [Period?: CoverageGain] = [:]
  private var current: Period?
  private var currentGain = CoverageGain()
  private let box: CellBox?
  /// Areas of rows that were just met, by the low bits of the row.
  private var areas = [(row: Int32, squareMetersPerUnit: Double)](repeating: (-1, 0), count: 16)

  /// Nothing explored yet.
  ///
  /// - Parameters:
  ///   - grid: the grid of the cells.
  ///   - box: count only cells in it; nil for all.
  /// - Precondition: both have the same grid.
  package init(grid: Grid, countingIn box: CellBox? = nil) {
    precondition(box.map { $0.grid == grid } ?? true, "cells of two grids")
    coverage = Coverage(grid: grid)
    self.box = box
  }

  /// Ground that is to count for no period: explored before, or by other means.
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

  /// Explores cells that came without fixes, in a period: nil where it is not known when.
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

  /// New cells and their area by period; nil for what has no time. Periods without new ground are
  /// left out.
  package var gains: [Period?: CoverageGain] {
    var copy = self
    copy.settle(nil)
    return copy.settled
  }
}
