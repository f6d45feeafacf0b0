import ByteStreams

/// The name of a file of Fog of World's `Sync` folder. Only the name says where the tile lies.
///
/// It has three parts: the first four digits of the MD5 digest of the tile's number, the number in
/// letters, and its last two digits in other letters. `docs/formats/fog-of-world.md` has the
/// letters.
package struct FogOfWorldName: Hashable, Sendable {
  /// The number of tiles across the world, and from its northern to its southern edge.
  static let tilesAcrossWorld = 512

  /// The tile's number: its row from the north × 512 + its column from the west.
  package let number: Int
  /// True if the first part belongs to the number.
  package let hasRightPrefix: Bool

  private static let numberLetters = Array("olhwjsktri".utf8)
  private static let checkLetters = Array("eizxdwknmo".utf8)

  /// Reads the number from a path; nil if the name is not of this form. Letters may be in upper
  /// case. Words that a program adds to a copy's name (` (1)`, `.bak`) do not matter.
  package init?(path: String) {
    let base = path.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.last
    guard let base else { return nil }
    // Four digits, one to six for the number, two to check it.
    let head = base.prefix(13).prefix(while: Self.isLetterOrDigit)
    let letters = head.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    guard (7...12).contains(letters.count),
      letters.prefix(4).allSatisfy({ $0 <= UInt8(ascii: "f") })
    else { return nil }
    let digits = letters[4..<letters.count - 2].map { Self.numberLetters.firstIndex(of: $0) }
    var number = 0
    for digit in digits {
      guard let digit else { return nil }
      number = 10 * number + digit
    }
    // The app writes no leading zeros.
    guard digits.count == 1 || digits.first != 0,
      letters[letters.count - 2] == Self.checkLetters[number / 10 % 10],
      letters[letters.count - 1] == Self.checkLetters[number % 10]
    else { return nil }
    self.number = number
    let digest = ShortMD5.hexadecimal(Array(String(number).utf8))
    hasRightPrefix = digest.utf8.prefix(4).elementsEqual(letters.prefix(4))
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// True if the world has a tile of this number.
  package var isOnMap: Bool { number < Self.tilesAcrossWorld * Self.tilesAcrossWorld }

  /// Whether the name alone shows that a file is a tile: all three parts belong together, which a
  /// name of another program does once in some 10⁸ names.
  package var isCertain: Bool { hasRightPrefix && isOnMap }

  /// What the digest of a tile's bytes continues with, so that equal tiles of different places are
  /// different sources.
  package var digestSuffix: [UInt8] { Array("tile \(number)".utf8) }

  /// Whether a path is that of a summary in a snapshot, which repeats its tiles at lower
  /// resolutions: a file in a folder `~` or `#`.
  package static func isSummary(path: String) -> Bool {
    let folder = path.split { $0 == "/" || $0 == "\\" }.dropLast().last
    return folder == "~" || folder == "#"
  }
}
