@testable import Geocode

/// Writes packed files, independently of the reader, so that tests can create small files and
/// damage them on purpose.
struct PackedFileWriter {
  struct Section {
    let tag: String
    let count: Int
    let bytes: [UInt8]
  }

  let kind: GeodataKind
  var sections: [Section] = []

  mutating func add(_ tag: String, count: Int, _ bytes: [UInt8]) {
    sections.append(Section(tag: tag, count: count, bytes: bytes))
  }

  func written() -> [UInt8] {
    var body: [UInt8] = []
    var table: [UInt8] = []
    let tableEnd = PackedFile.headerSize + PackedFile.sectionEntrySize * sections.count
    for section in sections {
      while (tableEnd + body.count) % PackedFile.alignment != 0 { body.append(0) }
      table +=
        Array(section.tag.utf8) + Self.u32(tableEnd + body.count) + Self.u32(section.bytes.count)
      table += Self.u32(section.count)
      body += section.bytes
    }
    let rest = Self.u32(20_260_315) + Self.u32(0) + table + body
    let head = PackedFile.magic + Self.u16(PackedFile.formatVersion) + Self.u16(kind.rawValue)
    return Self.sealed(
      head + Self.u32(sections.count) + Self.u32(24 + rest.count) + Self.u32(0) + rest)
  }

  /// Returns the bytes with the correct length and checksum.
  static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 24 else { return bytes }
    var bytes = bytes
    bytes.replaceSubrange(16..<20, with: u32(bytes.count))
    let checksum = bytes.withUnsafeBytes {
      CRC32.checksum(UnsafeRawBufferPointer(rebasing: $0[24...]))
    }
    bytes.replaceSubrange(20..<24, with: u32(Int(checksum)))
    return bytes
  }

  static func u16(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
  static func u32(_ value: Int) -> [UInt8] { u16(value & 0xFFFF) + u16(value >> 16 & 0xFFFF) }
}
