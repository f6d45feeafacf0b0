/// How clear explored ground is shown, and in which colors; `docs/formats/map-page.md` gives the
/// rule.
package struct FogColors: Sendable {
  private let fog: MapColor
  private let explored: MapColor
  /// The opacity of explored ground.
  private let tint: Double

  /// Creates the colors of a zoom of maps whose tiles have 512 pixels.
  package init(fog: MapColor, explored: MapColor, zoom: Double) {
    (self.fog, self.explored) = (fog, explored)
    // The tint is stronger where explored ground is a thin line.
    let opacity = Double(explored.alpha) / 255
    tint = max(opacity, 0.95 + (opacity - 0.95) * Self.nearness(zoom))
  }

  /// The color that lies on the base map where explored ground is shown as clear as this, 0...1.
  package func color(clearness: Double) -> MapColor {
    let opacity = Double(fog.alpha) / 255
    // Mixed as premultiplied colors, so that a faint tint does not gray.
    let alpha = opacity + (tint - opacity) * clearness
    func mix(_ fog: UInt8, _ clear: UInt8) -> UInt8 {
      guard alpha > 0 else { return 0 }
      let value = Double(fog) * opacity * (1 - clearness) + Double(clear) * tint * clearness
      return UInt8(max(0, min(255, (value / alpha).rounded())))
    }
    return MapColor(
      red: mix(fog.red, explored.red), green: mix(fog.green, explored.green),
      blue: mix(fog.blue, explored.blue), alpha: UInt8((alpha * 255).rounded()))
  }

  /// How clear a pixel of a share is shown, 0...1: the share itself near, more of it far away.
  package static func clearness(_ byte: UInt8, zoom: Double) -> Double {
    if byte == 0 { return 0 }
    let share = Double(byte) / 255
    let far = 0.6 + 0.4 * power(share, 0.4)
    return far + (share - far) * nearness(zoom)
  }

  /// 0 where the world is small, 1 where cells are about as large as pixels.
  private static func nearness(_ zoom: Double) -> Double { max(0, min(1, (zoom - 4) / 7)) }
}
