import ByteStreams

@testable import GeoExport

/// A value of Thrift's compact protocol, read without a schema.
indirect enum ThriftValue {
  case number(Int64)
  case bytes([UInt8])
  case list([ThriftValue])
  case structure([Int: ThriftValue])

  subscript(field: Int) -> ThriftValue? {
    if case .structure(let fields) = self { fields[field] } else { nil }
  }

  var number: Int? { if case .number(let value) = self { Int(value) } else { nil } }
  var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
  var list: [ThriftValue] { if case .list(let values) = self { values } else { [] } }
  var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  static func read(_ reader: inout ParquetBits, kind: UInt8 = 12) -> ThriftValue {
    switch kind {
    case 1, 2: return .number(kind == 1 ? 1 : 0)
    case 3: return .number(Int64(reader.byte()))
    case 4, 5, 6: return .number(reader.zigzag())
    case 8: return .bytes((0..<Int(reader.varint())).map { _ in reader.byte() })
    case 9:
      let head = reader.byte()
      let count = head >> 4 == 15 ? Int(reader.varint()) : Int(head >> 4)
      return .list((0..<count).map { _ in read(&reader, kind: head & 15) })
    default:
      var fields: [Int: ThriftValue] = [:]
      var number = 0
      while case let head = reader.byte(), head != 0 {
        number += Int(head >> 4)
        fields[number] = read(&reader, kind: head & 15)
      }
      return .structure(fields)
    }
  }
}

/// A Parquet file, read in full.
struct ParquetReader {
  /// A column of a row group.
  struct Column {
    var path: [String]
    /// The values; bytes for texts and numbers, nil for null.
    var values: [[UInt8]?] = []
    var repetitions: [UInt64] = []
    var definitions: [UInt64] = []
    var encoding = 0
    var nullCount: Int?
    var range: (least: [UInt8], greatest: [UInt8])?
  }

  let footer: ThriftValue
  var groups: [[Column]] = []
  var texts: [String: String] = [:]

  init(_ bytes: [UInt8]) {
    precondition(bytes.prefix(4) == [80, 65, 82, 49] && bytes.suffix(4) == [80, 65, 82, 49])
    var size = ParquetBits(Array(bytes.suffix(8)))
    let start = bytes.count - 8 - Int(size.number(4))
    var reader = ParquetBits(bytes)
    reader.place = start
    footer = ThriftValue.read(&reader)
    precondition(reader.place == bytes.count - 8, "the footer has another size")
    for pair in footer[5]?.list ?? [] { texts[pair[1]?.text ?? ""] = pair[2]?.text }
    for group in footer[4]?.list ?? [] {
      groups.append((group[1]?.list ?? []).map { Self.column($0, bytes) })
    }
  }

  /// The number of rows of each row group.
  var rows: [Int] { (footer[4]?.list ?? []).map { $0[3]?.number ?? -1 } }

  private static func page(
    _ place: Int, _ bytes: [UInt8], _ codec: Int
  ) -> (header: ThriftValue, body: [UInt8]) {
    var reader = ParquetBits(bytes)
    reader.place = place
    let header = ThriftValue.read(&reader)
    let compressed = Array(bytes[reader.place..<reader.place + (header[3]?.number ?? 0)])
    let checksum = compressed.withUnsafeBytes { CRC32.continued(0, with: $0) }
    precondition(header[4]?.number == Int(Int32(bitPattern: checksum)), "another checksum")
    guard codec == 2 else { return (header, compressed) }
    // A gzip header has 10 bytes, its trailer 8.
    let body = compressed[10..<compressed.count - 8].withUnsafeBytes {
      RawDeflate.expanded($0, limit: 1 << 26)
    }
    precondition(body?.count == header[2]?.number, "another size")
    return (header, body ?? [])
  }

  private static func column(_ chunk: ThriftValue, _ bytes: [UInt8]) -> Column {
    let data = chunk[3] ?? .number(0)
    let codec = data[4]?.number ?? 0
    var column = Column(path: (data[3]?.list ?? []).compactMap(\.text))
    column.nullCount = data[12]?[3]?.number
    if let least = data[12]?[6]?.bytes, let greatest = data[12]?[5]?.bytes {
      column.range = (least, greatest)
    }
    let (header, body) = page(data[9]?.number ?? 0, bytes, codec)
    column.encoding = header[5]?[2]?.number ?? -1
    let count = header[5]?[1]?.number ?? 0
    precondition(count == data[5]?.number, "the page has another number of values")
    var reader = ParquetBits(body)
    let isList = column.path.count == 3
    let isRequired = column.path[0] == "geometry" || column.path[0] == "bbox"
    if isList { column.repetitions = reader.sizedLevels(count, width: 1) }
    if !isRequired { column.definitions = reader.sizedLevels(count, width: isList ? 2 : 1) }
    let present = isRequired ? count : column.definitions.count { $0 == (isList ? 2 : 1) }
    var values: [[UInt8]]
    switch column.encoding {
    case 5: values = reader.deltas().map { [UInt8](littleEndian: $0) }
    case 8:
      var texts: [[UInt8]] = []
      let (header, body) = page(data[11]?.number ?? 0, bytes, codec)
      var dictionary = ParquetBits(body)
      for _ in 0..<(header[7]?[1]?.number ?? 0) { texts.append(Self.text(&dictionary)) }
      let width = Int(reader.byte())
      values = reader.levels(present, width: width, end: reader.bytes.count).map { texts[Int($0)] }
    default:
      switch data[1]?.number {
      case 0: values = reader.packed(present, width: 1).map { [UInt8($0)] }
      case 4: values = (0..<present).map { _ in (0..<4).map { _ in reader.byte() } }
      case 5: values = (0..<present).map { _ in (0..<8).map { _ in reader.byte() } }
      default: values = (0..<present).map { _ in Self.text(&reader) }
      }
    }
    precondition(values.count == present, "another number of values than levels")
    if isRequired {
      column.values = values
    } else {
      var next = 0
      for level in column.definitions {
        let isPresent = level == (isList ? 2 : 1)
        column.values.append(isPresent ? values[next] : nil)
        if isPresent { next += 1 }
      }
    }
    return column
  }

  private static func text(_ reader: inout ParquetBits) -> [UInt8] {
    let count = Int(reader.number(4))
    return (0..<count).map { _ in reader.byte() }
  }
}
