import ByteStreams

/// The kind of a file or stream by its first bytes, whatever its name.
package enum ContentKind: Hashable, Sendable {
  /// A track of a supported format.
  case track(SourceFormat)
  /// A gzip stream, which may contain any other kind.
  case gzip
  /// A zip archive, whose members may be tracks.
  case zip
  /// A known format that holds tracks and is not supported.
  case unsupported(UnsupportedKind)
  /// Another known format, named for a person ("a PNG image").
  case foreign(String)
  /// No bytes, or white space, zero bytes and byte order marks only.
  case empty
  /// Anything else.
  case unknown

  /// The bytes of a file that ``init(prefix:)`` uses: logs may begin with kilobytes of binary
  /// messages, and GPX with a long comment.
  package static let prefixLength = 65_536

  /// Detects the kind from the first bytes, of which ``prefixLength`` are enough.
  ///
  /// GPX is detected by its first element (`gpx` in any namespace, or a part of one if the head is
  /// lost), NMEA by a sentence with a matching checksum or a known name. UTF-16 and UTF-32 are
  /// decoded.
  ///
  /// - Complexity: O(length).
  package init(prefix: UnsafeRawBufferPointer) {
    let bytes = Array(prefix.prefix(Self.prefixLength))
    if let binary = Self.binaryKind(bytes) {
      self = binary
      return
    }
    let text = Self.narrowed(bytes)
    var start = 0
    // Blanks, and the zero bytes and other controls that a crash leaves before a file.
    while start < text.count, text[start] <= 0x20 { start += 1 }
    guard start < text.count else {
      // After a prefix of blanks there may still be GPX: the decoder decides.
      self = bytes.count < Self.prefixLength ? .empty : .track(.gpx)
      return
    }
    if text[start] == 0x3C {
      self = Self.markup(text, from: start)
    } else if NMEASniffer.findsSentence(in: text) {
      self = .track(.nmea)
    } else {
      self = Self.otherText(text[start...])
    }
  }

  /// Detects the kind from the first bytes, and from the path that of a damaged tile of Fog of
  /// World.
  init(prefix: UnsafeRawBufferPointer, path: String) {
    let isTile = FogOfWorldSniffer.isClaimedTile(prefix, path: path)
    self = isTile ? .track(.fogOfWorld) : ContentKind(prefix: prefix)
  }

  /// Text that begins with a brace or a bracket.
  private static let json = ContentKind.foreign("a JSON file")
  /// Text of word processors, which may contain a log.
  private static let richText = ContentKind.foreign("an RTF document")

  /// A part of a Google Takeout that holds no history.
  static let googleSettings = ContentKind.foreign("the settings of Google's location history")

  /// Whether a name may say more than the contents do.
  var isUncertain: Bool { self == .unknown || self == Self.json }

  /// Whether it is an archive or a compressed file that must be unpacked before an import.
  var isUnreadArchive: Bool {
    self == .foreign(Self.tar) || Self.unreadArchives.contains { self == .foreign($0.title) }
  }

  /// Whether a log may follow after the prefix: the kind is uncertain, or the text of a word
  /// processor. A bracket at the start is not certainly JSON: other logs begin their lines with it.
  var mayHoldNMEA: Bool { isUncertain || self == Self.richText }

  /// Text that begins with `<`: XML by its first element; else a track further on (after a warning
  /// of a web server, or without its head); else a log whose lines begin with `<` (`<13>May  1 …`).
  private static func markup(_ text: [UInt8], from start: Int) -> ContentKind {
    let kind = XMLSniffer(text, from: start).kind
    guard kind == .unknown else { return kind }
    if let format = XMLSniffer.formatInside(text[start...]) { return .track(format) }
    return NMEASniffer.findsSentence(in: text) ? .track(.nmea) : .unknown
  }

  // MARK: - Signatures

  /// A format of archives or compressed files that is known by its signature and not read.
  package struct UnreadArchive: Sendable {
    /// Its name for a person: `tar`.
    package let name: String
    let article: String
    /// What a file of the format is: `an xz archive`.
    var title: String { "\(article) \(name) archive" }
    /// Position and bytes of the signature.
    let offset: Int
    let signature: [UInt8]
  }

  /// The archives that must be unpacked before an import.
  package static let unreadArchives = [
    UnreadArchive(name: "bzip2", article: "a", offset: 0, signature: [0x42, 0x5A, 0x68]),
    UnreadArchive(
      name: "xz", article: "an", offset: 0, signature: [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
    UnreadArchive(name: "7z", article: "a", offset: 0, signature: [0x37, 0x7A, 0xBC, 0xAF]),
    UnreadArchive(name: "RAR", article: "a", offset: 0, signature: Array("Rar!".utf8)),
    UnreadArchive(name: "Zstandard", article: "a", offset: 0, signature: [0x28, 0xB5, 0x2F, 0xFD]),
  ]

  /// What a tar archive in another archive is.
  private static let tar = "a tar archive"

  /// Other formats with a fixed signature, by its position and bytes.
  private static let signatures: [(offset: Int, bytes: [UInt8], name: String)] = [
    (0, [0x89, 0x50, 0x4E, 0x47], "a PNG image"),
    (0, [0xFF, 0xD8, 0xFF], "a JPEG image"),
    (0, Array("GIF8".utf8), "a GIF image"),
    (0, Array("%PDF".utf8), "a PDF document"),
    (0, Array("SQLite format 3".utf8), "an SQLite database"),
    // One that is a file itself, and not in another archive, is read before this is asked.
    (257, Array("ustar".utf8), tar),
    // Images of the sky: many are named `.fit`, as are files of sports watches.
    (0, Array("SIMPLE  =".utf8), "a FITS image"),
  ]

  /// The signature of an archive or of another format with which a file begins; nil if none.
  static func signature(of bytes: [UInt8]) -> ContentEvidence? {
    let all = unreadArchives.map { ($0.offset, $0.signature) } + signatures.map { ($0.0, $0.1) }
    return all.first { bytes.dropFirst($0.0).starts(with: $0.1) }
      .map { ContentEvidence(signature: $0.1, byte: $0.0) }
  }

  /// What a file that is no text is, by its first bytes: `a zip archive`. Nil if it may be text, or
  /// for a track.
  package static func binaryName(startingWith bytes: [UInt8]) -> String? {
    switch binaryKind(bytes) {
    case .zip: "a zip archive"
    case .foreign(let name): name
    default: nil
    }
  }

  /// Formats with a fixed signature.
  private static func binaryKind(_ bytes: [UInt8]) -> ContentKind? {
    if bytes.starts(with: [0x1F, 0x8B]) { return .gzip }
    if bytes.dropFirst(8).starts(with: ".FIT".utf8) { return .track(.fit) }
    if bytes.withUnsafeBytes(FogOfWorldSniffer.isTile) { return .track(.fogOfWorld) }
    // A member, the end of an empty archive, and the two markers of one that was meant to be split.
    let zipMarks: [[UInt8]] = [[3, 4], [5, 6], [7, 8], [0x30, 0x30]]
    if zipMarks.contains(where: { bytes.starts(with: [0x50, 0x4B] + $0) }) { return .zip }
    for archive in unreadArchives
    where bytes.dropFirst(archive.offset).starts(with: archive.signature) {
      return .foreign(archive.title)
    }
    for signature in signatures
    where bytes.dropFirst(signature.offset).starts(with: signature.bytes) {
      return .foreign(signature.name)
    }
    return nil
  }

  /// Text that is neither XML nor NMEA.
  private static func otherText(_ text: ArraySlice<UInt8>) -> ContentKind {
    switch text.first {
    case 0x7B where text.starts(with: "{\\rtf".utf8): return richText
    case 0x7B, 0x5B: return JSONSniffer(text).kind ?? json
    default: break
    }
    if IGCSniffer.isFlight(text) { return .track(.igc) }
    if let format = XMLSniffer.formatInside(text) { return .track(format) }
    // A recording of OwnTracks has a time, a topic and an object on each line.
    if (0x30...0x39).contains(text.first ?? 0),
      text.prefix(4096).contains(subsequence: "\"_type\"")
    {
      return .track(.owntracks)
    }
    return ColumnSniffer.findsPositions(text) ? .track(.csv) : .unknown
  }

  /// The text in UTF-8 if it is UTF-16 or UTF-32, without byte order marks.
  private static func narrowed(_ bytes: [UInt8]) -> [UInt8] {
    var reader = EncodedTextReader()
    var text: [UInt8] = []
    bytes.withUnsafeBufferPointer { buffer in
      reader.read(buffer) { _, piece in
        text.append(contentsOf: piece)
        return piece.count
      }
    }
    reader.finish { _, piece in
      text.append(contentsOf: piece)
      return piece.count
    }
    return text
  }
}

extension Collection<UInt8> {
  /// Whether the ASCII `pattern` occurs. O(length × pattern).
  func contains(subsequence pattern: StaticString) -> Bool {
    // A static string is valid for the whole run of the program.
    let bytes = UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount)
    return indices.contains { self[$0] == bytes[0] && self[$0...].starts(with: bytes) }
  }
}
