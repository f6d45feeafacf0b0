/// The container of a WebP: one picture or a film, with metadata. The pictures themselves are
/// encoded elsewhere.
///
/// - Source: WebP Container Specification (RFC 9649, section 2).
package struct WebPFile {
  /// The width and height of the picture.
  package let width: Int
  package let height: Int
  /// How often a film is played; 0 is without end.
  package var plays = 0
  private var frames: [UInt8] = []
  private let isFilm: Bool

  /// The longest side of a WebP.
  package static let longestSide = 16_383

  /// Creates a file.
  package init(width: Int, height: Int, isFilm: Bool) {
    (self.width, self.height, self.isFilm) = (width, height, isFilm)
  }

  /// Adds a picture of the whole size.
  ///
  /// - Parameter file: a simple WebP file without loss, as libwebp encodes it.
  /// - Returns: false if it is not such a file.
  package mutating func append(_ file: [UInt8], milliseconds: Int = 0) -> Bool {
    guard file.count > 20, file[0..<4].elementsEqual("RIFF".utf8),
      file[8..<16].elementsEqual("WEBPVP8L".utf8)
    else { return false }
    let picture = Array(file[12...])
    if !isFilm {
      frames += picture
      return true
    }
    // At the upper left corner; not blended with the frame before, which is not disposed of.
    let head =
      Self.number(0, bytes: 6) + Self.number(width - 1, bytes: 3)
      + Self.number(height - 1, bytes: 3)
      + Self.number(max(0, min(0xFF_FFFF, milliseconds)), bytes: 3) + [2]
    frames += Self.chunk("ANMF", head + picture)
    return true
  }

  /// The bytes of the file.
  ///
  /// - Parameter description: an XMP packet.
  package func bytes(description: String) -> [UInt8] {
    let flags: UInt8 = isFilm ? 0b0000_0110 : 0b0000_0100
    var body = Array("WEBP".utf8)
    body += Self.chunk(
      "VP8X",
      [flags, 0, 0, 0] + Self.number(width - 1, bytes: 3) + Self.number(height - 1, bytes: 3))
    if isFilm {
      body += Self.chunk("ANIM", [255, 255, 255, 255] + Self.number(plays, bytes: 2))
    }
    body += frames
    body += Self.chunk("XMP ", Array(description.utf8))
    return Array("RIFF".utf8) + Self.number(body.count, bytes: 4) + body
  }

  /// A chunk: four letters, its length, its bytes, and a byte that makes their number even.
  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    Array(name.utf8) + number(bytes.count, bytes: 4) + bytes + (bytes.count % 2 == 1 ? [0] : [])
  }

  /// The lowest bytes of a number, the lowest first.
  private static func number(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
