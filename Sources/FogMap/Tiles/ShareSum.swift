/// A run of explored cells, in pixels from the western edge of a tile.
struct PixelRun {
  let start: Double
  let end: Double
}

/// Adds up how much of each pixel of a tile is explored.
///
/// A run of cells covers part of a pixel at each end and all pixels between. The ends are added to
/// their pixels; what lies between is added as a difference at its first pixel and taken off after
/// its last one, so that a run takes the same time whatever its length.
struct ShareSum {
  private let pixels: Int
  /// For each row of pixels the parts at the ends of runs, then the differences, of which there is
  /// one more than there are pixels. A row without runs is empty: most tiles have many.
  private var rows: [[Double]]

  init(pixels: Int) {
    self.pixels = pixels
    rows = [[Double]](repeating: [], count: pixels)
  }

  /// Adds a run to a row of pixels.
  ///
  /// - Parameter height: the share of the row's height that the run covers, 0...1.
  mutating func add(_ run: PixelRun, row: Int, height: Double) {
    if rows[row].isEmpty { rows[row] = [Double](repeating: 0, count: 2 * pixels + 1) }
    let first = Int(run.start)
    let last = Int(run.end)
    if first == last {
      rows[row][first] += height * (run.end - run.start)
      return
    }
    rows[row][first] += height * (Double(first + 1) - run.start)
    if last < pixels { rows[row][last] += height * (run.end - Double(last)) }
    rows[row][pixels + first + 1] += height
    rows[row][pixels + last] -= height
  }

  /// The shares in bytes, row by row from the north: 0 where nothing is explored, 255 where all is,
  /// 1...254 in between.
  func bytes() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: pixels * pixels)
    for (number, row) in rows.enumerated() where !row.isEmpty {
      var between = 0.0
      for column in 0..<pixels {
        between += row[pixels + column]
        let share = between + row[column]
        if share != 0 { bytes[number * pixels + column] = Self.byte(share) }
      }
    }
    return bytes
  }

  /// A share as a byte. Sums of doubles miss 0 and 1 by less than 1e-9.
  static func byte(_ share: Double) -> UInt8 {
    if share < 1e-9 { return 0 }
    if share > 1 - 1e-9 { return 255 }
    return UInt8(max(1, min(254, Int(share * 255 + 0.5))))
  }
}
