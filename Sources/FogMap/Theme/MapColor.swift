import ByteStreams

/// A color in sRGB with an opacity.
package struct MapColor: Hashable, Sendable {
  /// Red, 0...255.
  package let red: UInt8
  /// Green, 0...255.
  package let green: UInt8
  /// Blue, 0...255.
  package let blue: UInt8
  /// Opacity: 0 is clear, 255 opaque.
  package let alpha: UInt8

  /// Creates a color.
  package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Reads `#rrggbb` or `#rrggbbaa`; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let digits = text.dropFirst()
    guard text.first == "#", digits.count == 6 || digits.count == 8,
      digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16)
    else { return nil }
    let word = digits.count == 8 ? value : value << 8 | 0xFF
    self.init(
      red: UInt8(word >> 24), green: UInt8(word >> 16 & 255), blue: UInt8(word >> 8 & 255),
      alpha: UInt8(word & 255))
  }

  /// `#rrggbb`, or `#rrggbbaa` if it is not opaque.
  package var text: String {
    let bytes = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
    return "#" + Hexadecimal.text(bytes)
  }

  /// This color on top of an opaque one.
  package func over(_ other: MapColor) -> MapColor {
    let share = Double(alpha) / 255
    func mix(_ own: UInt8, _ below: UInt8) -> UInt8 {
      UInt8((Double(own) * share + Double(below) * (1 - share)).rounded())
    }
    return MapColor(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }

  /// The relative luminance, 0 for black and 1 for white; the opacity does not count.
  ///
  /// - Source: Web Content Accessibility Guidelines 2.2, "relative luminance".
  package var luminance: Double {
    func linear(_ byte: UInt8) -> Double {
      let value = Double(byte) / 255
      return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The contrast ratio with another opaque color, 1...21. WCAG's level AA asks for 4.5 for text, 3
  /// for large text and for what is not text.
  ///
  /// - Source: Web Content Accessibility Guidelines 2.2, "contrast ratio".
  package func contrast(with other: MapColor) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }
}
