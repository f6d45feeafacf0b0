import Geodesy
import GridHash
import TestSupport
import Testing

@testable import PostgresPush

/// Rows in the binary format of `COPY`. Whether PostgreSQL reads them the same way is tested with a
/// server by `scripts/test-push`.
@Suite struct CopyRowsTests {
  /// The bytes of one row, by hand from the description of the format.
  @Test func `a row has the bytes that PostgreSQL describes`() throws {
    var rows = CopyRows()
    rows.begin(fields: 5)
    rows.put(Int64(-2))
    rows.put("aé")
    rows.put(Int32?.none)
    rows.put(true)
    rows.put(1.5)
    #expect(
      rows.bytes == [
        0, 5, 0, 0, 0, 8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE, 0, 0, 0, 3, 0x61, 0xC3,
        0xA9, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1, 1, 0, 0, 0, 8, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0,
      ])
  }

  @Test func `times count microseconds since 2000`() {
    var rows = CopyRows()
    rows.put(Timestamp(iso8601: "2000-01-01T00:00:00.001Z"))
    #expect(rows.bytes.suffix(8) == [0, 0, 0, 0, 0, 0, 0x03, 0xE8])
  }

  @Test func `the first column of a tile is the bit on the left`() throws {
    var rows = CopyRows()
    rows.put(bits: (0..<64).map { $0 == 0 ? 1 : $0 == 63 ? 1 << 63 : 0 })
    #expect(rows.bytes.count == 4 + 4 + 512)
    #expect(rows.bytes[0..<9] == [0, 0, 2, 4, 0, 0, 16, 0, 0x80])
    #expect(rows.bytes.last == 1)
    #expect(rows.bytes[9...].dropLast().allSatisfy { $0 == 0 })
  }

  @Test(arguments: Seeds.sample(20))
  func `reversing bits is what reversing their text is`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let value = UInt64.random(in: .min ... .max, using: &random)
      let text = String(value, radix: 2)
      let padded = String(repeating: "0", count: 64 - text.count) + text
      #expect(value.bitReversed == UInt64(String(padded.reversed()), radix: 2))
    }
  }

  @Test(arguments: Seeds.sample(20))
  func `what is written is read, and cut rows are refused`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let number = Int64.random(in: .min ... .max, using: &random)
    let small = Bool.random(using: &random) ? Int32.random(in: .min ... .max, using: &random) : nil
    let real = Double.random(in: -1e9...1e9, using: &random)
    let text = Bool.random(using: &random) ? "Zürich \(number) 東京" : nil
    let data = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
      UInt8.random(in: .min ... .max, using: &random)
    }
    let bits = (0..<64).map { _ in UInt64.random(in: .min ... .max, using: &random) }
    var rows = CopyRows()
    rows.begin(fields: 6)
    rows.put(number)
    rows.put(small)
    rows.put(real)
    rows.put(text)
    rows.put(data)
    rows.put(bits: bits)
    for message in [CopyRows.header + rows.bytes, rows.bytes] {
      var reader = try #require(try CopyRowReader(message, fields: 6, of: "t"))
      #expect(try reader.int64() == number)
      #expect(try reader.int32() == small)
      #expect(try reader.double() == real)
      #expect(try reader.text() == text)
      #expect(try reader.data() == data)
      #expect(try reader.bits() == bits)
    }
    for count in 0..<rows.bytes.count {
      #expect(throws: PostgresError.self) {
        var reader = try #require(
          try CopyRowReader(Array(rows.bytes.prefix(count)), fields: 6, of: "t"))
        _ = (try reader.int64(), try reader.int32(), try reader.double())
        _ = (try reader.text(), try reader.data(), try reader.bits())
      }
    }
    let hasRow = try CopyRowReader(CopyRows.trailer, fields: 6, of: "t") != nil
    #expect(!hasRow)
    #expect(throws: PostgresError.self) { try CopyRowReader(rows.bytes, fields: 5, of: "t") }
  }

  @Test func `a zero byte, which PostgreSQL has in no text, becomes a space`() {
    var rows = CopyRows()
    rows.put("a\0b")
    #expect(rows.bytes.suffix(3) == Array("a b".utf8))
  }
}
