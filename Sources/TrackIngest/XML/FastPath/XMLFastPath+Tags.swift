/// Start tags.
///
/// Sound: every position is checked as the type's *Bounds* says.
extension XMLFastPath {
  /// A start tag.
  struct StartTag {
    /// The local name, in the memory that is read.
    var localName: UnsafeBufferPointer<UInt8>
    /// The length of the name with its prefix.
    var nameLength: Int
    /// The position after the tag.
    var end: Position
    /// True if the element has no contents.
    var isEmpty: Bool
  }

  /// Reads the start tag at `start`, which is `<`, with plain attributes; nil if it is anything
  /// else.
  @inline(__always)
  static func startTag(_ start: Position, _ limit: Position) -> StartTag? {
    guard start <= limit else { return nil }
    let name = start + 1
    guard isLetter(name.pointee) else { return nil }
    var at = name + 1
    var colon: Position?
    let longest = name + longestName
    while at < longest, isNameByte(at.pointee) {
      if at.pointee == 0x3A, colon == nil { colon = at }
      at += 1
    }
    guard at <= limit else { return nil }
    let local = colon.map { $0 + 1 } ?? name
    let localName = UnsafeBufferPointer(start: local, count: at - local)
    let length = at - name
    if isSpace(at.pointee) {
      guard let next = skipAttributes(at, limit) else { return nil }
      at = next
    }
    let isEmpty = at.pointee == 0x2F
    guard at[isEmpty ? 1 : 0] == 0x3E else { return nil }
    return StartTag(
      localName: localName, nameLength: length, end: at + (isEmpty ? 2 : 1), isEmpty: isEmpty)
  }

  /// The position after the attributes that begin at `start`, a space, and the spaces after them.
  private static func skipAttributes(_ start: Position, _ limit: Position) -> Position? {
    var at = start
    while true {
      let isSeparate = isSpace(at.pointee)
      at = skipSpaces(at, limit)
      guard at <= limit else { return nil }
      guard isLetter(at.pointee) else { return at }
      guard isSeparate else { return nil }
      let longest = at + longestName
      while at < longest, isNameByte(at.pointee) { at += 1 }
      guard at.pointee == 0x3D, at[1] == 0x22 || at[1] == 0x27 else { return nil }
      let quote = at[1]
      at += 2
      while true {
        guard at <= limit else { return nil }
        let byte = at.pointee
        if byte == quote { break }
        guard byte >= 0x20, byte < 0x7F, byte != 0x26, byte != 0x3C else { return nil }
        at += 1
      }
      at += 1
    }
  }
}
