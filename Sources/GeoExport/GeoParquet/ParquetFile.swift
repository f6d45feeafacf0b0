import ByteStreams

/// A Parquet file that is written row group by row group.
///
/// - Source: the Apache Parquet format.
final class ParquetFile {
  /// The bytes of the file.
  let stream: ExportStream
  private let compressor: PageCompressor
  private let creator: String
  private var groups: [ParquetMetadata.RowGroup] = []

  /// - Parameter creator: the program that writes the file, as its metadata names it.
  init(_ stream: ExportStream, creator: String, _ codec: ParquetCodec) throws(ExportFailure) {
    (self.stream, self.creator) = (stream, creator)
    compressor = try PageCompressor(codec)
  }

  private static let magic = Array("PAR1".utf8)

  /// Begins the file.
  func begin() { stream.buffer += Self.magic }

  /// Writes the values of columns, which are empty then.
  func writeRowGroup(_ columns: [ParquetColumn], rows: Int) throws(ExportFailure) {
    var group = ParquetMetadata.RowGroup(rows: rows, start: stream.count, chunks: [])
    for column in columns { group.chunks.append(try write(column.take())) }
    groups.append(group)
  }

  /// Ends the file.
  ///
  /// - Parameters:
  ///   - name: the name of the rows.
  ///   - columns: the columns of every row group.
  ///   - texts: texts that readers find by their keys.
  func end(name: String, _ columns: [ParquetColumn], texts: [(String, String)]) {
    let footer = ParquetMetadata.footer(
      ParquetSchema(name: name, columns), groups, codec: compressor.codec, texts: texts,
      creator: creator)
    stream.buffer += footer
    stream.buffer.append(littleEndian: UInt32(footer.count))
    stream.buffer += Self.magic
  }

  /// Writes the pages of a column.
  private func write(_ values: ParquetValues) throws(ExportFailure) -> ParquetMetadata.Chunk {
    var chunk = ParquetMetadata.Chunk(values: values.statistics)
    chunk.valueCount = values.count
    chunk.encodings = [ParquetEncoding.levels.rawValue, values.encoding.rawValue]
    if let (page, count) = values.dictionary {
      chunk.encodings.append(ParquetEncoding.plain.rawValue)
      chunk.dictionaryPage = stream.count
      try write(page, nil, count, &chunk)
    }
    chunk.dataPage = stream.count
    try write(values.page, values.encoding, values.count, &chunk)
    return chunk
  }

  private func write(
    _ page: [UInt8], _ encoding: ParquetEncoding?, _ count: Int,
    _ chunk: inout ParquetMetadata.Chunk
  ) throws(ExportFailure) {
    let compressed = compressor.compress(page)
    guard max(page.count, compressed.count, count) <= Int32.max else {
      throw .failed(reason: "A feature has more than 2 GB, which Parquet cannot contain.")
    }
    let header = ParquetMetadata.pageHeader(
      encoding, values: count, bytes: page.count, compressedBytes: compressed.count,
      checksum: compressed.withUnsafeBytes { CRC32.continued(0, with: $0) })
    stream.buffer += header
    stream.buffer += compressed
    chunk.uncompressedBytes += header.count + page.count
    chunk.compressedBytes += header.count + compressed.count
    try stream.flushIfFull()
  }
}
