/// The colors and line widths of a picture.
package struct PictureStyle: Sendable {
  /// The theme's colors.
  package let colors: [ThemeToken: MapColor]
  /// The width of a thin line in pixels: larger pictures have wider lines.
  package let pen: Double
  /// The colors of fog from where nothing is clear to where all is.
  let fog: [MapColor]
  /// How far explored pixels reach.
  let reach: FogReach
  /// The zoom of the view.
  let zoom: Double

  /// How opaque fog is on pictures, as a share of its opacity on pages.
  private static let fogShare = 0.6
  /// The zoom up to which a map has lines of longitude and latitude.
  private static let lastGraticuleZoom = 3.2

  /// The lines of a layer.
  struct Line {
    let color: MapColor
    /// The width in pixels.
    let width: Double
  }

  /// Creates the style of a view.
  package init(_ colors: [ThemeToken: MapColor], for view: MapView) {
    self.colors = colors
    zoom = view.zoom
    let size = Double(view.frame.width) * Double(view.frame.height)
    pen = max(0.7, size.squareRoot() / 1_450)
    // A picture shows more of the base map than a page, on which one can zoom in.
    var thin = Self.color(.fog, colors)
    thin = MapColor(
      red: thin.red, green: thin.green, blue: thin.blue,
      alpha: UInt8(Double(thin.alpha) * Self.fogShare))
    let mixed = FogColors(fog: thin, explored: Self.color(.explored, colors), zoom: zoom)
    fog = (0...255).map { mixed.color(clearness: Double($0) / 255) }
    reach = FogReach(pen: pen, zoom: zoom)
  }

  private static func color(
    _ token: ThemeToken, _ colors: [ThemeToken: MapColor]
  ) -> MapColor { colors[token] ?? MapColor(red: 128, green: 128, blue: 128) }

  /// A color of the theme.
  package func color(_ token: ThemeToken) -> MapColor { Self.color(token, colors) }

  /// The zoom up to whose ranks shapes are drawn: those of a pixel of the size of the pen.
  var shapeZoom: Double { zoom + 1 - max(0, logarithm(pen) / logarithm(2)) }

  /// How the lines of a layer are drawn; nil if they are too fine for this zoom.
  func line(_ layer: BaseShapes.Layer) -> Line? {
    let zoom = shapeZoom - 1
    func faint(_ color: MapColor, _ share: Double) -> MapColor {
      MapColor(
        red: color.red, green: color.green, blue: color.blue, alpha: UInt8(255 * share))
    }
    switch layer {
    case .land, .lakes: return nil
    case .rivers:
      guard zoom >= 2.2 else { return nil }
      return Line(color: color(.water), width: pen * max(0.7, min(2.2, 0.35 * (zoom - 0.5))))
    case .regionBorders:
      guard zoom >= 2.6 else { return nil }
      return Line(
        color: faint(color(.border), 0.45), width: pen * max(0.6, min(1, 0.2 * zoom)))
    case .countryBorders:
      return Line(
        color: faint(color(.border), 0.9), width: pen * max(0.65, min(1.5, 0.3 * zoom)))
    }
  }

  /// How lines of longitude and latitude are drawn; nil if the map shows too little of the world.
  var graticule: Line? {
    guard zoom <= Self.lastGraticuleZoom else { return nil }
    let color = color(.border)
    return Line(
      color: MapColor(red: color.red, green: color.green, blue: color.blue, alpha: 110),
      width: 0.6 * pen)
  }

  /// How the edge of the world is drawn.
  var rim: Line {
    let color = color(.border)
    return Line(
      color: MapColor(red: color.red, green: color.green, blue: color.blue, alpha: 150),
      width: pen)
  }

  /// The color of the ring around a dot.
  var spotRing: MapColor {
    let color = color(.background)
    return MapColor(red: color.red, green: color.green, blue: color.blue, alpha: 191)
  }

  /// The width of a track in pixels.
  package var trackWidth: Double { pen * 1.6 }
}
