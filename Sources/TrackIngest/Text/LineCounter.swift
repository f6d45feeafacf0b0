/// Counts lines in a stream that comes in chunks, only up to where somebody asks.
///
/// A line ends with LF, CR LF or a lone CR, as in XML. The pair may lie across two chunks.
struct LineCounter {
  /// The line reached so far, counted from 1.
  private(set) var line = 1
  private var mark: UnsafePointer<UInt8>?
  private var hasCarriageReturns = false
  private var lastWasCarriageReturn = false

  /// Starts a chunk. Its memory must stay valid until ``endChunk(at:)``.
  mutating func beginChunk(_ chunk: UnsafeBufferPointer<UInt8>) {
    mark = chunk.baseAddress
    hasCarriageReturns = lastWasCarriageReturn || chunk.contains(0x0D)
  }

  /// Counts up to the end of what was read of the chunk and forgets its memory.
  mutating func endChunk(at end: UnsafePointer<UInt8>) {
    _ = line(at: end)
    mark = nil
  }

  /// The line, counted from 1, of the byte at `position` in this chunk. Positions must not go back.
  ///
  /// - Complexity: O(bytes since the last call), some 16 bytes a cycle.
  @inline(__always)
  mutating func line(at position: UnsafePointer<UInt8>) -> Int {
    guard var at = mark else { return line }
    mark = position
    if hasCarriageReturns {
      countAnyEnds(from: at, to: position)
      return line
    }
    var counts = SIMD16<UInt8>()
    var rounds = 0
    while position - at >= 16 {
      let bytes = UnsafeRawPointer(at).loadUnaligned(as: SIMD16<UInt8>.self)
      counts &+= SIMD16<UInt8>(repeating: 1).replacing(with: 0, where: bytes .!= 0x0A)
      at += 16
      rounds += 1
      if rounds == 255 {
        line &+= Self.sum(counts)
        counts = SIMD16<UInt8>()
        rounds = 0
      }
    }
    if rounds > 0 { line &+= Self.sum(counts) }
    while at < position {
      if at.pointee == 0x0A { line &+= 1 }
      at += 1
    }
    return line
  }

  @inline(__always)
  private static func sum(_ counts: SIMD16<UInt8>) -> Int {
    let pairs =
      SIMD8<UInt16>(truncatingIfNeeded: counts.lowHalf) &+ SIMD8<UInt16>(truncatingIfNeeded: counts.highHalf)
    return Int(pairs.wrappedSum())
  }

  private mutating func countAnyEnds(from start: UnsafePointer<UInt8>, to position: UnsafePointer<UInt8>) {
    var at = start
    var wasCarriageReturn = lastWasCarriageReturn
    while at < position {
      let byte = at.pointee
      if byte == 0x0D || (byte == 0x0A && !wasCarriageReturn) { line &+= 1 }
      wasCarriageReturn = byte == 0x0D
      at += 1
    }
    lastWasCarriageReturn = wasCarriageReturn
  }
}
