/// A square of cells.
///
/// ```swift
/// let coverage = try await explorer.read { try $0.coverage() }
/// if let square = coverage.largestSquare { print("max square: \(square.side) × \(square.side)") }
/// ```
public struct CellSquare: Hashable, Sendable {
  /// The number of rows, and of columns, of the square.
  public let side: Int
  /// The southwestern cell. Columns continue from there eastwards, across ±180° if necessary.
  public let southWest: Cell
}

extension Coverage {
  /// The largest square of explored cells, known as "max square" in explorer tiles; nil if nothing
  /// is explored. If several are equally large, the one whose northeastern corner comes first by
  /// row, then by column counted on across ±180°.
  ///
  /// The size is counted in cells: on the ground the square is cos(latitude) times as wide as it is
  /// high.
  ///
  /// - Complexity: O(cells) time; memory for two rows.
  public var largestSquare: CellSquare? {
    var search = LargestSquareSearch(columnCount: Int32(grid.columnCount))
    for (row, runs) in CoverageRows(self) { search.add(row: row, runs) }
    return search.best
  }
}

/// Finds the largest square in rows that are added from south to north.
///
/// - Memory: two rows.
struct LargestSquareSearch: Sendable {
  private let columnCount: Int32
  private var below = SquareRow()
  /// The largest square so far.
  private(set) var best: CellSquare?

  /// Creates a search without rows.
  init(columnCount: Int32) { self.columnCount = columnCount }

  /// Adds the next row with cells.
  mutating func add(row: Int, _ runs: Runs) {
    if below.row != row - 1 { below = SquareRow() }
    let current = SquareRow(
      row: row, runs: SquareRow.unrolled(runs, columnCount: columnCount), below: below)
    if let largest = current.largest, largest.side > best?.side ?? 0 {
      let column = largest.column - Int32(largest.side) + 1
      let southWest = Cell(
        row: Int32(row - largest.side + 1), column: (column + columnCount) % columnCount)
      best = CellSquare(side: largest.side, southWest: southWest)
    }
    below = current
  }
}

/// For each explored cell of a row, the side of the largest explored square with that cell as its
/// northeastern corner.
struct SquareRow: Sendable {
  private(set) var row = -2
  private var runs: Runs = []
  /// The sides, run by run.
  private var sides: [Int32] = []
  /// The largest side, and the first column that has it.
  private(set) var largest: (side: Int, column: Int32)?

  init() {}

  /// A row crossed by ±180°, with the cells from 180° W repeated beyond 180° E, so that a square
  /// across it is found in one piece.
  static func unrolled(_ runs: Runs, columnCount: Int32) -> Runs {
    guard let first = runs.first, let last = runs.last, first.lowerBound == 0,
      last.upperBound == columnCount
    else { return runs }
    return runs.dropLast() + [last.lowerBound..<columnCount + first.upperBound]
  }

  /// side = 1 + the smallest of the sides of the western, southern and southwestern neighbors.
  init(row: Int, runs: Runs, below: SquareRow) {
    self.row = row
    self.runs = runs
    sides.reserveCapacity(runs.reduce(0) { $0 + $1.count })
    var k = 0  // the run below that ends at or behind the column
    var offset = 0  // of its first side
    for run in runs {
      var west: Int32 = 0
      var southWest: Int32 = 0  // unused where the western side is 0
      for column in run {
        while k < below.runs.count, below.runs[k].upperBound <= column {
          offset += below.runs[k].count
          k += 1
        }
        let isBelow = k < below.runs.count && below.runs[k].lowerBound <= column
        let south = isBelow ? below.sides[offset + Int(column - below.runs[k].lowerBound)] : 0
        let side = 1 + min(west, min(south, southWest))
        sides.append(side)
        if Int(side) > largest?.side ?? 0 { largest = (Int(side), column) }
        west = side
        southWest = south
      }
    }
  }

  /// Calls `body` with the columns that have this side.
  func forEachColumn(withSide side: Int, _ body: (Int32) -> Void) {
    var offset = 0
    for run in runs {
      for column in run {
        if Int(sides[offset]) == side { body(column) }
        offset += 1
      }
    }
  }
}
