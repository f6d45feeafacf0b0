/// Finds the entries of a JSON list in its text.
enum JSONListText {
  /// The byte range of each entry, without the white space around it. The text must be a valid JSON
  /// list.
  ///
  /// - Complexity: O(bytes).
  static func entries(_ bytes: [UInt8]) -> [Range<Int>] {
    var entries: [Range<Int>] = []
    var (depth, isInString, isEscaped) = (0, false, false)
    var (first, last): (Int?, Int) = (nil, 0)
    for (index, byte) in bytes.enumerated() {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        last = index
        continue
      }
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
      case UInt8(ascii: "]") where depth == 1, UInt8(ascii: ",") where depth == 1:
        if let start = first { entries.append(start..<last + 1) }
        first = nil
        if byte == UInt8(ascii: "]") { return entries }
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth == 1 { continue }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "\""): isInString = true
      default: if depth == 0 { continue }  // a byte order mark
      }
      if first == nil { first = index }
      last = index
    }
    return entries
  }
}
