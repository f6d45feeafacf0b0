/// A square of a ``Grid``, identified by its row from 90° S and its column from 180° W.
///
/// A cell does not store its grid: the same numbers identify another area on a grid of another
/// radius. Cells are ordered by row, then by column.
///
/// ```swift
/// let cell = Grid.standard.cell(containing: here)
/// print(cell.gridHash, Cell(gridHash: cell.gridHash) == cell)
/// ```
public struct Cell: Hashable, Comparable, Sendable {
  /// The row, counted northwards from 0 at 90° S.
  public let row: Int32
  /// The column, counted eastwards from 0 at 180° W.
  public let column: Int32

  /// Creates a cell from its numbers. `Grid.contains(_:)` checks whether a grid has it.
  @inlinable public init(row: Int32, column: Int32) {
    self.row = row
    self.column = column
  }

  /// Orders by row, then by column.
  @inlinable public static func < (left: Cell, right: Cell) -> Bool {
    (left.row, left.column) < (right.row, right.column)
  }
}

// MARK: - Hashes

extension Cell {
  /// Creates the cell of a hash; nil if the text is not exactly two numbers joined by `_`.
  ///
  /// Parsing is strict, so that each cell has exactly one hash: ASCII digits only, no sign, space
  /// or leading zero, and each number at most 2 147 483 647.
  public init?(gridHash: some StringProtocol) {
    var numbers: (Int32, Int32) = (0, 0)
    var digits = 0
    var isSecond = false
    for byte in gridHash.utf8 {
      if byte == UInt8(ascii: "_"), !isSecond, digits > 0 {
        isSecond = true
        numbers.0 = numbers.1
        numbers.1 = 0
        digits = 0
        continue
      }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits == 0 || numbers.1 > 0
      else { return nil }
      let (tens, overflowed) = numbers.1.multipliedReportingOverflow(by: 10)
      let (sum, overflowedAgain) = tens.addingReportingOverflow(Int32(byte - UInt8(ascii: "0")))
      if overflowed || overflowedAgain { return nil }
      numbers.1 = sum
      digits += 1
    }
    guard isSecond, digits > 0 else { return nil }
    self.init(row: numbers.0, column: numbers.1)
  }

  /// The cell's hash as in the Roqua app: `"row_column"`.
  public var gridHash: String { "\(row)_\(column)" }
}

extension Cell: CustomStringConvertible {
  /// The cell's hash.
  public var description: String { gridHash }
}
