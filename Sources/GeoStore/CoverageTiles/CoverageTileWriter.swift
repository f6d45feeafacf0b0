import Geodesy
import GridHash

/// Adds what kept fixes explore to the stored coverage, inside a write transaction of its connection.
///
/// Discs are marked into a coverage of their own, which starts empty; now and then its tiles are joined with the
/// stored ones. So marking runs at the speed of memory, memory is bounded, and only touched tiles are written.
final class CoverageTileWriter {
  /// Tiles in memory before they are joined with the store: 8 MB of bits.
  static let tileCapacity = 16_384

  private let connection: Connection
  private var marked: Coverage
  private(set) var addedCells = 0
  private(set) var addedAreaSquareMeters = 0.0

  init(connection: Connection, settings: StoreSettings) throws(StoreError) {
    self.connection = connection
    marked = Coverage(grid: try settings.grid())
  }

  /// Marks the discs around some fixes.
  func take(_ fixes: some Sequence<KeptFix>) throws(StoreError) {
    marked.mark(contentsOf: fixes.lazy.map(\.coordinate))
    if marked.tileCount >= Self.tileCapacity { try flush() }
  }

  /// Joins what was marked with the store.
  func flush() throws(StoreError) {
    guard !marked.isEmpty else { return }
    var gained = Coverage(grid: marked.grid)
    for (key, tile) in marked.tiles {
      let stored = try connection.coverageTile(at: key)
      let joined = stored?.union(tile) ?? tile
      let new = stored.map { tile.subtracting($0) } ?? tile
      guard !new.isEmpty else { continue }
      gained.insert(new, at: key)
      try connection.writeCoverageTile(joined, at: key)
    }
    addedCells += gained.count
    addedAreaSquareMeters += gained.areaSquareMeters
    marked = Coverage(grid: marked.grid)
  }
}

extension StoreSettings {
  /// The grid that the exploration radius gives.
  public func grid() throws(StoreError) -> Grid {
    do {
      return try Grid(explorationRadiusMeters: self[.explorationRadiusMeters])
    } catch {
      throw .setting(
        key: SettingKey.explorationRadiusMeters.rawValue, reason: "gives no grid of cells")
    }
  }
}

extension Connection {
  func coverageTile(at key: Int64) throws(StoreError) -> Tile? {
    let select = try cached("SELECT bits FROM coverage_tiles WHERE key = ?1")
    defer { select.reset() }
    select.bind(key, at: 1)
    guard try select.step() else { return nil }
    return try select.withBytes(at: 0) { (bytes) throws(StoreError) in
      try tile(from: bytes, key: key)
    }
  }

  func writeCoverageTile(_ tile: Tile, at key: Int64) throws(StoreError) {
    let insert = try cached(
      """
      INSERT INTO coverage_tiles (key, cells, bits) VALUES (?1, ?2, ?3)
      ON CONFLICT DO UPDATE SET cells = excluded.cells, bits = excluded.bits
      """)
    defer { insert.reset() }
    insert.bind(key, at: 1)
    insert.bind(Int64(tile.count), at: 2)
    insert.bind(tile.serialized(), at: 3)
    try insert.run()
  }

  func tile(from bytes: UnsafeRawBufferPointer, key: Int64) throws(StoreError) -> Tile {
    do {
      return try Tile(serialized: bytes)
    } catch {
      throw .damaged(path: path, detail: "coverage tile \(key)")
    }
  }
}
