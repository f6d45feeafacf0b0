/// An object or array that is skipped: only its brackets and strings are looked at, so that it may
/// be nested any number of levels deep.
struct JSONSkipping {
  /// The number of open objects and arrays; 0 if nothing is skipped.
  private(set) var depth = 0
  private var isInString = false
  private var isAfterBackslash = false

  /// Nothing is skipped.
  init() {}

  /// `depth` objects and arrays are open.
  init(depth: Int) { self.depth = depth }

  /// Skips bytes up to the bracket that closes the outermost one. Returns the position after it, or
  /// `end`.
  ///
  /// Sound: `at` is compared with `end` before each read.
  ///
  /// - Complexity: O(bytes), eight at a time between quotation marks and brackets.
  mutating func skip(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>)
    -> UnsafePointer<UInt8>
  {
    var at = start
    var depth = depth
    var isInString = isInString
    defer { (self.depth, self.isInString) = (depth, isInString) }
    if isAfterBackslash, at < end {
      isAfterBackslash = false
      at += 1
    }
    while at < end {
      if isInString {
        at = JSONWords.findStringEnd(at, end)
        guard at < end else { return at }
        isInString = at.pointee != 0x22
        at += 1
        if isInString {
          isAfterBackslash = at == end
          if at < end { at += 1 }
        }
        continue
      }
      at = JSONWords.findBracketOrQuote(at, end)
      guard at < end else { return at }
      let byte = at.pointee
      at += 1
      if byte == 0x22 {
        isInString = true
      } else if byte | 0x20 == 0x7B {
        depth += 1
      } else if byte | 0x20 == 0x7D {
        depth -= 1
        if depth == 0 { return at }
      }
    }
    return at
  }
}
