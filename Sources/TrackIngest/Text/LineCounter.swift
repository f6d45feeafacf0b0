/// Counts lines in a stream that comes in chunks, only up to the requested positions.
///
/// A line ends with LF, CR LF or a lone CR, as in XML. The pair may be split across two chunks.
struct LineCounter {
  /// The line reached so far, counted from 1.
  private(set) var line = 1
  /// The end of the bytes counted, within the current chunk: the caller keeps the chunk valid until
  /// ``endChunk(at:)``, and asks only for positions in it.
  private var mark: UnsafePointer<UInt8>?
  private var lastWasCarriageReturn = false

  /// Starts a chunk. Its memory must stay valid until ``endChunk(at:)``.
  mutating func beginChunk(_ chunk: UnsafeBufferPointer<UInt8>) {
    mark = chunk.baseAddress
  }

  /// Counts up to the end of what was read of the chunk and forgets its memory.
  mutating func endChunk(at end: UnsafePointer<UInt8>) {
    _ = line(at: end)
    mark = nil
  }

  /// The line, counted from 1, of the byte at `position` in this chunk. Positions must not go back.
  ///
  /// Sound: bytes are read only from the last position up to this one.
  ///
  /// - Complexity: O(bytes since the last call), eight bytes at a time.
  @inline(__always)
  mutating func line(at position: UnsafePointer<UInt8>) -> Int {
    guard let start = mark else { return line }
    mark = position
    var at = start
    var added = 0
    var isWithoutReturns: UInt64 = lastWasCarriageReturn ? 0 : .max
    // Eight bytes at a time, one counter a byte. `Swift.SIMD` comparisons of bytes do not become
    // vector code.
    while position - at >= 8 {
      var counts: UInt64 = 0
      // At most 255 rounds, so that no counter overflows.
      let stop = at + min(position - at, 255 * 8) / 8 * 8
      while at < stop {
        let bytes = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self)
        counts &+= (~Self.isOther(than: 0x0A0A_0A0A_0A0A_0A0A, bytes) >> 7) & 0x0101_0101_0101_0101
        isWithoutReturns &= Self.isOther(than: 0x0D0D_0D0D_0D0D_0D0D, bytes)
        at += 8
      }
      let pairs = (counts & 0x00FF_00FF_00FF_00FF) &+ ((counts >> 8) & 0x00FF_00FF_00FF_00FF)
      added &+= Int((pairs &* 0x0001_0001_0001_0001) >> 48)
    }
    while at < position {
      if at.pointee == 0x0A { added &+= 1 }
      if at.pointee == 0x0D { isWithoutReturns = 0 }
      at += 1
    }
    if isWithoutReturns & 0x8080_8080_8080_8080 == 0x8080_8080_8080_8080 {
      line &+= added
    } else {
      countAnyEnds(from: start, to: position)
    }
    return line
  }

  /// The high bit of each byte is set where the byte differs from that of `pattern`.
  @inline(__always)
  private static func isOther(than pattern: UInt64, _ bytes: UInt64) -> UInt64 {
    let difference = bytes ^ pattern
    return ((difference & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | difference
  }

  /// Counts CR, and LF without a CR before it, eight bytes at a time.
  ///
  /// Sound: eight bytes are read only where eight lie before `position`.
  private mutating func countAnyEnds(
    from start: UnsafePointer<UInt8>, to position: UnsafePointer<UInt8>
  ) {
    var at = start
    // The high bit of the lowest byte is set where the byte before was a CR.
    var carry: UInt64 = lastWasCarriageReturn ? 0x80 : 0
    while position - at >= 8 {
      let bytes = UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
      let returns = ~Self.isOther(than: 0x0D0D_0D0D_0D0D_0D0D, bytes) & 0x8080_8080_8080_8080
      let feeds = ~Self.isOther(than: 0x0A0A_0A0A_0A0A_0A0A, bytes) & 0x8080_8080_8080_8080
      let ends = returns | (feeds & ~(returns << 8 | carry))
      line &+= Int(((ends >> 7) &* 0x0101_0101_0101_0101) >> 56)
      carry = returns >> 56
      at += 8
    }
    var wasCarriageReturn = carry != 0
    while at < position {
      let byte = at.pointee
      if byte == 0x0D || (byte == 0x0A && !wasCarriageReturn) { line &+= 1 }
      wasCarriageReturn = byte == 0x0D
      at += 1
    }
    lastWasCarriageReturn = wasCarriageReturn
  }
}
