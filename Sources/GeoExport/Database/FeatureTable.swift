import SQLiteLayer

/// The table of a layer: a row number, a geometry, and a column for each field.
///
/// Rows are numbered 1, 2, 3, … in the order of the features. Memory: 32 bytes for each feature,
/// for the R-tree (``PackedRTree``), and a batch of rows.
final class FeatureTable {
  /// The layer.
  let layer: ExportLayer
  /// The smallest box that contains all features.
  private(set) var bounds = ExportBounds()
  /// The number of features.
  private(set) var count = 0
  private let database: ExportDatabase
  private let rows: DatabaseRows
  private let encode: (ExportGeometry, ExportBounds, ExportLayer.Shape, inout [UInt8]) -> Void
  private var tree = PackedRTree()
  private var geometry: [UInt8] = []

  /// Begins to fill a table, which exists and is empty.
  ///
  /// - Parameters:
  ///   - geometryColumn: the name of the column of geometries.
  ///   - encode: appends the bytes of a geometry whose bounds are known.
  init(
    _ layer: ExportLayer, in database: ExportDatabase, geometryColumn: String,
    encode: @escaping (ExportGeometry, ExportBounds, ExportLayer.Shape, inout [UInt8]) -> Void
  ) throws(ExportFailure) {
    (self.layer, self.database, self.encode) = (layer, database, encode)
    let names = ([geometryColumn] + layer.fields.map(\.name)).map { "\"\($0)\"" }
    let values = names.indices.map { "c\($0)" }.joined(separator: ", ")
    rows = try DatabaseRows(
      """
      INSERT INTO "\(layer.name)" (\(names.joined(separator: ", ")))
      SELECT \(values) FROM \(RowBatch.tableName)
      """, columns: names.count, in: database)
  }

  /// Adds a feature.
  func append(_ feature: ExportFeature) throws(ExportFailure) {
    precondition(feature.values.count == layer.fields.count, "a value for each column")
    guard let box = feature.geometry.bounds else {
      throw .failed(reason: "a feature of the layer \(layer.name) has no geometry")
    }
    count += 1
    bounds.include(box)
    tree.append(box)
    geometry.removeAll(keepingCapacity: true)
    // At once, since growing a large array takes twice its memory.
    geometry.reserveCapacity(Self.encodedBytes(of: feature.geometry))
    encode(feature.geometry, box, layer.shape, &geometry)
    let batch = rows.batch
    batch.append(blob: geometry)
    for value in feature.values {
      switch value {
      case .null: batch.append(nil as Int64?)
      case .text(let text): batch.append(text: text)
      case .integer(let number): batch.append(number)
      case .real(let number): batch.append(number)
      case .boolean(let isTrue): batch.append(isTrue ? 1 : 0 as Int64)
      case .time(let milliseconds):
        DatabaseTime.withBytes(of: milliseconds) { batch.append(utf8: $0) }
      }
    }
    try rows.endRow()
  }

  /// The maximum size of an encoded geometry: its numbers, a count for each ring, and headers.
  private static func encodedBytes(of geometry: ExportGeometry) -> Int {
    8 * (geometry.coordinates.count + geometry.measures.count) + 4 * geometry.ringEnds.count + 64
  }

  /// Inserts the last rows, and fills the R-tree of a name, which exists and is empty.
  func finish(tree name: String) throws(ExportFailure) {
    try rows.flush()
    try tree.write(to: RTreeTables(name, in: database))
  }
}
