import Geodesy
import GridHash

/// Adds what kept fixes explore to the stored coverage, inside a write transaction of its connection.
///
/// Memory is bounded by the editor's tiles, and only tiles that change are written.
final class CoverageTileWriter {
  /// Touched tiles in memory before they are written and forgotten: 1.1 MB, and as much again while they are.
  /// As many squares of 4.8 km lie along 15,000 km of road.
  private static let maximumTiles = 2_048

  private let connection: Connection
  private var editor: CoverageEditor
  private(set) var added = CoverageGain()

  init(connection: Connection, settings: StoreSettings) throws(StoreError) {
    self.connection = connection
    editor = CoverageEditor(grid: try settings.grid(), maximumTiles: Self.maximumTiles)
  }

  /// Marks the discs around some fixes.
  func take(_ fixes: some Sequence<KeptFix>) throws(StoreError) {
    for fix in fixes { editor.mark(discAround: fix.coordinate) }
    if editor.needsFlush { try flush() }
  }

  /// Joins what was marked with the store.
  func flush() throws(StoreError) {
    let new = try editor.flush { (key) throws(StoreError) in
      try connection.coverageTile(at: key)
    } save: { (key, tile) throws(StoreError) in
      try connection.writeCoverageTile(tile, at: key)
    }
    added += CoverageGain(cells: new.count, areaSquareMeters: new.areaSquareMeters)
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
