/// What is missing for a larger square of explorer tiles.
///
/// ```swift
/// let report = try await explorer.explorerTileReport(ExplorerTileQuery(zoom: 14))
/// if let growth = report.growth {
///   let missing = growth.squares.first?.tiles.filter { !report.tiles.contains($0) } ?? []
///   print("a square of \(growth.side) lacks \(growth.missingCount):", missing)
/// }
/// ```
public struct ExplorerSquareGrowth: Hashable, Sendable {
  /// The side of the larger square: one more than that of the largest square.
  public let side: Int
  /// The smallest number of tiles that such a square lacks.
  public let missingCount: Int
  /// All squares that lack this number of tiles, ordered by their northwestern tile.
  public let squares: [ExplorerSquare]
}

extension ExplorerTileSet {
  /// The squares, one larger than the largest one, that lack the fewest tiles; nil if the set is
  /// empty, or is the whole map.
  ///
  /// A largest square of side n can grow by a row and a column, so at most 2 n + 1 tiles of the
  /// larger square are missing: fewer than two in a row, on average. So only places with a row that
  /// lacks at most one tile are examined.
  ///
  /// - Complexity: O(p log p + p log r) for p such rows of squares and r runs in a row; p is at
  ///   most the number of tiles where the square is small, and far fewer where it is large.
  package func squareGrowth(beyond largest: LargestExplorerSquares?) -> ExplorerSquareGrowth? {
    guard let largest, largest.side < columnCount else { return nil }
    let side = largest.side + 1
    let search = GrowthSearch(self, side: side)
    var (least, corners) = (Int.max, [ExplorerTile]())
    search.forEachSquare { x, y, missing in
      if missing > least { return }
      if missing < least { (least, corners) = (missing, []) }
      corners.append(ExplorerTile(uncheckedZoom: zoom, x: x, y: y))
    }
    guard !corners.isEmpty else { return nil }
    return ExplorerSquareGrowth(
      side: side, missingCount: least,
      squares: corners.sorted().map { ExplorerSquare(side: side, northWest: $0) })
  }
}

/// Counts the missing tiles of squares that have a row that lacks at most one tile.
private struct GrowthSearch {
  private let tiles: ExplorerTileSet
  private let side: Int
  private let columnCount: Int
  /// For each row with tiles, its runs with the columns repeated beyond 180° E.
  private var rows: [Int: Row] = [:]

  private struct Row {
    let runs: Runs
    /// The number of tiles before each run.
    var before: [Int] = []

    init(runs: Runs) {
      self.runs = runs
      var sum = 0
      for run in runs {
        before.append(sum)
        sum += run.count
      }
    }

    /// The number of tiles in columns below a column.
    func count(below column: Int) -> Int {
      var (low, high) = (0, runs.count)
      while low < high {
        let middle = (low + high) / 2
        if Int(runs[middle].lowerBound) < column { low = middle + 1 } else { high = middle }
      }
      guard low > 0 else { return 0 }
      let run = runs[low - 1]
      return before[low - 1] + min(column - Int(run.lowerBound), run.count)
    }
  }

  init(_ tiles: ExplorerTileSet, side: Int) {
    (self.tiles, self.side, columnCount) = (tiles, side, tiles.columnCount)
    let (columns, width) = (Int32(columnCount), Int32(side))
    for row in tiles.rows {
      var runs = row.runs
      for run in row.runs.prefix(while: { $0.lowerBound < width }) {
        RunAlgebra.append(
          run.lowerBound + columns..<min(run.upperBound, width) + columns, to: &runs)
      }
      rows[row.y] = Row(runs: runs)
    }
  }

  /// Calls `body` once with the northwestern column and row of each square, and the number of tiles
  /// that it lacks.
  func forEachSquare(_ body: (_ x: Int, _ y: Int, _ missing: Int) -> Void) {
    let candidates = candidates()
    var next = 0
    while next < candidates.count {
      let x = candidates[next].x
      // The northern rows of squares at this column, as ascending ranges.
      var range: Range<Int>?
      while next < candidates.count, candidates[next].x == x {
        let y = candidates[next].y
        let tops = max(0, y - side + 1)..<min(y, columnCount - side) + 1
        if let open = range, tops.lowerBound <= open.upperBound {
          range = open.lowerBound..<max(open.upperBound, tops.upperBound)
        } else {
          if let range { count(x, range, body) }
          range = tops
        }
        next += 1
      }
      if let range { count(x, range, body) }
    }
  }

  /// The column and the row of each row of a square that lacks at most one tile, by column.
  private func candidates() -> [(x: Int, y: Int)] {
    var found: [(x: Int, y: Int)] = []
    for (y, row) in rows {
      func add(_ first: Int, _ last: Int) {
        guard first <= last else { return }
        for x in first...last {
          found.append((x < 0 ? x + columnCount : x >= columnCount ? x - columnCount : x, y))
        }
      }
      for (index, run) in row.runs.enumerated() {
        let (start, end) = (Int(run.lowerBound), Int(run.upperBound))
        // In the run, or with one tile beyond one of its ends.
        add(start - 1, end - side + 1)
        // Around a single missing tile.
        if index + 1 < row.runs.count, Int(row.runs[index + 1].lowerBound) == end + 1 {
          add(max(start, end - side + 1), min(end, Int(row.runs[index + 1].upperBound) - side))
        }
      }
    }
    found.sort { ($0.x, $0.y) < ($1.x, $1.y) }
    return found
  }

  private func count(_ x: Int, _ tops: Range<Int>, _ body: (Int, Int, Int) -> Void) {
    func tiles(inRow y: Int) -> Int {
      rows[y].map { $0.count(below: x + side) - $0.count(below: x) } ?? 0
    }
    var sum = 0
    for y in tops.lowerBound..<tops.lowerBound + side { sum += tiles(inRow: y) }
    for top in tops {
      body(x, top, side * side - sum)
      if top + 1 < tops.upperBound { sum += tiles(inRow: top + side) - tiles(inRow: top) }
    }
  }
}
