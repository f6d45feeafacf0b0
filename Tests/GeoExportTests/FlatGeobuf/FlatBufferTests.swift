import Testing

@testable import GeoExport

@Suite struct FlatBufferTests {
  @Test func `a table follows its virtual table, its largest fields first`() {
    var buffer = FlatBuffer()
    let fields = buffer.appendTable(
      at: FlatBuffer.root, [.byte(7), nil, .long(0x0102_0304_0506_0708), .reference])
    buffer.appendString(at: fields[3], "é")
    buffer.finish()
    #expect(
      buffer.bytes == [
        44, 0, 0, 0,  // the bytes that follow
        16, 0, 0, 0,  // the table is at 20
        12, 0, 17, 0, 16, 0, 0, 0, 4, 0, 12, 0,  // the virtual table, at 8
        12, 0, 0, 0,  // the table: its virtual table is 12 bytes before
        8, 7, 6, 5, 4, 3, 2, 1,
        8, 0, 0, 0,  // the string is at 40
        7, 0, 0, 0,
        2, 0, 0, 0, 0xC3, 0xA9, 0, 0,
      ])
    #expect(fields == [36, 20, 24, 32])
  }
}
