extension StringProtocol {
  /// Whether the text contains a part of at least one character.
  ///
  /// An ASCII part is sought byte by byte: Foundation searches by characters, which takes longer,
  /// and every text without a known format is searched for the names of a table's columns.
  ///
  /// - Complexity: O(length of the text × length of the part).
  func hasPart(_ part: String) -> Bool {
    guard let first = part.utf8.first, part.utf8.allSatisfy({ $0 < 0x80 }) else {
      return contains(part)
    }
    var rest = utf8[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: part.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
