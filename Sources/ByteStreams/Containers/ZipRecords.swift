/// The records of a zip archive as ``ZipWriter`` writes them, little-endian.
///
/// - Source: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.7 (local), 4.3.9 (descriptor), 4.3.12
///   (central), 4.3.14 to 4.3.16 (end), 4.5.3 (zip64).
extension [UInt8] {
  /// The version that a reader needs: deflate, and zip64.
  private static let (plainVersion, zip64Version) = (20, 45)
  /// A data descriptor follows (bit 3), and the name is in UTF-8 (bit 11).
  private static let flags = 0x808
  /// 1980-01-01, 00:00, as the time and date of MS-DOS.
  private static let date = 0x21_0000
  /// A regular file that its owner may write and all may read, in the upper half.
  private static let attributes = 0o100644 << 16

  mutating func append(local member: ZipWriter.Member) {
    append(ZipHeader.Signature.local, 4)
    appendVersion(Self.plainVersion)
    // The checksum and the sizes follow.
    for _ in 0..<3 { append(0, 4) }
    append(UInt64(member.name.count), 2)
    append(0, 2)
    append(contentsOf: member.name)
  }

  mutating func append(descriptor member: ZipWriter.Member, large: UInt64) {
    let sizeBytes = member.compressed >= large || member.expanded >= large ? 8 : 4
    append(ZipHeader.Signature.descriptor, 4)
    append(UInt64(member.crc), 4)
    append(member.compressed, sizeBytes)
    append(member.expanded, sizeBytes)
  }

  mutating func append(central member: ZipWriter.Member, large: UInt64) {
    // In this order in the zip64 field.
    let numbers = [member.expanded, member.compressed, member.offset]
    let extra = numbers.filter { $0 >= large }
    append(ZipHeader.Signature.central, 4)
    append(UInt64(3 << 8 | Self.zip64Version), 2)  // made on Unix, so that attributes count
    appendVersion(extra.isEmpty ? Self.plainVersion : Self.zip64Version)
    append(UInt64(member.crc), 4)
    append(number(member.compressed, large), 4)
    append(number(member.expanded, large), 4)
    append(UInt64(member.name.count), 2)
    append(extra.isEmpty ? 0 : UInt64(4 + 8 * extra.count), 2)
    // No comment, the first disk, no hints of the contents.
    for _ in 0..<3 { append(0, 2) }
    append(UInt64(Self.attributes), 4)
    append(number(member.offset, large), 4)
    append(contentsOf: member.name)
    guard !extra.isEmpty else { return }
    append(1, 2)
    append(UInt64(8 * extra.count), 2)
    for number in extra { append(number, 8) }
  }

  /// Appends the records behind the directory.
  ///
  /// - Parameters:
  ///   - members: the number of members.
  ///   - start: the position of the directory.
  ///   - bytes: its length.
  mutating func append(
    endOf members: UInt64, from start: UInt64, count bytes: UInt64, large: UInt64
  ) {
    let most: UInt64 = 0xFFFF
    if members >= most || start >= large || bytes >= large {
      append(ZipHeader.Signature.zip64End, 4)
      append(UInt64(ZipHeader.zip64EndBytes - 12), 8)  // the bytes after this number
      append(UInt64(Self.zip64Version), 2)
      append(UInt64(Self.zip64Version), 2)
      append(0, 4)
      append(0, 4)
      append(members, 8)
      append(members, 8)
      append(bytes, 8)
      append(start, 8)
      append(ZipHeader.Signature.zip64Locator, 4)
      append(0, 4)
      append(start + bytes, 8)
      append(1, 4)
    }
    append(ZipHeader.Signature.end, 4)
    append(0, 4)
    append(Swift.min(members, most), 2)
    append(Swift.min(members, most), 2)
    append(number(bytes, large), 4)
    append(number(start, large), 4)
    append(0, 2)
  }

  /// Appends the version that is needed, the flags, the method deflate and the date.
  private mutating func appendVersion(_ version: Int) {
    append(UInt64(version), 2)
    append(UInt64(Self.flags), 2)
    append(UInt64(ZipMember.Method.deflated), 2)
    append(UInt64(Self.date), 4)
  }

  /// A number for a field of 4 bytes: all ones if the zip64 field holds it.
  private func number(_ value: UInt64, _ large: UInt64) -> UInt64 {
    value >= large ? 0xFFFF_FFFF : value
  }

  private mutating func append(_ value: UInt64, _ bytes: Int) {
    for place in 0..<bytes { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place))) }
  }
}
