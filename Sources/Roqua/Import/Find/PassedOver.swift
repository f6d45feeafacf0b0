import TrackIngest

/// Files of a folder or an archive that are counted, and not reported one by one.
struct PassedOver: Sendable {
  /// The number of files that hold no tracks.
  private(set) var ignored = 0
  /// The numbers of files that hold no tracks by extension, in lower case; at most ``kindLimit`` of
  /// them, and the rest as ``other``.
  private(set) var ignoredKinds: [String: Int] = [:]
  /// The numbers of files that hold tracks and cannot be read yet, by kind.
  private(set) var unsupported: [UnsupportedKind: Int] = [:]

  /// The number of extensions that are counted apart.
  static let kindLimit = 64
  /// The longest extension that is one.
  static let longestExtension = 8
  /// The kind of all other files.
  static let other = "other"

  /// Counts a file that holds no tracks.
  mutating func ignore(_ path: String) { ignore(1, of: Self.kind(of: path)) }

  /// Counts a file of a kind that holds tracks and cannot be read yet.
  mutating func skip(_ kind: UnsupportedKind) { unsupported[kind, default: 0] += 1 }

  /// Counts all files of another count.
  mutating func add(_ files: PassedOver) {
    for (kind, number) in files.ignoredKinds.sorted(by: { $0.key < $1.key }) {
      ignore(number, of: kind)
    }
    unsupported.merge(files.unsupported, uniquingKeysWith: +)
  }

  /// Discards the files without tracks that were counted since an earlier moment.
  mutating func forgetIgnored(since earlier: PassedOver) {
    (ignored, ignoredKinds) = (earlier.ignored, earlier.ignoredKinds)
  }

  private mutating func ignore(_ number: Int, of kind: String) {
    ignored += number
    let isKnown = ignoredKinds[kind] != nil || ignoredKinds.count < Self.kindLimit
    ignoredKinds[isKnown ? kind : Self.other, default: 0] += number
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
