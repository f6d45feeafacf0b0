/// Counts files without tracks by the extensions of their names.
struct IgnoredFiles: Hashable, Sendable {
  /// The number of files.
  private(set) var count = 0
  /// The numbers of files by extension, in lower case; at most ``kindLimit`` of them, and the rest
  /// as ``other``.
  private(set) var kinds: [String: Int] = [:]

  /// The number of extensions that are counted apart.
  static let kindLimit = 64
  /// The longest extension that is one.
  static let longestExtension = 8
  /// The kind of all other files.
  static let other = "other"

  /// Counts a file.
  mutating func add(_ path: String) { add(1, of: Self.kind(of: path)) }

  /// Counts all files of another count.
  mutating func add(_ files: IgnoredFiles) {
    for (kind, number) in files.kinds.sorted(by: { $0.key < $1.key }) { add(number, of: kind) }
  }

  private mutating func add(_ number: Int, of kind: String) {
    count += number
    let isKnown = kinds[kind] != nil || kinds.count < Self.kindLimit
    kinds[isKnown ? kind : Self.other, default: 0] += number
  }

  /// The extension of a file's name in lower case if it has one to eight ASCII letters and digits;
  /// else ``other``.
  static func kind(of path: String) -> String {
    let name = path.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.last
    guard let name, let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return other
    }
    let letters = name[name.index(after: dot)...]
    guard (1...longestExtension).contains(letters.count),
      letters.allSatisfy({ byte in
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
      })
    else { return other }
    return String(Substring(letters)).lowercased()
  }
}
