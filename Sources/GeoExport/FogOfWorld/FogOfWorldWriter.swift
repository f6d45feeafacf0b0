import ByteStreams
import Geodesy
import GridHash

/// Turns explored cells into the files of a `Sync` folder of Fog of World.
///
/// A pixel is explored if a cell that it gives is (`Grid.columns(ofMercatorColumn:of:)`): with an
/// exploration radius of 20 m or more, the cell that contains its center. So the same cells come
/// back when the files are imported with the same radius. Cells beyond 85.05° are not on the map.
///
/// - Complexity: O(explored pixels / 64 + runs of cells).
/// - Memory: the tiles of one row of tiles, 516 bytes for each explored block, and those that are
///   compressed at once again (``FogOfWorldPress``).
package final class FogOfWorldWriter {
  private let grid: Grid
  private let sink: (_ name: String, _ bytes: [UInt8]) throws(ExportFailure) -> Void
  private let press: FogOfWorldPress
  /// The tiles that are not complete, by their number.
  private var tiles: [Int: FogOfWorldTile] = [:]
  private var tileRow = -1
  /// The rows of pixels of the current row of tiles of cells, from south to north: those that
  /// follow each other and give the same rows of cells, with these.
  private var bands: [(pixels: Range<Int>, cells: Range<Int>)] = []
  /// The number of explored pixels in the files so far.
  package private(set) var pixelCount = 0

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - country: the code of the country at a position (ISO 3166-1 alpha-2); nil for none. Called
  ///     on several threads at once.
  ///   - sink: gets the name and the bytes of each file, those of the south first.
  /// - Throws: ``ExportFailure`` if there is not enough memory.
  package init(
    grid: Grid, country: @escaping @Sendable (Coordinate) -> String?,
    _ sink: @escaping (_ name: String, _ bytes: [UInt8]) throws(ExportFailure) -> Void
  ) throws(ExportFailure) {
    (self.grid, self.sink) = (grid, sink)
    do throws(StreamError) {
      press = try FogOfWorldPress(country: country)
    } catch {
      throw .failed(reason: error.message)
    }
  }

  /// Adds the cells of a tile.
  ///
  /// - Precondition: keys ascend from call to call, and the grid accepts the tile.
  package func add(_ tile: Tile, at key: Int64) throws(ExportFailure) {
    let (row, column) = Int(key).quotientAndRemainder(dividingBy: grid.tileColumnCount)
    if row != tileRow {
      tileRow = row
      bands = bandsOfPixels(ofTileRow: row)
      try writeTiles(southOf: bands.first.map { $0.pixels.upperBound - 1 } ?? .max)
    }
    let columns = PixelColumns(grid: grid, firstColumn: column << 6)
    for (pixels, cells) in bands {
      var word: UInt64 = 0
      for cell in cells { word |= tile[row: cell - row << 6] }
      while word != 0 {
        let first = word.trailingZeroBitCount
        let end = first + (~(word >> UInt64(first))).trailingZeroBitCount
        explore(columns.pixels(ofColumns: first..<min(64, end)), rows: pixels)
        word &= end >= 64 ? 0 : ~0 << UInt64(end)
      }
    }
  }

  /// Writes the files that are left.
  package func finish() throws(ExportFailure) { try writeTiles(southOf: -1) }

  /// The rows of pixels that give rows of cells of a row of tiles.
  private func bandsOfPixels(ofTileRow row: Int) -> [(pixels: Range<Int>, cells: Range<Int>)] {
    let world = FogOfWorldTile.pixelsAcrossWorld
    let own = row << 6..<min(row << 6 + 64, grid.rowCount)
    func pixel(atRow row: Int) -> Int {
      let latitude = grid.latitudeDegrees(of: CellCorner(x: 0, y: Int32(row)))
      return Int(
        (WebMercator.y(latitudeDegrees: latitude) * Double(world)).rounded(.down))
    }
    let first = max(0, pixel(atRow: own.upperBound) - 2)
    let last = min(world - 1, pixel(atRow: own.lowerBound) + 2)
    guard first <= last else { return [] }
    var bands: [(pixels: Range<Int>, cells: Range<Int>)] = []
    for pixel in (first...last).reversed() {
      let cells = grid.rows(ofMercatorRow: pixel, of: world).clamped(to: own)
      if cells.isEmpty { continue }
      if let band = bands.last, band.cells == cells, band.pixels.lowerBound == pixel + 1 {
        bands[bands.count - 1].pixels = pixel..<band.pixels.upperBound
      } else {
        bands.append((pixel..<pixel + 1, cells))
      }
    }
    return bands
  }

  /// Explores a rectangle of pixels of the map.
  private func explore(_ columns: Range<Int>, rows: Range<Int>) {
    let width = FogOfWorldTile.width
    var y = rows.lowerBound
    while y < rows.upperBound {
      let (tileRow, top) = y.quotientAndRemainder(dividingBy: width)
      let height = min(width - top, rows.upperBound - y)
      var x = columns.lowerBound
      while x < columns.upperBound {
        let (tileColumn, start) = x.quotientAndRemainder(dividingBy: width)
        let count = min(width - start, columns.upperBound - x)
        let number = tileRow * FogOfWorldTile.tilesAcrossWorld + tileColumn
        tiles[number, default: FogOfWorldTile(row: tileRow, column: tileColumn)]
          .explore(start..<start + count, rows: top..<top + height)
        x += count
      }
      y += height
    }
  }

  /// Writes the tiles that lie wholly south of a row of pixels.
  private func writeTiles(southOf pixelRow: Int) throws(ExportFailure) {
    var complete: [FogOfWorldTile] = []
    for number in tiles.keys.sorted() {
      guard let tile = tiles[number], tile.row * FogOfWorldTile.width > pixelRow else { continue }
      tiles[number] = nil
      complete.append(tile)
    }
    try press.compress(complete) { (tile, bytes) throws(ExportFailure) in
      pixelCount += tile.pixelCount
      try sink(tile.name, bytes)
    }
  }
}

/// The columns of pixels that give each of 64 columns of cells.
private struct PixelColumns {
  private var first: [Int] = []
  private var end: [Int] = []

  init(grid: Grid, firstColumn: Int) {
    let world = FogOfWorldTile.pixelsAcrossWorld
    // Not east of the first pixel that gives a column, nor of the first that only gives columns
    // from that one on: both begin at most half a pixel west of the column.
    func pixelBefore(column: Int) -> Int {
      guard column < grid.columnCount else { return world - 1 }
      let west = grid.longitudeDegrees(of: CellCorner(x: Int32(column), y: 0))
      return max(0, Int((west + 180) / 360 * Double(world)) - 1)
    }
    var next = pixelBefore(column: firstColumn)
    for column in firstColumn..<min(firstColumn + 64, grid.columnCount) {
      var pixel = next
      while pixel < world, grid.columns(ofMercatorColumn: pixel, of: world).upperBound <= column {
        pixel += 1
      }
      first.append(pixel)
      next = pixelBefore(column: column + 1)
      pixel = max(pixel, next)
      while pixel < world, grid.columns(ofMercatorColumn: pixel, of: world).lowerBound <= column {
        pixel += 1
      }
      end.append(pixel)
    }
  }

  /// The pixels that give a run of columns, counted from the first.
  func pixels(ofColumns columns: Range<Int>) -> Range<Int> {
    first[columns.lowerBound]..<max(first[columns.lowerBound], end[columns.upperBound - 1])
  }
}
