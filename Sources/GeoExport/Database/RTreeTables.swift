import SQLiteLayer

/// The three tables in which SQLite keeps an R-tree of two dimensions, filled directly.
///
/// `NAME_node` has the nodes, `NAME_rowid` the leaf of each row, and `NAME_parent` the parent of
/// each node except the root.
///
/// - Source: the comment at the top of SQLite's `rtree.c`.
struct RTreeTables {
  private let database: ExportDatabase
  private let name: String

  /// Uses the tables of an empty R-tree, which SQLite has created.
  init(_ name: String, in database: ExportDatabase) {
    (self.name, self.database) = (name, database)
  }

  /// Writes the nodes of a level.
  ///
  /// - Parameter entry: returns the number and the box of the entry at a place: a row for a leaf, a
  ///   node of the level below for others.
  /// - Returns: the boxes of the nodes.
  func writeNodes(
    of level: PackedRTree.Level, _ entry: (Int) -> (number: Int64, box: RTreeBox)
  ) throws(ExportFailure) -> [RTreeBox] {
    var boxes: [RTreeBox] = []
    boxes.reserveCapacity(level.nodeCount)
    var bytes: [UInt8] = []
    // SQLite has created an empty root.
    let insert = "INSERT OR REPLACE INTO \"\(name)_node\" SELECT c0, c1 FROM \(RowBatch.tableName)"
    try database.insert(insert, columns: 2) { rows throws(ExportFailure) in
      for node in 0..<level.nodeCount {
        let places = level.entries(ofNode: node)
        var box = entry(places.lowerBound).box
        bytes.removeAll(keepingCapacity: true)
        // Only the root's depth counts.
        bytes.append(bigEndian: UInt16(level.isRoot ? level.depth : 0))
        bytes.append(bigEndian: UInt16(places.count))
        for place in places {
          let (number, entryBox) = entry(place)
          bytes.append(bigEndian: number)
          for edge in [0, 2, 1, 3] { bytes.append(bigEndian: entryBox.edges[edge].bitPattern) }
          box.include(entryBox)
        }
        while bytes.count < PackedRTree.nodeBytes { bytes.append(0) }
        boxes.append(box)
        rows.batch.append(Int64(level.firstNode + node))
        rows.batch.append(blob: bytes)
        try rows.endRow()
      }
    }
    return boxes
  }

  /// Writes the leaves of all rows.
  ///
  /// - Parameter nodes: the leaf of row 1, of row 2, and so on.
  func writeRows(nodes: [UInt32]) throws(ExportFailure) {
    // Rows are numbered as they are inserted: 1, 2, 3, …
    let insert = "INSERT INTO \"\(name)_rowid\" (nodeno) SELECT c0 FROM \(RowBatch.tableName)"
    try database.insert(insert, columns: 1) { rows throws(ExportFailure) in
      for node in nodes {
        rows.batch.append(Int64(node))
        try rows.endRow()
      }
    }
  }

  /// Writes the parents of the nodes of a level.
  func writeParents(
    of children: PackedRTree.Level, in level: PackedRTree.Level
  ) throws(ExportFailure) {
    let insert = "INSERT INTO \"\(name)_parent\" SELECT c0, c1 FROM \(RowBatch.tableName)"
    try database.insert(insert, columns: 2) { rows throws(ExportFailure) in
      for node in 0..<level.nodeCount {
        for place in level.entries(ofNode: node) {
          rows.batch.append(Int64(children.firstNode + place))
          rows.batch.append(Int64(level.firstNode + node))
          try rows.endRow()
        }
      }
    }
  }
}

extension [UInt8] {
  /// Appends an integer, its highest byte first.
  mutating func append(bigEndian value: some FixedWidthInteger) {
    append(littleEndian: value.byteSwapped)
  }
}
