import Foundation
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct GPXEncodingTests {
  /// A document with a name beyond ASCII: umlauts, Japanese, an emoji outside the basic
  /// multilingual plane.
  static func document(encoding: String, name: String) -> String {
    """
    <?xml version="1.0" encoding="\(encoding)"?>
    <gpx><trk><name>\(name)</name><trkseg>
    <trkpt lat="48.1" lon="11.5"><time>2024-05-01T10:00:00Z</time></trkpt>
    </trkseg></trk></gpx>
    """
  }

  private func expectPoint(_ bytes: [UInt8], warnings: [IngestWarning.Code] = []) {
    let found = expectSameInAnyPieces(bytes)
    #expect(found.latitudesE7 == [481_000_000])
    #expect(found.fixLines == [3])
    #expect(found.warnings.map(\.code) == warnings)
    #expect(found.error == nil)
  }

  @Test(
    arguments: [
      (String.Encoding.utf16LittleEndian, [0xFF, 0xFE]), (.utf16LittleEndian, []),
      (.utf16BigEndian, [0xFE, 0xFF]),
      (.utf16BigEndian, []), (.utf32LittleEndian, [0xFF, 0xFE, 0, 0]), (.utf32LittleEndian, []),
      (.utf32BigEndian, [0, 0, 0xFE, 0xFF]), (.utf32BigEndian, []), (.utf8, [0xEF, 0xBB, 0xBF]),
      (.utf8, []),
    ] as [(String.Encoding, [UInt8])])
  func `Unicode encodings are detected by their byte order mark or their zeros`(
    encoding: String.Encoding, mark: [UInt8]
  ) throws {
    let name = encoding == .utf8 ? "UTF-8" : "UTF-16"
    let text = Self.document(encoding: name, name: "Z\u{fc}rich \u{6771}\u{4eac} \u{1F600}")
    expectPoint(mark + Array(try #require(text.data(using: encoding))))
  }

  @Test(
    arguments: [
      ("ISO-8859-1", [0x5A, 0xFC]), ("windows-1252", [0x80, 0xFC]),
      ("Shift_JIS", [0x83, 0x5C, 0x95, 0x5C]),
      ("EUC-JP", [0xA5, 0xBD]), ("GB18030", [0x81, 0x30, 0x81, 0x30]), ("koi8-r", [0xC0]),
      ("iso-8859-15", [0xA4]),
    ] as [(String, [UInt8])])
  func `encodings with ASCII bytes pass through`(encoding: String, place: [UInt8]) {
    let parts = Self.document(encoding: encoding, name: "|").split(separator: "|")
    expectPoint(Array(parts[0].utf8) + place + Array(parts[1].utf8))
  }

  @Test func `an encoding that hides markup in ASCII is converted`() {
    // ISO-2022-JP: ESC $ B switches to two-byte characters, in which 0x3C 0x3E would look like a
    // tag; ESC ( B switches back.
    let name: [UInt8] = [0x1B, 0x24, 0x42, 0x3C, 0x3E, 0x26, 0x22, 0x1B, 0x28, 0x42]
    let parts = Self.document(encoding: "ISO-2022-JP", name: "|").split(separator: "|")
    expectPoint(Array(parts[0].utf8) + name + Array(parts[1].utf8))
  }

  @Test func `an unsupported or wrong encoding gives a warning and loses no point`() {
    let text = Array(Self.document(encoding: "UTF-8", name: "x").utf8)
    expectPoint([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + text, warnings: [.encoding])
    expectPoint(Array(Self.document(encoding: "klingon-8", name: "x").utf8), warnings: [.encoding])
    expectPoint(Array(Self.document(encoding: "UTF-16", name: "x").utf8), warnings: [.encoding])
    let latin = Array(Self.document(encoding: "UTF-8", name: "|").utf8).map {
      $0 == 0x7C ? 0xFC : $0
    }
    expectPoint(latin, warnings: [.encoding])
    // An overlong `<` and a surrogate are not markup.
    let parts = Self.document(encoding: "UTF-8", name: "|").split(separator: "|")
    let found = expectSameInAnyPieces(
      Array(parts[0].utf8) + [0xC0, 0xBC, 0xED, 0xA0, 0x80] + Array(parts[1].utf8))
    #expect(found.fixes.count == 1)
    #expect(found.codes == [.encoding])
  }

  @Test func `an unknown encoding is named without control characters`() {
    let found = GPXRecorder("<?xml version='1.0' encoding='a\u{1B}[31mb'?><gpx/>")
    let message = found.warnings.first?.message ?? ""
    #expect(!message.isEmpty)
    #expect(message.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
  }

  @Test func `lone surrogates are replaced with a warning`() throws {
    var bytes =
      [0xFF, 0xFE]
      + Array(
        try #require(Self.document(encoding: "UTF-16", name: "|").data(using: .utf16LittleEndian)))
    let place = try #require(bytes.firstIndex(of: 0x7C))
    bytes.replaceSubrange(place...place + 1, with: [0x00, 0xD8])
    expectPoint(bytes, warnings: [.encoding])
  }

  @Test func `the format of a file of fewer than four bytes is decided at its end`() {
    for text in ["", "<", "<a", "<g>"] {
      let found = expectSameInAnyPieces(Array(text.utf8))
      #expect(found.error?.code == (text.isEmpty ? .empty : .unknownFormat))
    }
  }
}
