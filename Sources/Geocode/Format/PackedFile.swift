/// The checks made when a packed file is opened, depending on where its bytes come from.
package enum Trust: Sendable {
  /// Linked into the program and checked by its tests: only the header and the section table are
  /// read, so that a new process can answer immediately.
  case linkedIn
  /// From outside of the program: the checksum and every offset, count and label are checked.
  case outside
  /// Like `outside`, but without the checksum, for tests of the other checks.
  case outsideIgnoringChecksum
}

/// A packed file: header, table of sections, sections. `docs/formats/geodata.md` describes the
/// layout.
///
/// It does not own its bytes: the creator keeps them alive and unchanged.
struct PackedFile {
  static let magic: [UInt8] = Array("RoquaGeo".utf8)
  static let formatVersion = 1
  static let headerSize = 32
  static let sectionEntrySize = 16
  static let alignment = 8

  let kind: GeodataKind
  let bytes: UnsafeRawBufferPointer
  /// The date of the newest information in the data, as a number: 20260315.
  let vintage: UInt32
  private let sectionCount: Int

  /// Reads the header and checks that every section lies within the file.
  ///
  /// Sound: the header and the table are read only if the bytes are long enough for them.
  ///
  /// - Throws: every case of ``GeocodeError`` except `unreadable`.
  init(_ bytes: UnsafeRawBufferPointer, kind: GeodataKind, trust: Trust) throws(GeocodeError) {
    guard bytes.count >= Self.headerSize, bytes.prefix(8).elementsEqual(Self.magic) else {
      throw .notGeodata(kind)
    }
    let version = Int(bytes.u16(8))
    guard version == Self.formatVersion else { throw .unsupportedVersion(kind, found: version) }
    let foundKind = Int(bytes.u16(10))
    guard foundKind == kind.rawValue else { throw .wrongKind(expected: kind, found: foundKind) }
    let stated = Int(bytes.u32(16))
    guard stated == bytes.count else {
      throw .wrongLength(kind, stated: stated, found: bytes.count)
    }
    if trust == .outside {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[24...])
      guard CRC32.checksum(rest) == bytes.u32(20) else { throw .checksumMismatch(kind) }
    }
    self.kind = kind
    self.bytes = bytes
    vintage = bytes.u32(24)
    sectionCount = Int(bytes.u32(12))
    let tableEnd = Self.headerSize + Self.sectionEntrySize * sectionCount
    guard sectionCount <= 64, bytes.count >= tableEnd else {
      throw .damaged(kind, section: "table")
    }
    for index in 0..<sectionCount {
      let entry = Self.headerSize + Self.sectionEntrySize * index
      let offset = Int(bytes.u32(entry + 4))
      guard offset % Self.alignment == 0, offset >= tableEnd,
        offset + Int(bytes.u32(entry + 8)) <= bytes.count
      else { throw .damaged(kind, section: "table") }
    }
  }

  /// A section: its bytes and the number of its elements.
  ///
  /// Sound: its bytes lie within those of the file and live as long.
  struct Section {
    let kind: GeodataKind
    let tag: String
    let bytes: UnsafeRawBufferPointer
    let count: Int

    /// Returns this section if it consists of `count` elements of `size` bytes each.
    func sized(_ size: Int, count expected: Int? = nil) throws(GeocodeError) -> Section {
      guard bytes.count == count * size, expected == nil || expected == count else {
        throw .damaged(kind, section: tag)
      }
      return self
    }

    /// The error that reports this section as damaged.
    var damaged: GeocodeError { .damaged(kind, section: tag) }
  }

  /// Returns the section with a four-letter tag.
  ///
  /// Sound: `init` has checked that the table and every section lie within the bytes.
  ///
  /// - Throws: ``GeocodeError/damaged(_:section:)`` if the section is missing.
  func section(_ tag: String) throws(GeocodeError) -> Section {
    let letters = Array(tag.utf8)
    for index in 0..<sectionCount {
      let entry = Self.headerSize + Self.sectionEntrySize * index
      guard bytes[entry..<entry + 4].elementsEqual(letters) else { continue }
      let offset = Int(bytes.u32(entry + 4))
      let length = Int(bytes.u32(entry + 8))
      return Section(
        kind: kind, tag: tag,
        bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]),
        count: Int(bytes.u32(entry + 12)))
    }
    throw .damaged(kind, section: tag)
  }
}

// Sound if the offset is in range, which `PackedFile.init` or `Section.sized` has checked.
extension UnsafeRawBufferPointer {
  /// The little-endian number at this offset, which must be in range; checked in debug builds.
  @inline(__always) func u16(_ offset: Int) -> UInt16 {
    UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
  @inline(__always) func u32(_ offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
  @inline(__always) func f64(_ offset: Int) -> Double {
    Double(bitPattern: UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
  }
}

// Sound if the offset is in range, which `validate` has checked, or for linked files the tests.
extension UnsafeRawPointer {
  /// The little-endian number at this offset; unchecked.
  @inline(__always) func u16(_ offset: Int) -> UInt16 {
    UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
  @inline(__always) func u32(_ offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
  @inline(__always) func i32(_ offset: Int) -> Int32 {
    Int32(littleEndian: loadUnaligned(fromByteOffset: offset, as: Int32.self))
  }
}
