import CSQLiteCalls
import GridHash

/// `roqua_cells(tile)`: the explored cells of a tile, or of all tiles in the order of their keys;
/// the cells of each by row and column. Memory of one tile.
final class CellRows: TableRows {
  static let function = TableFunction(
    name: "roqua_cells",
    columns: ["row INTEGER", "column INTEGER", "latitude REAL", "longitude REAL", "hash TEXT"],
    argument: "tile", argumentName: "key of a tile (SELECT key FROM coverage_tiles)",
    orderedColumns: 0,
    makeRows: { CellRows(database: $0) })

  private var query: TableQuery?
  private var grid = Grid.standard
  private var key: Int64 = 0
  private var tile = Tile()
  /// The row in the tile, and the bits of it that are still to come.
  private var (row, bits): (Int, UInt64) = (64, 0)
  private var number: Int64 = -1

  override func begin(argument: Int64?) throws(FunctionFailure) {
    (key, row, bits, number) = (0, 64, 0, -1)
    query = try StoreTable.query(
      "SELECT key, bits FROM main.coverage_tiles" + (argument == nil ? "" : " WHERE key = ?1")
        + " ORDER BY key",
      for: Self.function, on: database)
    if let argument { query?.bind(argument) }
    grid = try StoreGrid.read(from: database)
    try advance()
  }

  override func advance() throws(FunctionFailure) {
    number += 1
    bits &= bits &- 1
    while bits == 0 {
      row += 1
      if row >= 64 {
        guard try readTile() else { return }
        row = 0
      }
      bits = tile[row: row]
    }
  }

  /// Reads the next tile; returns false after the last one.
  private func readTile() throws(FunctionFailure) -> Bool {
    guard let query, try query.step() else {
      query = nil
      return false
    }
    key = query.int64(at: 0)
    let decoded = query.withBytes(at: 1) { try? Tile(serialized: $0) }
    guard let decoded, grid.accepts(decoded, at: key) else {
      throw StoreTable.damage("coverage_tiles, tile \(key)")
    }
    tile = decoded
    return true
  }

  override var isAtEnd: Bool { query == nil }
  override var rowID: Int64 { number }

  override func write(column: Int32, to context: OpaquePointer) {
    let first = grid.firstCell(ofTile: key)
    let cell = Cell(
      row: first.row + Int32(row), column: first.column + Int32(bits.trailingZeroBitCount))
    switch column {
    case 0: roqua_result_int64(context, Int64(cell.row))
    case 1: roqua_result_int64(context, Int64(cell.column))
    case 2: roqua_result_double(context, grid.center(of: cell).latitudeDegrees)
    case 3: roqua_result_double(context, grid.center(of: cell).longitudeDegrees)
    case 4: roqua_result_text(context, cell.gridHash, -1)
    default: roqua_result_int64(context, key)
    }
  }
}
