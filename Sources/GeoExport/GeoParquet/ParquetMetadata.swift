/// Parquet's own metadata: the headers of pages and the footer.
///
/// - Source: the Parquet format, `parquet.thrift`.
enum ParquetMetadata {
  /// A column of a row group.
  struct Chunk {
    var values: ParquetStatistics
    var valueCount = 0
    var encodings: [Int32] = []
    var uncompressedBytes = 0
    var compressedBytes = 0
    var dataPage = 0
    var dictionaryPage: Int?
  }

  /// A row group.
  struct RowGroup {
    var rows: Int
    var start: Int
    var chunks: [Chunk]
  }

  /// The header of a page.
  ///
  /// - Parameters:
  ///   - encoding: nil for a dictionary page.
  ///   - checksum: CRC-32 of the compressed bytes.
  static func pageHeader(
    _ encoding: ParquetEncoding?, values: Int, bytes: Int, compressedBytes: Int, checksum: UInt32
  ) -> [UInt8] {
    ThriftCompact.structure { page in
      page.field(1, Int32(encoding == nil ? 2 : 0))  // type
      page.field(2, Int32(bytes))
      page.field(3, Int32(compressedBytes))
      page.field(4, Int32(bitPattern: checksum))
      if let encoding {
        page.field(5) { data in
          data.field(1, Int32(values))
          data.field(2, encoding.rawValue)
          data.field(3, ParquetEncoding.levels.rawValue)  // of definition levels
          data.field(4, ParquetEncoding.levels.rawValue)  // of repetition levels
        }
      } else {
        page.field(7) { dictionary in
          dictionary.field(1, Int32(values))
          dictionary.field(2, ParquetEncoding.plain.rawValue)
        }
      }
    }
  }

  /// The footer: `FileMetaData`.
  static func footer(
    _ schema: ParquetSchema, _ groups: [RowGroup], codec: ParquetCodec,
    texts: [(key: String, value: String)], creator: String
  ) -> [UInt8] {
    ThriftCompact.structure { file in
      file.field(1, Int32(2))  // version
      file.field(2, each: schema.elements) { $1.write(to: &$0) }
      file.field(3, Int64(groups.reduce(0) { $0 + $1.rows }))
      file.field(4, each: groups) { write($1, schema.leaves, codec, to: &$0) }
      file.field(5, each: texts) { pair, text in
        pair.field(1, text.key)
        pair.field(2, text.value)
      }
      file.field(6, creator)
      // The order of each column is the one that its type defines.
      file.field(7, each: schema.leaves) { order, _ in order.field(1) { _ in } }
    }
  }

  private static func write(
    _ group: RowGroup, _ leaves: [ParquetLeaf], _ codec: ParquetCodec,
    to writer: inout ThriftCompact
  ) {
    writer.field(1, each: Array(zip(leaves, group.chunks))) { column, pair in
      let (leaf, chunk) = pair
      column.field(2, Int64(0))  // file_offset, which is obsolete
      column.field(3) { write(chunk, leaf, codec, to: &$0) }
    }
    writer.field(2, Int64(group.chunks.reduce(0) { $0 + $1.uncompressedBytes }))
    writer.field(3, Int64(group.rows))
    writer.field(5, Int64(group.start))
    writer.field(6, Int64(group.chunks.reduce(0) { $0 + $1.compressedBytes }))
  }

  private static func write(
    _ chunk: Chunk, _ leaf: ParquetLeaf, _ codec: ParquetCodec, to writer: inout ThriftCompact
  ) {
    writer.field(1, leaf.physical.rawValue)
    writer.field(2, integers: chunk.encodings)
    writer.field(3, texts: leaf.path)
    writer.field(4, codec.rawValue)
    writer.field(5, Int64(chunk.valueCount))
    writer.field(6, Int64(chunk.uncompressedBytes))
    writer.field(7, Int64(chunk.compressedBytes))
    writer.field(9, Int64(chunk.dataPage))
    if let place = chunk.dictionaryPage { writer.field(11, Int64(place)) }
    writer.field(12) { statistics in
      statistics.field(3, Int64(chunk.values.nullCount))
      if let (least, greatest) = chunk.values.range {
        statistics.field(5, greatest)
        statistics.field(6, least)
      }
    }
  }
}
