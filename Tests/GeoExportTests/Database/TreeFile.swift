import CSQLite
import SQLiteLayer
import TestSupport

@testable import GeoExport

/// An R-tree in a temporary database, built at once, and what a scan finds in its boxes.
struct TreeFile {
  let folder: TemporaryFolder
  let connection: Connection
  private(set) var boxes: [Int64: RTreeBox] = [:]

  init(of bounds: [ExportBounds]) throws {
    folder = try TemporaryFolder()
    let path = try folder.write([UInt8](), to: "tree.sqlite")
    let database = try ExportDatabase(path: path)
    try database.execute("CREATE VIRTUAL TABLE tree USING rtree(id, minx, maxx, miny, maxy)")
    var tree = PackedRTree()
    for bounds in bounds { tree.append(bounds) }
    try tree.write(to: RTreeTables("tree", in: database))
    try database.commit()
    connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
    for (index, bounds) in bounds.enumerated() { boxes[Int64(index + 1)] = RTreeBox(bounds) }
  }

  /// What SQLite finds wrong in the tree; `ok` if there is nothing.
  func check() throws -> String? { try connection.text("SELECT rtreecheck('tree')") }

  /// The rows whose boxes meet another, as SQLite finds them through the tree.
  func search(_ query: ExportBounds) throws -> [Int64] {
    let select = try connection.cached(
      "SELECT id FROM tree WHERE minx <= ? AND maxx >= ? AND miny <= ? AND maxy >= ? ORDER BY id")
    for (place, edge) in [query.maxX, query.minX, query.maxY, query.minY].enumerated() {
      select.bind(edge, at: Int32(place + 1))
    }
    var rows: [Int64] = []
    while try select.step() { rows.append(select.int64(at: 0)) }
    return rows
  }

  /// The rows whose boxes meet another, as a scan of every box finds them.
  func scan(_ query: ExportBounds) -> [Int64] {
    boxes.filter { _, box in
      let edges = box.edges
      return Double(edges[0]) <= query.maxX && Double(edges[2]) >= query.minX
        && Double(edges[1]) <= query.maxY && Double(edges[3]) >= query.minY
    }
    .keys.sorted()
  }

  /// Inserts a box through SQLite.
  mutating func insert(_ bounds: ExportBounds, row: Int64) throws {
    let insert = try connection.cached("INSERT INTO tree VALUES (?, ?, ?, ?, ?)")
    insert.bind(row, at: 1)
    for (place, edge) in [bounds.minX, bounds.maxX, bounds.minY, bounds.maxY].enumerated() {
      insert.bind(edge, at: Int32(place + 2))
    }
    try insert.run()
    boxes[row] = RTreeBox(bounds)
  }

  /// Deletes a box through SQLite.
  mutating func delete(row: Int64) throws {
    let delete = try connection.cached("DELETE FROM tree WHERE id = ?")
    delete.bind(row, at: 1)
    try delete.run(changing: 1)
    boxes[row] = nil
  }
}

extension ExportBounds {
  /// A box whose edges are exact as 4-byte numbers, so that SQLite stores the same ones.
  static func random(using random: inout SplitMix64, side: Int = 4) -> ExportBounds {
    func edge(_ limit: Int) -> Double {
      Double(Int.random(in: -limit * 64...limit * 64, using: &random)) / 64
    }
    var bounds = ExportBounds()
    let (x, y) = (edge(180), edge(90))
    let (width, height) = (
      Int.random(in: 0...side, using: &random), Int.random(in: 0...side, using: &random)
    )
    bounds.include(x: x, y: y)
    bounds.include(x: min(180, x + Double(width)), y: min(90, y + Double(height)))
    return bounds
  }
}
