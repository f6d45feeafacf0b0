/// A column of a Parquet file: a leaf of its schema.
///
/// - Source: the Parquet format, `parquet.thrift`.
struct ParquetLeaf {
  /// The codes of `Type`.
  enum Physical: Int32 {
    case boolean = 0
    case integer64 = 2
    case float = 4
    case double = 5
    case bytes = 6
  }

  /// What the values are, beyond their physical type.
  enum Logical {
    case text
    /// Milliseconds since 1970 in UTC.
    case time
  }

  /// Its name and those of its groups, the outermost first.
  let path: [String]
  /// The type of its values.
  let physical: Physical
  /// What its values are; nil if they are what their type says.
  let logical: Logical?
  /// Whether values may be null.
  let isOptional: Bool
}

/// The codes of `Encoding`.
enum ParquetEncoding: Int32 {
  case plain = 0
  case levels = 3
  case delta = 5
  case dictionary = 8
}

/// What a row group says about the values of a column, so that readers can skip it.
struct ParquetStatistics {
  /// The number of nulls.
  var nullCount = 0
  /// The least and the greatest value in their plain encoding; nil if there is none, or if they are
  /// too long.
  var range: (least: [UInt8], greatest: [UInt8])?
}

/// The values of a column in one row group, encoded.
struct ParquetValues {
  /// The encoding of ``page``.
  var encoding: ParquetEncoding
  /// The number of values, with nulls.
  var count: Int
  /// The levels and the values: a data page.
  var page: [UInt8]
  /// The texts in plain encoding and their number: a dictionary page.
  var dictionary: (page: [UInt8], count: Int)?
  /// The statistics.
  var statistics: ParquetStatistics
}
