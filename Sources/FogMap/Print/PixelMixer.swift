/// An opaque color as three numbers.
struct Pixel: Hashable {
  var red: Int
  var green: Int
  var blue: Int

  init(_ color: MapColor) {
    (red, green, blue) = (Int(color.red), Int(color.green), Int(color.blue))
  }

  /// Lays a color over this one: `weight` of 255 parts.
  @inline(__always)
  mutating func lay(_ color: Pixel, weight: Int) {
    if weight == 0 { return }
    red = (color.red * weight + red * (255 - weight) + 127) / 255
    green = (color.green * weight + green * (255 - weight) + 127) / 255
    blue = (color.blue * weight + blue * (255 - weight) + 127) / 255
  }
}

/// Mixes the color of a pixel of the map from what lies on top of each other there: water, land,
/// rivers, lakes, borders, and fog.
struct PixelMixer {
  /// The layers whose bytes make a pixel, from the lowest byte on: those of the base map in their
  /// order, the graticule, the world's outline, and how clear the fog is.
  static let layerCount = BaseShapes.Layer.allCases.count + 3

  private let water: Pixel
  private let land: Pixel
  private let background: Pixel
  /// Rivers, borders of countries and of regions, each with its weight.
  private let lines: [(color: Pixel, weight: Int)]
  private let graticule: (color: Pixel, weight: Int)
  private let fog: [(color: Pixel, weight: Int)]
  private let hasOutline: Bool

  /// - Parameter hasOutline: whether the world may end within the frame.
  init(_ style: PictureStyle, hasOutline: Bool) {
    water = Pixel(style.color(.water))
    land = Pixel(style.color(.land))
    background = Pixel(style.color(.background))
    let layers: [BaseShapes.Layer] = [.rivers, .countryBorders, .regionBorders]
    lines = layers.map { layer in
      let color = style.line(layer)?.color ?? style.color(.border)
      return (Pixel(color), Int(color.alpha))
    }
    let thin = style.graticule?.color ?? style.color(.border)
    graticule = (Pixel(thin), Int(thin.alpha))
    fog = style.fog.map { (Pixel($0), Int($0.alpha)) }
    self.hasOutline = hasOutline
  }

  /// The color of a pixel.
  ///
  /// - Parameter key: a byte for each layer.
  func color(_ key: UInt64) -> Pixel {
    func byte(_ layer: Int) -> Int { Int(key >> UInt64(8 * layer) & 255) }
    func line(_ index: Int, _ layer: BaseShapes.Layer) {
      let (color, weight) = lines[index]
      pixel.lay(color, weight: (byte(layer.rawValue) * weight + 127) / 255)
    }
    var pixel = water
    pixel.lay(
      graticule.color, weight: (byte(Self.layerCount - 3) * graticule.weight + 127) / 255)
    pixel.lay(land, weight: byte(BaseShapes.Layer.land.rawValue))
    line(0, .rivers)
    pixel.lay(water, weight: byte(BaseShapes.Layer.lakes.rawValue))
    line(2, .regionBorders)
    line(1, .countryBorders)
    let inside = hasOutline ? byte(Self.layerCount - 2) : 255
    if inside == 0 { return background }
    let clear = byte(Self.layerCount - 1)
    pixel.lay(fog[clear].color, weight: fog[clear].weight)
    if inside == 255 { return pixel }
    var rim = background
    rim.lay(pixel, weight: inside)
    return rim
  }
}
