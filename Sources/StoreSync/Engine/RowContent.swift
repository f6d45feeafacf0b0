import GeoStore
import SQLiteLayer

/// Rows as bytes.
enum RowContent {
  /// Returns the bytes of the row of a source.
  static func bytes(of record: SourceRecord) -> [UInt8] {
    bytes(of: [.text(record.sha256)] + record.columns)
  }

  /// Returns the row of a source, given its bytes.
  ///
  /// - Parameter withheld: what is kept out of the source.
  /// - Throws: ``SyncFormatError``.
  static func record(_ bytes: [UInt8], withheld: UInt8) throws(SyncFormatError) -> SourceRecord {
    var values = try self.values(bytes)
    guard values.count == SourceRecord.columnNames.count + 1,
      case .text(let sha256) = values.removeFirst()
    else { throw SyncFormatError(.outOfRange, in: "row", at: 0) }
    return SourceRecord(sha256: sha256, withheld: Int64(withheld), columns: values)
  }

  /// Returns values as bytes: each a tag of its type, and the value.
  static func bytes(of values: [DatabaseValue]) -> [UInt8] {
    var writer = PayloadWriter()
    for value in values {
      switch value {
      case .null: writer.byte(0)
      case .integer(let value):
        writer.byte(1)
        writer.zigzag(value)
      case .real(let value):
        writer.byte(2)
        writer.double(value)
      case .text(let value):
        writer.byte(3)
        writer.blob(Array(value.utf8))
      case .blob(let value):
        writer.byte(4)
        writer.blob(value)
      }
    }
    return writer.bytes
  }

  /// Returns the values of some bytes.
  static func values(_ bytes: [UInt8]) throws(SyncFormatError) -> [DatabaseValue] {
    var reader = PayloadReader(bytes, part: "row")
    var values: [DatabaseValue] = []
    while reader.left > 0 {
      let tag = try reader.byte()
      switch tag {
      case 0: values.append(.null)
      case 1: values.append(.integer(try reader.zigzag()))
      case 2: values.append(.real(try reader.double()))
      case 3: values.append(.text(String(decoding: try reader.blob(), as: UTF8.self)))
      case 4: values.append(.blob(try reader.blob()))
      default: throw reader.error(.unknownTag(tag))
      }
    }
    return values
  }
}
