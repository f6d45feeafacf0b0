/// A column of bytes, never null.
final class BytesColumn: ParquetColumn {
  private var values: [UInt8] = []
  private var count = 0

  /// Creates an empty column.
  init(_ name: String) {
    super.init(ParquetLeaf(path: [name], physical: .bytes, logical: nil, isOptional: false))
  }

  override var byteCount: Int { values.count }

  /// Appends a value.
  func append(_ bytes: [UInt8]) {
    values.append(littleEndian: UInt32(bytes.count))
    values += bytes
    count += 1
  }

  override func take() -> ParquetValues {
    defer {
      values.removeAll(keepingCapacity: true)
      count = 0
    }
    return ParquetValues(
      encoding: .plain, count: count, page: values, dictionary: nil,
      statistics: ParquetStatistics())
  }
}
