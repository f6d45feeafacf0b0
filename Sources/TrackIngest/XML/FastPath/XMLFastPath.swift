/// Helpers of the fast paths of XML formats, which read whole plain elements that are in one run of
/// memory, several bytes at a time.
///
/// A fast path handles only what almost every file contains. At the first unexpected byte it gives
/// up, and the exact path reads the same element again. Both paths give the same values.
///
/// - Bounds: `limit` is ``slack`` bytes before the end of the memory. Every position is checked to
///   be at most `limit`, or at most `slack - 8` bytes after a checked one, before it is read.
enum XMLFastPath {
  /// A position in the piece that is scanned: see *Bounds*.
  typealias Position = UnsafePointer<UInt8>

  /// The number of bytes that must follow a checked position: the longest run read without a check
  /// (a time with its end tag, 31 bytes) and one load of 8.
  static let slack = 64
  /// The longest name that is read: with the load after it, it ends within the slack.
  static var longestName: Int { 48 }

  /// The last date read: the next point almost always has the same.
  struct DateCache {
    /// The bytes `YYYY-MM-` and `DD`.
    var yearAndMonth: UInt64 = 0
    var day: UInt16 = 0
    /// Midnight of that day in milliseconds since 1970.
    var midnight: Int64 = 0
  }

  /// The position after the end tag at `markup`, if it closes the element whose name begins at
  /// `name`.
  @inline(__always)
  static func end(_ markup: Position, named name: Position, length: Int, _ limit: Position)
    -> Position?
  {
    let end = markup + 2
    guard end + length <= limit else { return nil }
    // Eight bytes at a time; of the last word only the bytes of the name.
    var done = 0
    while length - done >= 8 {
      guard load(end + done) == load(name + done) else { return nil }
      done += 8
    }
    let rest = UInt64(8 &* (length - done))
    guard (load(end + done) ^ load(name + done)) & ((1 << rest) &- 1) == 0 else { return nil }
    return end[length] == 0x3E ? end + length + 1 : nil
  }

  /// The position of the next `<`, if only plain ASCII is before it.
  @inline(__always)
  static func textEnd(_ start: Position, _ limit: Position) -> Position? {
    var at = isSpace(start.pointee) ? skipSpaces(start, limit) : start
    while at <= limit {
      let (plain, isEnd) = plainRun(at)
      at += plain
      if isEnd { return at }
      if plain == 8 { continue }
      let byte = at.pointee
      if byte == 0x3C { return at }
      guard (byte >= 0x20 && byte < 0x7F && byte != 0x26) || isSpace(byte) else { return nil }
      at += 1
    }
    return nil
  }
}
