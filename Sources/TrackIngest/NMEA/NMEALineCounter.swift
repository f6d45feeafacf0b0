/// Counts the lines of a log, and finds its first binary byte.
///
/// A line ends with LF, CR or both: the line number is one more than the larger of the two counts,
/// for each of the three conventions.
struct NMEALineCounter {
  /// The line, counted from 1, of the first byte below 9 (NUL and other controls that no text has);
  /// nil if there is none.
  private(set) var firstBinaryLine: Int?
  /// True if there were only blanks and line ends.
  private(set) var isBlank = true

  private var lineFeeds = 0
  private var carriageReturns = 0
  /// The current piece, only between ``begin(_:count:)`` and ``end()``: the caller keeps it in
  /// memory, and `pieceCount` bounds all reads.
  private var piece: UnsafePointer<UInt8>?
  private var pieceCount = 0
  /// Bytes of the piece that have been counted.
  private var counted = 0

  /// The line that the last piece ended on.
  var lastLine: Int { 1 + max(lineFeeds, carriageReturns) }

  /// Begins a piece, which must stay valid until ``end()``.
  mutating func begin(_ start: UnsafePointer<UInt8>, count: Int) {
    (piece, pieceCount, counted) = (start, count, 0)
    if isBlank {
      for index in 0..<count where start[index] > 0x20 || start[index] < 9 {
        isBlank = false
        break
      }
    }
    if firstBinaryLine == nil, Self.hasBinary(start, count: count) {
      var (lineFeeds, carriageReturns) = (lineFeeds, carriageReturns)
      for index in 0..<count {
        if start[index] < 9 { break }
        if start[index] == 0x0A { lineFeeds += 1 }
        if start[index] == 0x0D { carriageReturns += 1 }
      }
      firstBinaryLine = 1 + max(lineFeeds, carriageReturns)
    }
  }

  /// The line of the byte at an offset of the piece. Offsets may only grow from call to call.
  @inline(__always)
  mutating func line(at offset: Int) -> Int {
    count(upTo: offset)
    return lastLine
  }

  /// Counts the rest of the piece and forgets it.
  mutating func end() {
    count(upTo: pieceCount)
    piece = nil
  }

  @inline(__always)
  private mutating func count(upTo offset: Int) {
    guard let piece, offset > counted else { return }
    // At most 255 words at a time, so that the counts in the eight lanes of a word do not overflow.
    while counted < offset {
      let end = min(offset, counted + 255 * 8)
      var (feeds, returns): (UInt64, UInt64) = (0, 0)
      while counted + 8 <= end {
        // Sound: eight bytes lie before `end`, and offsets lie in the piece.
        let word = UnsafeRawPointer(piece).loadUnaligned(fromByteOffset: counted, as: UInt64.self)
        feeds &+= Self.lanes(of: 0x0A0A_0A0A_0A0A_0A0A, in: word)
        returns &+= Self.lanes(of: 0x0D0D_0D0D_0D0D_0D0D, in: word)
        counted += 8
      }
      lineFeeds &+= Self.sum(feeds)
      carriageReturns &+= Self.sum(returns)
      if end - counted < 8 {
        while counted < end {
          if piece[counted] == 0x0A { lineFeeds &+= 1 }
          if piece[counted] == 0x0D { carriageReturns &+= 1 }
          counted += 1
        }
      }
    }
  }

  /// A word with 1 in each byte where `word` equals `pattern`, otherwise 0.
  @inline(__always)
  private static func lanes(of pattern: UInt64, in word: UInt64) -> UInt64 {
    let difference = word ^ pattern
    let nonZero = ((difference & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | difference
    return (~nonZero & 0x8080_8080_8080_8080) &>> 7
  }

  /// The sum of the eight bytes of a word.
  @inline(__always)
  private static func sum(_ lanes: UInt64) -> Int {
    let even = lanes & 0x00FF_00FF_00FF_00FF
    let odd = (lanes &>> 8) & 0x00FF_00FF_00FF_00FF
    return Int(((even &+ odd) &* 0x0001_0001_0001_0001) &>> 48)
  }

  /// Returns true if any byte is below 9.
  ///
  /// Sound: `start` has `count` bytes, and words are read only where 64 bytes are left.
  private static func hasBinary(_ start: UnsafePointer<UInt8>, count: Int) -> Bool {
    var position = 0
    while position + 64 <= count {
      var found: UInt64 = 0
      for lane in 0..<8 {
        let word = UnsafeRawPointer(start).loadUnaligned(
          fromByteOffset: position + lane * 8, as: UInt64.self)
        found |= ~(((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7777_7777_7777_7777) | word)
      }
      if found & 0x8080_8080_8080_8080 != 0 { return true }
      position += 64
    }
    while position < count {
      if start[position] < 9 { return true }
      position += 1
    }
    return false
  }
}
