import GridHash

/// The explored cells of a map page, by the day on which each was explored first.
///
/// `docs/formats/map-page.md` describes the bytes.
package struct PageCells: Sendable {
  /// The day that stands for no day. Days are counted so that 1970-01-01 is 719 528, which makes
  /// every day after the year 0 positive.
  package static let noDay = 0
  /// The number of 1970-01-01.
  package static let dayOf1970 = 719_528

  private let grid: Grid
  /// For each square of 64 × 64 cells, its groups of cells.
  private var squares: [Int64: [Group]] = [:]
  /// The number of runs of cells, which the reader needs for its memory.
  private var runs = 0
  private var groups = 0

  private struct Group {
    let day: Int
    let bytes: [UInt8]
  }

  /// Creates an empty set of cells.
  package init(grid: Grid) { self.grid = grid }

  /// Adds the cells of a square that were explored first on a day.
  ///
  /// A day may come more than once for a square. No cell may be added twice.
  package mutating func add(_ tile: Tile, at key: Int64, day: Int) {
    guard !tile.isEmpty else { return }
    squares[key, default: []].append(Group(day: day, bytes: tile.rowBytes))
    groups += 1
    for row in 0..<64 {
      let word = tile[row: row]
      runs += (word & ~(word << 1)).nonzeroBitCount
    }
  }

  /// The bytes, not yet deflated.
  package var bytes: [UInt8] {
    var writer = VarintWriter()
    for value in [1, grid.explorationRadiusMillimeters, squares.count, groups, runs] {
      writer.append(value)
    }
    var last: Int64 = 0
    for key in squares.keys.sorted() {
      writer.append(Int(key - last))
      last = key
      let groups = (squares[key] ?? []).sorted { $0.day < $1.day }
      writer.append(groups.count)
      var day = 0
      for group in groups {
        writer.append(group.day - day)
        day = group.day
        writer.append(contentsOf: group.bytes)
      }
    }
    return writer.bytes
  }
}
