/// The bytes of a page of a database file, in an array of several.
struct PageBytes {
  /// The bytes that contain the page.
  let bytes: [UInt8]
  /// Where the page begins in them.
  let start: Int
  /// The number of its bytes.
  let count: Int

  /// A page that is a whole array.
  init(_ bytes: [UInt8]) { self.init(bytes, start: 0, count: bytes.count) }

  /// A part of an array.
  init(_ bytes: [UInt8], start: Int, count: Int) {
    precondition(start >= 0 && count >= 0 && start + count <= bytes.count, "the bytes have a page")
    (self.bytes, self.start, self.count) = (bytes, start, count)
  }

  /// Calls `body` with the bytes of the page.
  ///
  /// Sound: `init` has checked that the page lies in the bytes.
  func withView<Result>(_ body: (PageView) -> Result) -> Result {
    bytes.withUnsafeBytes { bytes in
      body(PageView(UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])))
    }
  }

  /// The byte at an offset in the page.
  subscript(offset: Int) -> UInt8 { withView { $0[offset] } }

  func number16(at offset: Int) -> Int { withView { $0.number16(at: offset) } }

  func number32(at offset: Int) -> UInt32 { withView { $0.number32(at: offset) } }

  /// Returns whether a part of the page has any byte other than zero, eight at a time.
  ///
  /// Sound: eight bytes are loaded only if the part has them, and the part lies in the page.
  func hasContent(in range: Range<Int>) -> Bool {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "a part lies in the page")
    return bytes.withUnsafeBytes { bytes in
      var place = start + range.lowerBound
      let end = start + range.upperBound
      while place + 8 <= end {
        if bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) != 0 { return true }
        place += 8
      }
      return bytes[place..<end].contains { $0 != 0 }
    }
  }
}

/// The bytes of a page while they are borrowed. Reading beyond the page ends the program.
///
/// Sound: only ``PageBytes/withView(_:)`` makes one, for as long as its closure runs, in which the
/// array keeps the bytes alive. Each access is checked.
struct PageView {
  private let bytes: UnsafeRawBufferPointer

  /// A page that is all of some bytes.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The number of its bytes.
  var count: Int { bytes.count }

  /// The byte at an offset in the page.
  @inline(__always)
  subscript(offset: Int) -> UInt8 { load(offset, as: UInt8.self) }

  @inline(__always)
  func number16(at offset: Int) -> Int { Int(UInt16(bigEndian: load(offset, as: UInt16.self))) }

  @inline(__always)
  func number32(at offset: Int) -> UInt32 { UInt32(bigEndian: load(offset, as: UInt32.self)) }

  /// Sound: the bytes lie in the page, in release builds too.
  @inline(__always)
  private func load<Number: FixedWidthInteger>(_ offset: Int, as type: Number.Type) -> Number
  where Number: BitwiseCopyable {
    precondition(
      offset >= 0 && offset <= bytes.count - MemoryLayout<Number>.size, "the page has the bytes")
    return bytes.loadUnaligned(fromByteOffset: offset, as: type)
  }

  /// Reads SQLite's variable-length integer: seven bits in each byte, high bits first, and all
  /// eight bits of the ninth byte. Returns nil if the page ends before it.
  @inline(__always)
  func varint(at offset: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for place in 0..<9 {
      guard offset < count else { return nil }
      let byte = self[offset]
      offset += 1
      if place == 8 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    return nil
  }
}
