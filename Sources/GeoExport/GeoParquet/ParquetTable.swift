/// Writes rows without geometry as a Parquet file.
///
/// - Memory: the file's compressed bytes, and the values of one row group, at most ``mostRows``.
package final class ParquetTable {
  /// The most rows of a row group.
  package static let mostRows = 1 << 12

  private let file: ParquetFile
  private let name: String
  private let columns: [AttributeColumn]
  private let bytesColumn: BytesColumn?
  private var rows = 0

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - stream: gets the bytes of the file.
  ///   - name: the name of the rows.
  ///   - fields: the columns.
  ///   - bytesName: the name of a last column of bytes; nil for none.
  package init(
    _ stream: ExportStream, name: String, _ fields: [ExportField], bytes bytesName: String? = nil
  ) throws(ExportFailure) {
    file = try ParquetFile(stream, creator: "Roqua", .gzip)
    self.name = name
    columns = fields.map(AttributeColumn.make)
    bytesColumn = bytesName.map(BytesColumn.init)
    file.begin()
  }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - values: a value of the kind of each column, or null.
  ///   - bytes: that of the column of bytes, which only a table with one has.
  package func add(_ values: [ExportValue], _ bytes: [UInt8] = []) throws(ExportFailure) {
    for index in columns.indices { columns[index].append(values[index]) }
    bytesColumn?.append(bytes)
    rows += 1
    if rows == Self.mostRows { try writeRowGroup() }
  }

  private var allColumns: [ParquetColumn] { columns + (bytesColumn.map { [$0] } ?? []) }

  private func writeRowGroup() throws(ExportFailure) {
    try file.writeRowGroup(allColumns, rows: rows)
    rows = 0
  }

  /// Completes the file.
  package func finish() throws(ExportFailure) {
    if rows > 0 { try writeRowGroup() }
    file.end(name: name, allColumns, texts: [])
    try file.stream.flush()
  }
}
