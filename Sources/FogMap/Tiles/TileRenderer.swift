import GridHash

/// Renders the tiles of the fog map from a coverage.
///
/// The coverage is taken as it is when the renderer is made; what is explored later is not shown.
package struct TileRenderer: Sendable {
  private let coverage: Coverage
  private let keys: [Int64]
  private let tileColumns: Int
  /// The step of the grid in degrees.
  private let step: Double

  /// Creates a renderer.
  ///
  /// - Complexity: O(t log t) for the t squares of 64 × 64 cells that have explored cells.
  package init(_ coverage: Coverage) {
    self.coverage = coverage
    keys = coverage.tileKeys
    tileColumns = coverage.grid.tileColumnCount
    step = coverage.grid.stepDegrees
  }

  /// The explored share of each pixel's area: a byte for each, row by row from the north-western
  /// corner. 0 is an unexplored pixel, 255 a fully explored one. Pixels smaller than a cell show
  /// the exact cells.
  ///
  /// - Parameters:
  ///   - tile: the tile.
  ///   - pixels: the pixels along each side, 1...4096.
  /// - Returns: the shares; nil if nothing in the tile is explored, or `pixels` is out of range.
  /// - Complexity: O(pixels² + runs of explored cells in the tile × the rows of pixels of each).
  package func shares(of tile: MapTile, pixels: Int = 256) -> [UInt8]? {
    guard 1...4096 ~= pixels else { return nil }
    let grid = PixelGrid(tile, pixels: pixels)
    let columns = cells(from: grid.west, to: grid.west + 360 / Double(1 << tile.zoom), of: 360)
    let south = latitude(ofSine: grid.sines[pixels]) + 90
    let north = latitude(ofSine: grid.sines[0]) + 90
    let rows = cells(from: south, to: north, of: 180)
    var sum: ShareSum?
    var runs: [PixelRun] = []
    // The row of pixels in which the southern edge of a row of cells lies; it moves northwards.
    var bottom = pixels - 1
    for tileRow in rows.lowerBound >> 6...rows.upperBound >> 6 {
      let found = squares(inRow: tileRow, columns.lowerBound >> 6...columns.upperBound >> 6)
      if found.isEmpty { continue }
      for row in 0..<64 where rows.contains(tileRow << 6 + row) {
        findRuns(inRow: row, of: found, grid, pixels: pixels, &runs)
        if runs.isEmpty { continue }
        let edges = sines(ofRow: tileRow << 6 + row)
        while bottom > 0, grid.sines[bottom] <= edges.south { bottom -= 1 }
        var pixelRow = bottom
        while pixelRow >= 0, grid.sines[pixelRow + 1] < edges.north {
          let (top, base) = (grid.sines[pixelRow], grid.sines[pixelRow + 1])
          let height = (min(edges.north, top) - max(edges.south, base)) / (top - base)
          if height > 0 {
            if sum == nil { sum = ShareSum(pixels: pixels) }
            for run in runs { sum?.add(run, row: pixelRow, height: height) }
          }
          pixelRow -= 1
        }
      }
    }
    let bytes = sum?.bytes()
    return bytes?.contains { $0 != 0 } == true ? bytes : nil
  }

  /// Replaces `runs` by the runs of explored cells in a row of squares, as far as they are in the
  /// tile.
  private func findRuns(
    inRow row: Int, of squares: [(column: Int, square: Tile)], _ grid: PixelGrid, pixels: Int,
    _ runs: inout [PixelRun]
  ) {
    runs.removeAll(keepingCapacity: true)
    for (column, square) in squares {
      Self.forEachRun(square[row: row]) { first, end in
        let west = min(Double(column << 6 + first) * step, 360) - grid.west
        let east = min(Double(column << 6 + end) * step, 360) - grid.west
        let run = PixelRun(
          start: max(west / grid.width, 0), end: min(east / grid.width, Double(pixels)))
        if run.start < run.end { runs.append(run) }
      }
    }
  }

  /// The rows or columns of cells between two angles in degrees from the first one's edge.
  private func cells(from low: Double, to high: Double, of total: Double) -> ClosedRange<Int> {
    let last = Int((total / step).rounded(.up)) - 1
    let first = max(0, min(Int(low / step), last))
    return first...max(first, min(Int(high / step), last))
  }

  /// The squares of 64 × 64 cells of a row that have explored cells, in a range of columns.
  private func squares(
    inRow row: Int, _ columns: ClosedRange<Int>
  ) -> [(column: Int, square: Tile)] {
    let low = Int64(row * tileColumns + columns.lowerBound)
    let high = Int64(row * tileColumns + min(columns.upperBound, tileColumns - 1))
    var index = firstKey(from: low)
    var found: [(column: Int, square: Tile)] = []
    while index < keys.count, keys[index] <= high {
      if let square = coverage.tile(at: keys[index]) {
        found.append((Int(keys[index]) - row * tileColumns, square))
      }
      index += 1
    }
    return found
  }

  private func firstKey(from wanted: Int64) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The sines of the latitudes of a row's edges.
  private func sines(ofRow row: Int) -> (south: Double, north: Double) {
    func edge(_ row: Int) -> Double {
      sine((min(Double(row) * step, 180) - 90) * .pi / 180)
    }
    return (edge(row), edge(row + 1))
  }

  private func latitude(ofSine sine: Double) -> Double { arcSine(sine) * 180 / .pi }

  /// Calls `body` with each run of set bits: its first bit and the one after its last.
  private static func forEachRun(_ word: UInt64, _ body: (Int, Int) -> Void) {
    var rest = word
    while rest != 0 {
      let first = rest.trailingZeroBitCount
      let length = (~(rest >> UInt64(first))).trailingZeroBitCount
      body(first, first + length)
      if first + length >= 64 { return }
      rest &= ~UInt64(0) << UInt64(first + length)
    }
  }
}
