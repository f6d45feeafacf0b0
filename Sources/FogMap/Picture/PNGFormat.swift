/// A color with opacity, each part 0...255.
package struct PixelColor: Hashable, Sendable {
  /// Red.
  package var red: UInt8
  /// Green.
  package var green: UInt8
  /// Blue.
  package var blue: UInt8
  /// Opacity: 0 is clear, 255 hides what lies below.
  package var alpha: UInt8

  /// Creates a color; opaque by default.
  package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }
}

/// The size of a PNG and the layout of its rows.
///
/// - Source: W3C PNG (Third Edition), 11.2.1 (IHDR), 11.2.2 (PLTE), 11.3.1.1 (tRNS), 7.2 (rows).
package struct PNGFormat: Hashable, Sendable {
  /// What the bits of a pixel mean.
  package enum Pixels: Hashable, Sendable {
    /// One byte: 0 is black, 255 white.
    case gray
    /// Two bytes: gray and opacity.
    case grayAlpha
    /// Three bytes: red, green and blue.
    case rgb
    /// Four bytes: red, green, blue and opacity.
    case rgba
    /// An index of 1, 2, 4 or 8 bits into 1...256 colors, the leftmost pixel in the highest bits.
    case palette([PixelColor])
  }

  /// The width in pixels, 1...65,535.
  package let width: Int
  /// The height in pixels, 1...65,535.
  package let height: Int
  /// What the bits of a pixel mean.
  package let pixels: Pixels
  /// The bits of a pixel: 1, 2, 4, 8, 16, 24 or 32.
  package let bitsPerPixel: Int

  /// Creates a format; nil for a size or a number of colors out of range.
  package init?(width: Int, height: Int, pixels: Pixels) {
    guard 1...0xFFFF ~= width, 1...0xFFFF ~= height else { return nil }
    switch pixels {
    case .gray: bitsPerPixel = 8
    case .grayAlpha: bitsPerPixel = 16
    case .rgb: bitsPerPixel = 24
    case .rgba: bitsPerPixel = 32
    case .palette(let colors):
      guard 1...256 ~= colors.count else { return nil }
      bitsPerPixel = Self.bits(forColors: colors.count)
    }
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// The bytes of a row of pixels.
  package var rowBytes: Int { (width * bitsPerPixel + 7) / 8 }

  /// The bits of an index into this many colors, 1...256.
  static func bits(forColors count: Int) -> Int {
    count > 16 ? 8 : count > 4 ? 4 : count > 2 ? 2 : 1
  }

  /// The chunks before the pixels: signature, header, colors and their opacity.
  var head: [UInt8] {
    var head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let kind: UInt8 =
      switch pixels {
      case .gray: 0
      case .rgb: 2
      case .grayAlpha: 4
      case .rgba: 6
      case .palette: 3
      }
    let depth = min(bitsPerPixel, 8)
    PNGChunk.append(
      "IHDR",
      PNGChunk.number(width) + PNGChunk.number(height) + [UInt8(depth), kind, 0, 0, 0], to: &head)
    guard case .palette(let colors) = pixels else { return head }
    PNGChunk.append("PLTE", colors.flatMap { [$0.red, $0.green, $0.blue] }, to: &head)
    // Colors after the last one with an opacity are opaque.
    if let last = colors.lastIndex(where: { $0.alpha != 255 }) {
      PNGChunk.append("tRNS", colors[...last].map(\.alpha), to: &head)
    }
    return head
  }
}
