/// The edges of the pixels of a tile. Each pixel is a rectangle of longitudes and latitudes, so its
/// area on the sphere is the width in longitude times the height in sin φ.
struct PixelGrid {
  /// The longitude of the western edge, in degrees east of 180° W.
  let west: Double
  /// The width of a pixel in degrees.
  let width: Double
  /// The sine of the latitude of each horizontal edge, from north to south: one more than there are
  /// rows.
  let sines: [Double]

  init(_ tile: MapTile, pixels: Int) {
    let worldPixels = Double(pixels << tile.zoom)
    width = 360 / worldPixels
    west = Double(tile.x * pixels) * width
    // y = arsinh(tan φ), so sin φ = tanh y.
    sines = (0...pixels).map { row in
      hyperbolicTangent(.pi * (1 - 2 * Double(tile.y * pixels + row) / worldPixels))
    }
  }
}
