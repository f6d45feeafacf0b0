/// Writes one layer as GeoParquet 1.1, row group by row group, so the output may be a pipe.
///
/// The columns are those of the layer, then `geometry` in well-known binary; `bbox`, a group of its
/// edges `xmin`, `ymin`, `xmax` and `ymax`; and for lines `times`, a list with the time of each
/// position. Row groups have statistics for all columns but `geometry`, so that readers can skip
/// those whose times or boxes are elsewhere. That helps most if rows come in the order of places or
/// times: regions come in the order of their geohashes.
///
/// - Memory: the values of one row group, at most ``mostRows`` rows and ``mostBytes`` bytes and one
///   feature, twice while they are encoded.
/// - Source: GeoParquet 1.1.0; the Apache Parquet format.
package final class GeoParquetWriter: LayerWriter {
  /// The most rows of a row group.
  package static let mostRows = 1 << 16
  /// The size of a row group's values at which it ends.
  package static let mostBytes = 1 << 24

  private let file: ParquetFile
  private let rowsPerGroup: Int
  private var layer: ExportLayer?
  private var attributes: [AttributeColumn] = []
  private let geometries = GeometryColumn()
  private let edges = [
    EdgeColumn("xmin", isLower: true), EdgeColumn("ymin", isLower: true),
    EdgeColumn("xmax", isLower: false), EdgeColumn("ymax", isLower: false),
  ]
  private var times: TimesColumn?
  private var rows = 0
  private var extent = ExportBounds()

  /// Creates a writer.
  ///
  /// - Parameter creator: the program that writes the file, as its metadata names it.
  package convenience init(
    _ stream: ExportStream, creator: String = "Roqua"
  ) throws(ExportFailure) {
    try self.init(stream, creator: creator, .gzip)
  }

  /// Creates a writer with a codec and a largest row group.
  init(
    _ stream: ExportStream, creator: String = "Roqua", _ codec: ParquetCodec,
    rowsPerGroup: Int = mostRows
  ) throws(ExportFailure) {
    self.rowsPerGroup = rowsPerGroup
    file = try ParquetFile(stream, creator: creator, codec)
  }

  package func begin(_ layer: ExportLayer) throws(ExportFailure) {
    precondition(self.layer == nil, "a file has one layer")
    self.layer = layer
    attributes = layer.fields.map(AttributeColumn.make)
    times = layer.shape == .line ? TimesColumn() : nil
    file.begin()
  }

  package func add(_ feature: ExportFeature) throws(ExportFailure) {
    guard let layer else { preconditionFailure("a feature outside a layer") }
    guard let box = feature.geometry.bounds else {
      throw .failed(reason: "A feature of the layer “\(layer.name)” has no positions.")
    }
    for index in attributes.indices { attributes[index].append(feature.values[index]) }
    geometries.append(feature.geometry, layer.shape)
    edges[0].append(box.minX)
    edges[1].append(box.minY)
    edges[2].append(box.maxX)
    edges[3].append(box.maxY)
    times?.append(feature.geometry.measures)
    extent.include(box)
    rows += 1
    if rows == rowsPerGroup || rows % 64 == 0 && size >= Self.mostBytes
      || geometries.byteCount >= Self.mostBytes
    {
      try writeRowGroup()
    }
  }

  /// The columns in the order of the file.
  private var columns: [ParquetColumn] {
    attributes + [geometries] + edges + (times.map { [$0] } ?? [])
  }

  private var size: Int { columns.reduce(0) { $0 + $1.byteCount } }

  private func writeRowGroup() throws(ExportFailure) {
    try file.writeRowGroup(columns, rows: rows)
    rows = 0
  }

  package func end() throws(ExportFailure) {
    guard let layer else { preconditionFailure("the end of no layer") }
    if rows > 0 { try writeRowGroup() }
    file.end(
      name: layer.name, columns,
      texts: [
        ("geo", GeoMetadata.text(layer.shape, extent: extent)),
        ("title", layer.title),
        ("description", layer.summary),
      ])
  }

  package func finish() throws(ExportFailure) { try file.stream.flush() }
}
