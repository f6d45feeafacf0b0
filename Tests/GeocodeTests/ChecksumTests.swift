import TestSupport
import Testing

@testable import Geocode

/// The checksum of packed files, compared with zlib's.
@Suite struct ChecksumTests {
  @Test func `the checksum has the check value of CRC-32`() {
    // Catalog of CRC algorithms, CRC-32/ISO-HDLC.
    #expect(Self.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(Self.checksum([]) == 0)
  }

  @Test func `the checksum of every length and offset is zlib's`() {
    let bytes = (0..<600).map { UInt8(truncatingIfNeeded: $0 * 167 / 5) }
    for offset in 0..<8 {
      for count in 0...64 {
        let piece = Array(bytes[offset..<(offset + count)])
        #expect(Self.checksum(piece) == Deflate.crc32(piece))
      }
    }
    #expect(Self.checksum(bytes) == Deflate.crc32(bytes))
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { CRC32.checksum($0) }
  }
}
