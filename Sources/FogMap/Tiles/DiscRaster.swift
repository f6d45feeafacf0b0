/// Renders discs on the ground into a tile: a byte for each pixel, 255 inside a disc.
///
/// A small disc on the ground is a circle on the Web Mercator map, larger by 1 / cos φ. A pixel at
/// distance d from the center of a circle of r pixels is clear by (r - d) / w + 1/2, from 0 to 1:
/// the edge is a ramp of w pixels, at least one, with its middle on the circle. Where discs
/// overlap, the clearest counts.
struct DiscRaster: Sendable {
  /// The authalic radius of WGS 84 in meters. Geodesy's `AuthalicSphere`, on which cells are
  /// explored, rounds it to 0.1 m: less than a pixel can show, but pictures keep their bytes.
  static let sphereMeters = 6_371_007.1809

  let discs: DiscIndex
  /// The pixels along each side of a tile.
  let side: Int
  /// The width of the ramp at the edge of a disc, in meters.
  let edgeMeters: Double

  /// Whether discs are at least a pixel in radius everywhere in tiles of a zoom, so that their
  /// circles can be drawn.
  func isFine(zoom: Int) -> Bool {
    pixels(ofMeters: discs.radiusMeters, cosine: 1, zoom: zoom) >= 1
  }

  /// The shares of a tile, row by row from the north-western corner; nil if it has no disc.
  ///
  /// - Complexity: O(discs in and around the tile × the pixels of each).
  func shares(of tile: MapTile) -> [UInt8]? {
    let world = Double(side << tile.zoom)
    let (left, top) = (Double(tile.x * side), Double(tile.y * side))
    // The radius, half of the ramp and a pixel, in degrees of latitude.
    let pixelDegrees = 360 / world
    let reach =
      (discs.radiusMeters + edgeMeters / 2) / Self.sphereMeters * 180 / .pi + 2 * pixelDegrees
    let north = min(90, Self.latitude(ofRow: top, world: world) + reach)
    let south = max(-90, Self.latitude(ofRow: top + Double(side), world: world) - reach)
    let widest = max(abs(north), abs(south))
    let margin = widest < 89 ? reach / cosine(widest * .pi / 180) : 360
    let west = left * pixelDegrees - 180 - margin
    let east = (left + Double(side)) * pixelDegrees - 180 + margin
    var shares: [UInt8]?
    for turn in [-360.0, 0, 360] where west <= 180 + turn && east >= -180 + turn {
      discs.forEach(latitudes: south...north, longitudes: west - turn...east - turn) {
        latitude, longitude in
        guard abs(latitude) < 89.9 else { return }  // far beyond the map
        let angle = latitude * .pi / 180
        let x = ((longitude + turn) / 360 + 0.5) * world - left
        let y = (0.5 - inverseHyperbolicSine(tangent(angle)) / (2 * .pi)) * world - top
        let cosine = cosine(angle)
        let circle = Circle(
          x: x, y: y, radius: pixels(ofMeters: discs.radiusMeters, cosine: cosine, zoom: tile.zoom),
          ramp: max(1, pixels(ofMeters: edgeMeters, cosine: cosine, zoom: tile.zoom)))
        if circle.isOutside(side: side) { return }
        if shares == nil { shares = [UInt8](repeating: 0, count: side * side) }
        circle.draw(into: &shares, side: side)
      }
    }
    return shares?.contains { $0 != 0 } == true ? shares : nil
  }

  private func pixels(ofMeters meters: Double, cosine: Double, zoom: Int) -> Double {
    meters / (2 * .pi * Self.sphereMeters * cosine) * Double(side << zoom)
  }

  private static func latitude(ofRow row: Double, world: Double) -> Double {
    arcTangent(hyperbolicSine(.pi * (1 - 2 * row / world)), 1) * 180 / .pi
  }
}

/// A circle in the pixels of a tile.
private struct Circle {
  let x: Double
  let y: Double
  let radius: Double
  let ramp: Double

  private var reach: Double { radius + ramp / 2 }

  func isOutside(side: Int) -> Bool {
    x + reach <= 0 || y + reach <= 0 || x - reach >= Double(side) || y - reach >= Double(side)
  }

  func draw(into shares: inout [UInt8]?, side: Int) {
    let rows = max(0, Int(y - reach))...min(side - 1, Int(y + reach))
    for row in rows {
      let dy = Double(row) + 0.5 - y
      guard abs(dy) < reach else { continue }
      let half = (reach * reach - dy * dy).squareRoot()
      let first = max(0, Int(x - half))
      let last = min(side - 1, Int(max(0, x + half)))
      if first > last { continue }
      for column in first...last {
        let dx = Double(column) + 0.5 - x
        let distance = (dx * dx + dy * dy).squareRoot()
        let clear = max(0, min(1, (radius - distance) / ramp + 0.5))
        let byte = UInt8((clear * 255).rounded())
        let index = row * side + column
        if let old = shares?[index], old < byte { shares?[index] = byte }
      }
    }
  }
}
