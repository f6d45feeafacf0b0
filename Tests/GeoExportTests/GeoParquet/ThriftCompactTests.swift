import Testing

@testable import GeoExport

@Suite struct ThriftCompactTests {
  @Test func `a field is its distance and type, then its value`() {
    let bytes = ThriftCompact.structure {
      $0.field(1, Int32(1))
      $0.field(3, Int64(-2))
      $0.field(4, true)
      $0.field(5, false)
      $0.field(6, "é")
      $0.field(8, [9, 9, 9] as [UInt8])
      $0.field(9, byte: 64)
    }
    #expect(
      bytes == [
        0x15, 2, 0x26, 3, 0x11, 0x12, 0x18, 2, 0xC3, 0xA9, 0x28, 3, 9, 9, 9, 0x13, 64, 0,
      ])
  }

  @Test func `fields of an inner structure are numbered from its own start`() {
    let bytes = ThriftCompact.structure {
      $0.field(5) { $0.field(1, Int32(0)) }
      $0.field(7, Int32(0))
    }
    #expect(bytes == [0x5C, 0x15, 0, 0, 0x25, 0, 0])
  }

  @Test func `a list with 15 elements has a longer head`() {
    let short = ThriftCompact.structure {
      $0.field(1, integers: [Int32](repeating: -1, count: 14))
    }
    #expect(short == [0x19, 0xE5] + [UInt8](repeating: 1, count: 14) + [0])
    let long = ThriftCompact.structure { $0.field(1, texts: [String](repeating: "", count: 15)) }
    #expect(long == [0x19, 0xF8, 15] + [UInt8](repeating: 0, count: 15) + [0])
    let structures = ThriftCompact.structure {
      $0.field(1, each: [3, 4]) { $0.field(2, Int32($1)) }
    }
    #expect(structures == [0x19, 0x2C, 0x25, 6, 0, 0x25, 8, 0, 0])
  }

  @Test(
    arguments: [
      (0, [0]), (127, [127]), (128, [0x80, 1]), (300, [0xAC, 2]),
      (.max, [UInt8](repeating: 0xFF, count: 9) + [1]),
    ] as [(UInt64, [UInt8])])
  func `a varint has seven bits in a byte`(value: UInt64, bytes: [UInt8]) {
    var written: [UInt8] = []
    written.append(varint: value)
    #expect(written == bytes)
  }

  @Test func `zigzag numbers alternate between the signs`() {
    #expect([0, -1, 1, -2, 2].map { Int64($0).zigzag } == [0, 1, 2, 3, 4])
    #expect(Int64.max.zigzag == .max - 1 && Int64.min.zigzag == .max)
  }
}
