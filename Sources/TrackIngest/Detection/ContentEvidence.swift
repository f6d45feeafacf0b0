import ByteStreams

/// The bytes by which the kind of a file was detected.
package struct ContentEvidence: Hashable, Sendable {
  /// What the bytes are, in words or as they are in the file: `<gpx`, `.FIT`, `1F 8B`. Names from
  /// the file have only letters, digits and `_`.
  package let signature: String
  /// The offset of the first of them in the file after decompression; nil if unknown.
  package private(set) var byte: Int?
  /// The encoding of a text, for a person: `UTF-8`; nil for binary files.
  package let encoding: String?

  /// Creates evidence.
  init(_ signature: String, byte: Int?, encoding: String? = nil) {
    self.signature = signature
    self.byte = byte
    self.encoding = encoding
  }

  /// The same evidence in a file in which other bytes come first.
  func after(_ count: Int) -> ContentEvidence {
    var evidence = self
    evidence.byte = byte.map { $0 + count }
    return evidence
  }

  /// Finds the bytes by which ``ContentKind/init(prefix:path:)`` decides; nil if the first bytes
  /// say nothing.
  ///
  /// - Complexity: O(length).
  package init?(prefix: UnsafeRawBufferPointer, path: String = "") {
    let bytes = Array(prefix.prefix(ContentKind.prefixLength))
    let kind = ContentKind(prefix: prefix, path: path)
    if kind == .track(.fogOfWorld), ContentKind(prefix: prefix) != kind {
      self.init("the name of a tile", byte: nil)
      return
    }
    if let binary = Self.binary(kind, bytes) {
      self = binary
      return
    }
    let text = ContentText(bytes)
    guard let start = text.bytes.firstIndex(where: { $0 > 0x20 }),
      let (signature, index) = Self.mark(of: kind, in: text.bytes, from: start)
    else { return nil }
    self.init(signature, byte: text.offset(of: index), encoding: text.encodingName)
  }

  // MARK: - Binary files

  private static func binary(_ kind: ContentKind, _ bytes: [UInt8]) -> ContentEvidence? {
    switch kind {
    case .gzip: ContentEvidence("1F 8B", byte: 0)
    case .zip: ContentEvidence(hexadecimal(bytes.prefix(4)), byte: 0)
    case .track(.fit): ContentEvidence(".FIT", byte: 8)
    case .track(.fogOfWorld):
      ContentEvidence("a zlib stream with a table of blocks", byte: 0)
    case .foreign: ContentKind.signature(of: bytes)
    default: nil
    }
  }

  /// `50 4B 03 04`
  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { Hexadecimal.text([$0], uppercase: true) }.joined(separator: " ")
  }

  /// A signature as text if it is one, else in hexadecimal.
  init(signature: [UInt8], byte: Int) {
    let isText = signature.allSatisfy { (0x20..<0x7F).contains($0) }
    self.init(
      isText ? String(decoding: signature, as: UTF8.self) : Self.hexadecimal(signature), byte: byte)
  }

  // MARK: - Text

  /// What shows the kind of a text, and its index.
  private static func mark(
    of kind: ContentKind, in text: [UInt8], from start: Int
  ) -> (String, Int)? {
    switch kind {
    case .unknown, .empty: return nil
    case .track(.nmea):
      return NMEASniffer.sentence(in: text).map { (word(text[$0...], atMost: 12), $0) }
    case .track(.csv):
      let (line, separator) = ColumnSniffer.names(text[start...])
      let header = line.withUnsafeBufferPointer { CSVHeader.read($0, separator: separator) }
      return header.map { header in
        let columns = "columns of latitude and longitude"
        return (header.point == nil ? columns : "a column of points", line.startIndex)
      }
    case .track(.igc): return (text[start] == 0x41 ? "A record" : "a date or a fix", start)
    default: break
    }
    switch text[start] {
    case 0x3C:
      guard let index = XMLSniffer(text, from: start).finding.index ?? inside(text, start) else {
        return nil
      }
      return (word(text[index...], atMost: 40), index)
    case 0x7B, 0x5B:
      return JSONSniffer(text[start...]).mark(of: kind).map { ("\"\($0.name)\"", $0.index) }
    default:
      if kind == .track(.owntracks) {
        let mark = Array("\"_type\"".utf8)
        return text.indices.first { text[$0...].starts(with: mark) }.map { ("\"_type\"", $0) }
      }
      return inside(text, start).map { (word(text[$0...], atMost: 40), $0) }
    }
  }

  private static func inside(_ text: [UInt8], _ start: Int) -> Int? {
    XMLSniffer.findingInside(text[start...])?.index
  }

  /// A mark of the file and the letters and digits after it: `<gpx`, `$GPGGA`, `<kml:kml`.
  private static func word(_ text: ArraySlice<UInt8>, atMost limit: Int) -> String {
    let name = text.dropFirst().prefix(limit).prefix { byte in
      switch byte {
      case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x5F: true
      default: false
      }
    }
    return String(decoding: text.prefix(1) + name, as: UTF8.self)
  }
}

/// A text in UTF-8, with the way back to the offsets of the file.
private struct ContentText {
  let bytes: [UInt8]
  private let encoding: ByteEncoding?
  /// The bytes of the byte order marks.
  private let markBytes: Int

  init(_ file: [UInt8]) {
    var reader = EncodedTextReader()
    var text: [UInt8] = []
    func append(_ reader: inout EncodedTextReader, _ piece: UnsafeBufferPointer<UInt8>) -> Int {
      text.append(contentsOf: piece)
      return piece.count
    }
    file.withUnsafeBufferPointer { reader.read($0, append) }
    reader.finish(append)
    bytes = text
    encoding = reader.encoding
    let width =
      switch reader.encoding {
      case .utf16: 2
      case .utf32: 4
      default: 3
      }
    markBytes = reader.markCount * width
  }

  /// The offset in the file of a byte of the text.
  func offset(of index: Int) -> Int {
    switch encoding {
    case .utf16: markBytes + 2 * String(decoding: bytes[..<index], as: UTF8.self).utf16.count
    case .utf32:
      markBytes + 4 * String(decoding: bytes[..<index], as: UTF8.self).unicodeScalars.count
    default: markBytes + index
    }
  }

  /// The name of the encoding: for XML in single bytes the one that it declares.
  var encodingName: String {
    switch encoding {
    case .utf16(let isBigEndian): return "UTF-16 (\(isBigEndian ? "big" : "little")-endian)"
    case .utf32(let isBigEndian): return "UTF-32 (\(isBigEndian ? "big" : "little")-endian)"
    default: break
    }
    guard let start = bytes.firstIndex(where: { $0 > 0x20 }),
      bytes[start...].starts(with: "<?xml".utf8)
    else { return "UTF-8" }
    var declaration = XMLDeclaration()
    for byte in bytes[(start + 2)...].prefix(XMLLimits.valueBytes).prefix(while: { $0 != 0x3E }) {
      declaration.take(byte)
    }
    return declaration.encodingName ?? "UTF-8"
  }
}
