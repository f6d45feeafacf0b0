import FuzzSupport

@testable import PostgresPush

/// A row as PostgreSQL sends it: any bytes are refused, or are what the same values are written as.
///
/// Bits 0 to 2 of the choice are the number of fields. As many bytes follow, which select the types
/// that are read; the rest is the message.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCopyRows(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  let fields = Int(input.choice & 7)
  let types = Array(input.body.prefix(fields))
  let message = Array(input.body.dropFirst(fields))
  guard let row = try? CopyRowReader(message, fields: fields, of: "rows"),
    let written = try? rewritten(row, types)
  else { return 0 }
  let isFirst = message.starts(with: CopyRows.header.prefix(11))
  let content = isFirst ? Array(message.dropFirst(CopyRows.header.count)) : message
  requireEqual(written, Array(content.prefix(written.count)), "a row read and written")
  return 0
}

/// The bytes of the values of a row.
private func rewritten(_ row: CopyRowReader, _ types: [UInt8]) throws -> [UInt8] {
  var (row, rows) = (row, CopyRows())
  rows.begin(fields: types.count)
  for type in types {
    switch type % 6 {
    case 0: rows.put(try row.int64())
    case 1: rows.put(try row.int32())
    case 2: rows.put(try row.double())
    case 3: rows.put(bits: try row.bits())
    case 4:
      var copy = row
      let text = try copy.text()
      let data = try row.data()
      require(text == data.map { String(decoding: $0, as: UTF8.self) }, "a text has other bytes")
      put(data, in: &rows)
    default: put(try row.data(), in: &rows)
    }
  }
  return rows.bytes
}

private func put(_ data: [UInt8]?, in rows: inout CopyRows) {
  if let data { rows.put(data) } else { rows.null() }
}
