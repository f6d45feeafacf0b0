/// What the first bytes of a file or stream are, whatever its name says.
public enum ContentKind: Hashable, Sendable {
  /// A track that Roqua reads.
  case track(SourceFormat)
  /// A gzip stream: to be expanded and looked at again.
  case gzip
  /// A zip archive: its members are to be looked at.
  case zip
  /// A known kind of file that is no track to Roqua, named for a person ("a TCX file").
  case foreign(String)
  /// No bytes, or white space and byte order marks only.
  case empty
  /// Anything else.
  case unknown

  /// How many bytes of a file are worth showing to ``init(prefix:)``: logs may begin with kilobytes of binary
  /// messages, and GPX with a long comment.
  public static let prefixLength = 65_536

  /// Looks at the first bytes, ``prefixLength`` or fewer. It never needs more, and never throws.
  ///
  /// GPX is told by its first element (`gpx` in any namespace, or a part of one where the head is lost), NMEA by
  /// a sentence with a fitting checksum or a known name. UTF-16 and UTF-32 text is looked at as text.
  ///
  /// - Complexity: O(length).
  public init(prefix: UnsafeRawBufferPointer) {
    let bytes = Array(prefix.prefix(Self.prefixLength))
    if let binary = Self.binaryKind(bytes) {
      self = binary
      return
    }
    let text = Self.narrowed(bytes)
    var start = 0
    while start < text.count, DecimalText.isSpace(text[start]) { start += 1 }
    guard start < text.count else {
      self = .empty
      return
    }
    if text[start] == 0x3C {
      self = XMLSniffer(text, from: start).kind
    } else if NMEASniffer.findsSentence(in: text) {
      self = .track(.nmea)
    } else {
      self = Self.otherText(text[start...])
    }
  }

  // MARK: - Signatures

  /// Files that show what they are by fixed bytes.
  private static func binaryKind(_ bytes: [UInt8]) -> ContentKind? {
    if bytes.starts(with: [0x1F, 0x8B]) { return .gzip }
    if bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6]) { return .zip }
    let signatures: [(offset: Int, bytes: [UInt8], name: String)] = [
      (8, Array(".FIT".utf8), "a FIT file"),
      (257, Array("ustar".utf8), "a tar archive"),
      (0, [0x42, 0x5A, 0x68], "a bzip2 archive"),
      (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz archive"),
      (0, [0x37, 0x7A, 0xBC, 0xAF], "a 7z archive"),
      (0, [0x89, 0x50, 0x4E, 0x47], "a PNG image"),
      (0, [0xFF, 0xD8, 0xFF], "a JPEG image"),
      (0, Array("GIF8".utf8), "a GIF image"),
      (0, Array("%PDF".utf8), "a PDF document"),
      (0, Array("SQLite format 3".utf8), "an SQLite database"),
    ]
    for signature in signatures where bytes.dropFirst(signature.offset).starts(with: signature.bytes) {
      return .foreign(signature.name)
    }
    return nil
  }

  /// Text that is neither XML nor NMEA.
  private static func otherText(_ text: ArraySlice<UInt8>) -> ContentKind {
    switch text.first {
    case 0x7B, 0x5B: .foreign("a JSON file")
    // An IGC file begins with the A record of its recorder: three letters of a maker and a serial number.
    case 0x41
    where text.dropFirst().prefix(3).allSatisfy({ (0x41...0x5A).contains($0) })
      && text.prefix(4096).contains(0x48) && text.contains(subsequence: "HFDTE"):
      .foreign("an IGC file")
    default: XMLSniffer.findsGPXInside(text) ? .track(.gpx) : .unknown
    }
  }

  /// The text with UTF-16 and UTF-32 made UTF-8, without byte order marks.
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
    let bytes = UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount)
    return indices.contains { self[$0] == bytes[0] && self[$0...].starts(with: bytes) }
  }
}
