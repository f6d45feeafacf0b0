import Geodesy

/// A set of explored cells of one grid.
///
/// Adding a cell twice changes nothing. Equality, iteration, area and the serial form do not depend
/// on the order in which cells were added. A copy is independent and shares memory until one of the
/// two changes.
///
/// Cells are stored as bits in sparse tiles of 64 × 64 cells (`Tile`), in quarters: about 2 bytes a
/// cell along tracks. No tile is empty.
///
/// ```swift
/// var mine = Coverage()
/// mine.mark(discAround: here)
/// let stored = try await store.read { snapshot in try snapshot.coverage() }
/// print(mine.subtracting(stored).areaSquareKilometers, "km² newly explored")
/// ```
///
/// `@unchecked Sendable`: the table is a class, but a table that a second value can see is never
/// changed (`makeUnique()` comes before every change), and reading changes nothing in it.
public struct Coverage: @unchecked Sendable {
  /// The grid of the cells.
  public let grid: Grid
  /// The number of explored cells.
  public internal(set) var count = 0
  var table = TileTable()
  /// State left by the last discs that makes the next ones faster; not part of the value.
  var kernel: DiscKernel
  /// The grid's value, kept for fast access.
  let tileColumnCount: Int

  /// Creates a coverage without cells.
  public init(grid: Grid = .standard) {
    self.grid = grid
    kernel = DiscKernel(grid: grid)
    tileColumnCount = grid.tileColumnCount
  }

  /// True if nothing is explored.
  public var isEmpty: Bool { count == 0 }

  /// The number of tiles that contain a cell.
  ///
  /// - Complexity: O(tiles · log tiles), since only quarters are stored and the tiles must be
  ///   counted.
  package var tileCount: Int { orderedKeys.count }

  /// The memory of the tiles and their table in bytes: 128 for each quarter of a tile that contains
  /// a cell, in chunks of 16, and 13 to 17 for finding it.
  public var memoryBytes: Int { table.state.pointee.memoryBytes }

  /// Makes this value the only owner of its table, before a change.
  @inline(__always)
  mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&table) { table = table.copy() }
  }

  /// Returns true if a cell is explored; false if the grid does not have the cell.
  ///
  /// - Complexity: O(1).
  public func contains(_ cell: Cell) -> Bool {
    guard grid.contains(cell) else { return false }
    let key = TileTable.State.key(ofTile: grid.tileKey(of: cell), row: Int(cell.row))
    guard let words = table.state.pointee.find(key) else { return false }
    // Sound: the number of a row in its band is below `rows`, the words of a band.
    return words[Int(cell.row) & (TileTable.rows - 1)] >> UInt64(cell.column & 63) & 1 == 1
  }

  /// The explored cells of a row among the 64 columns of a tile, as bits: bit 0 is `firstColumn`.
  ///
  /// - Precondition: the grid has the cell, and `firstColumn` is a multiple of 64.
  /// - Complexity: O(1).
  func bits(row: Int32, firstColumn: Int32) -> UInt64 {
    let cell = Cell(row: row, column: firstColumn)
    let key = TileTable.State.key(ofTile: grid.tileKey(of: cell), row: Int(row))
    guard let words = table.state.pointee.find(key) else { return 0 }
    // Sound: the number of a row in its band is below `rows`, the words of a band.
    return words[Int(row) & (TileTable.rows - 1)]
  }

  /// Adds one cell. Returns true if it is new.
  ///
  /// - Precondition: the grid has the cell (check cells of unknown origin with
  ///   `Grid.contains(_:)`).
  @discardableResult
  public mutating func insert(_ cell: Cell) -> Bool {
    precondition(grid.contains(cell), "a cell of another grid")
    makeUnique()
    let key = TileTable.State.key(ofTile: grid.tileKey(of: cell), row: Int(cell.row))
    // Sound: the number of a row in its band is below `rows`, the words of a band.
    let word = table.state.pointee.findOrAdd(key) + (Int(cell.row) & (TileTable.rows - 1))
    let bit: UInt64 = 1 << UInt64(cell.column & 63)
    guard word.pointee & bit == 0 else { return false }
    word.pointee |= bit
    count += 1
    return true
  }

  /// The tile with this key; nil if nothing in it is explored.
  package func tile(at key: Int64) -> Tile? {
    // Sound: a tile has 64 words; they are initialized here, and the tile gets a copy.
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { buffer in
      guard let rows = buffer.baseAddress else { return nil }
      rows.initialize(repeating: 0, count: 64)
      return table.state.pointee.copyTile(key, into: rows) ? Tile(copying: rows) : nil
    }
  }

  /// Adds the cells of a tile, such as a stored one, and returns the number of new cells.
  ///
  /// - Precondition: the key and every set bit are of the grid (``Grid/accepts(_:at:)``).
  @discardableResult
  package mutating func insert(_ tile: Tile, at key: Int64) -> Int {
    precondition(grid.accepts(tile, at: key), "a tile of another grid")
    if tile.isEmpty { return 0 }
    makeUnique()
    let added = tile.withWords { rows in
      var added = 0
      for band in 0..<TileTable.bands {
        // Sound: `rows` points to the 64 words of the tile, `bands` times `rows` of them.
        let source = rows + band * TileTable.rows
        if Coverage.count(source, TileTable.rows) == 0 { continue }
        let words = table.state.pointee.findOrAdd(TileTable.State.key(ofTile: key, band: band))
        for row in 0..<TileTable.rows {
          added += (source[row] & ~words[row]).nonzeroBitCount
          words[row] |= source[row]
        }
      }
      return added
    }
    count += added
    return added
  }
}

extension Grid {
  /// Returns true if a tile is valid at a key: the grid has the key, and all set bits are cells of
  /// the grid.
  package func accepts(_ tile: Tile, at key: Int64) -> Bool {
    tile.withWords { acceptsWords($0, at: key) }
  }

  // Sound: `words` points to the 64 words of a tile, which the caller keeps alive.
  func acceptsWords(_ words: UnsafePointer<UInt64>, at key: Int64) -> Bool {
    guard (0..<Int64(tileCount)).contains(key) else { return false }
    let first = firstCell(ofTile: key)
    if Int(first.row) + 64 <= rowCount, Int(first.column) + 64 <= columnCount { return true }
    return (0..<64).allSatisfy { words[$0] & ~validBits(ofTile: key, row: $0) == 0 }
  }
}

extension Coverage: Equatable {
  /// Returns true if both have the same grid and the same cells.
  public static func == (left: Coverage, right: Coverage) -> Bool {
    let mine = left.table.state.pointee
    let theirs = right.table.state.pointee
    guard left.grid == right.grid, left.count == right.count, mine.count == theirs.count else {
      return false
    }
    if left.table === right.table { return true }
    for index in 0..<mine.count {
      guard let words = theirs.find(mine.keys[index]) else { return false }
      // Sound: `index` is below `count`, and both bands have `rows` words.
      let own = mine.words(at: index)
      for row in 0..<TileTable.rows where own[row] != words[row] { return false }
    }
    return true
  }
}
