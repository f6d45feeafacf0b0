/// Writes a zip archive of deflated members from the first byte to the last, as a pipe needs it.
/// Not `Sendable`.
///
/// Calls come in this order: for each member ``begin(_:)``, ``write(_:)`` for its bytes and
/// ``end()``; then ``finish()`` once. The same calls give the same bytes: every member is dated
/// 1980-01-01, the first day that the format knows.
///
/// - Memory: under 512 KiB, and the name and the numbers of each member.
/// - Source: PKWARE's APPNOTE.TXT 6.3.10. Checksum and sizes follow each member in a data
///   descriptor (4.3.9). Archives have zip64 fields (4.5.3) only if a number needs them, because
///   programs that read KMZ files may not know them. The descriptor of a member of 4 GiB or more
///   has sizes of 8 bytes although its local header, written before, cannot announce that: readers
///   go by the directory or, like ``ZipArchive``, recognize both.
package final class ZipWriter {
  /// A member that is complete.
  struct Member {
    var name: [UInt8]
    var offset: UInt64
    var crc: UInt32 = 0
    var compressed: UInt64 = 0
    var expanded: UInt64 = 0
  }

  private let sink: ([UInt8]) -> Bool
  private let deflater: DeflateStream
  /// The number from which a zip64 field holds it.
  private let large: UInt64
  private var members: [Member] = []
  private var buffer: [UInt8] = []
  private var writtenBytes: UInt64 = 0
  private var isRefused = false

  /// The size from which the buffer is given to the sink.
  private static let pieceBytes = 1 << 16

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - level: zlib's level, 1 (fast) to 9 (small).
  ///   - sink: takes the bytes in order; returns false if it cannot.
  /// - Throws: ``StreamError`` if there is not enough memory.
  package convenience init(
    level: Int = 6, _ sink: @escaping ([UInt8]) -> Bool
  ) throws(StreamError) {
    try self.init(level: level, largeFrom: 0xFFFF_FFFF, sink)
  }

  /// - Parameter large: the number from which zip64 fields are written; tests lower it.
  init(level: Int, largeFrom large: UInt64, _ sink: @escaping ([UInt8]) -> Bool) throws(StreamError)
  {
    (self.sink, self.large) = (sink, large)
    deflater = try DeflateStream(.raw, level: level)
  }

  /// Begins a member.
  ///
  /// - Parameter name: its path, with `/` between folders; at most 65 535 bytes in UTF-8.
  package func begin(_ name: String) {
    let name = Array(name.utf8)
    precondition(name.count <= 0xFFFF, "the name of a member is too long")
    let member = Member(name: name, offset: offset)
    members.append(member)
    buffer.append(local: member)
  }

  /// Adds bytes to the member; returns false if the sink has refused bytes.
  package func write(_ bytes: [UInt8]) -> Bool {
    let last = members.count - 1
    bytes.withUnsafeBytes { bytes in
      members[last].crc = CRC32.continued(members[last].crc, with: bytes)
      deflater.write(bytes) { take($0) }
    }
    members[last].expanded += UInt64(bytes.count)
    return flushIfFull()
  }

  /// Ends the member; returns false if the sink has refused bytes.
  package func end() -> Bool {
    deflater.finish { take($0) }
    if let member = members.last { buffer.append(descriptor: member, large: large) }
    return flushIfFull()
  }

  /// Completes the archive; returns false if the sink has refused bytes.
  package func finish() -> Bool {
    let start = offset
    for member in members {
      buffer.append(central: member, large: large)
      guard flushIfFull() else { return false }
    }
    buffer.append(
      endOf: UInt64(members.count), from: start, count: offset - start, large: large)
    return flush()
  }

  /// The position of the next byte in the archive.
  private var offset: UInt64 { writtenBytes + UInt64(buffer.count) }

  private func take(_ piece: UnsafeRawBufferPointer) {
    members[members.count - 1].compressed += UInt64(piece.count)
    buffer.append(contentsOf: piece)
    _ = flushIfFull()
  }

  private func flushIfFull() -> Bool {
    buffer.count < Self.pieceBytes ? !isRefused : flush()
  }

  private func flush() -> Bool {
    if !isRefused { isRefused = !sink(buffer) }
    writtenBytes += UInt64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
    return !isRefused
  }
}
