import GridHash

/// What a fog map shows. Painters on several threads share it.
package struct FogGround: Sendable {
  /// A box of longitudes and latitudes in degrees.
  package struct Box: Hashable, Sendable {
    /// Southern and northern edge.
    package let latitudes: ClosedRange<Double>
    /// Western and eastern edge.
    package let longitudes: ClosedRange<Double>

    /// Creates a box.
    package init(latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>) {
      (self.latitudes, self.longitudes) = (latitudes, longitudes)
    }
  }

  let index: SquareIndex
  /// The discs; nil to show cells at every zoom.
  let discs: DiscIndex?
  /// Boxes in which no disc is shown.
  let hidden: [Box]

  /// Creates a ground.
  ///
  /// - Complexity: O(s log s) for the s squares of 64 × 64 cells that have explored cells.
  package init(_ coverage: Coverage, discs: DiscIndex? = nil, hidden: [Box] = []) {
    index = SquareIndex(coverage)
    (self.discs, self.hidden) = (discs, hidden)
  }
}

/// Paints tiles of a fog map: cells or discs, with a sharp or a soft edge. Not `Sendable`; each
/// thread has its own.
package final class FogPainter {
  private let ground: FogGround
  private let raster: FogRaster
  private let discs: DiscRaster?
  private let edgeMeters: Double
  private let encoder: FogTileEncoder
  private var side: Int { raster.side }

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - fog: the color of the fog, with its opacity.
  ///   - edgeMeters: the width of the edge on the ground; 0 for a sharp one.
  ///   - side: the pixels along each side of a tile, clamped to 16...4096.
  package init(_ ground: FogGround, fog: PixelColor, edgeMeters: Double, side: Int) {
    self.ground = ground
    self.edgeMeters = edgeMeters
    let encoder = FogTileEncoder(fog: fog, side: side)
    self.encoder = encoder
    raster = FogRaster(ground.index, side: encoder.side)
    discs = ground.discs.map {
      DiscRaster(discs: $0, side: encoder.side, edgeMeters: edgeMeters)
    }
  }

  /// The clear share of each pixel, row by row from the north-western corner: 0 is fog, 255 is
  /// clear. Nil if all is fog.
  ///
  /// - Complexity: that of ``FogRaster/render(_:)`` for up to nine tiles, or that of the discs.
  package func shares(of tile: MapTile) -> [UInt8]? {
    if let discs, discs.isFine(zoom: tile.zoom) {
      guard var shares = discs.shares(of: tile) else { return nil }
      for box in ground.hidden { clear(box, of: tile, in: &shares) }
      return shares.contains { $0 != 0 } ? shares : nil
    }
    let edge = SoftEdge(rampPixels: edgePixels(of: tile), limit: side)
    if edge.margin == 0 { return raster.render(tile) == .fogged ? nil : raster.shares }
    return surroundings(of: tile, margin: edge.margin).map { edge.middle(of: $0, side: side) }
  }

  /// The tile as PNG.
  package func png(_ tile: MapTile) -> [UInt8] {
    shares(of: tile).map { encoder.encode($0) } ?? encoder.fogged
  }

  /// The width of the edge in pixels, at the latitude of the tile's middle.
  private func edgePixels(of tile: MapTile) -> Double {
    let y = .pi * (1 - (2 * Double(tile.y) + 1) / Double(1 << tile.zoom))
    // 1 / cos φ = cosh y.
    let stretch = (1 + hyperbolicSine(y) * hyperbolicSine(y)).squareRoot()
    let turn = 2 * .pi * DiscRaster.sphereMeters
    return edgeMeters / turn * stretch * Double(side << tile.zoom)
  }

  /// The shares of a tile and of its neighbors up to a margin; nil if all is fog.
  private func surroundings(of tile: MapTile, margin: Int) -> [UInt8]? {
    let whole = side + 2 * margin
    var shares = [UInt8](repeating: 0, count: whole * whole)
    var isEmpty = true
    let count = 1 << tile.zoom
    for (dx, dy) in [-1, 0, 1].flatMap({ dy in [-1, 0, 1].map { ($0, dy) } }) {
      let x = (tile.x + dx + count) % count
      guard let other = MapTile(zoom: tile.zoom, x: x, y: tile.y + dy),
        raster.render(other) != .fogged
      else { continue }
      isEmpty = false
      // The pixels of the neighbor in this square: its corner, cut at the edges.
      let (left, top) = (margin + dx * side, margin + dy * side)
      let columns = max(0, left)..<min(whole, left + side)
      for row in max(0, top)..<min(whole, top + side) {
        let source = (row - top) * side + columns.lowerBound - left
        let target = row * whole + columns.lowerBound
        shares.replaceSubrange(
          target..<target + columns.count, with: raster.shares[source..<source + columns.count])
      }
    }
    return isEmpty ? nil : shares
  }

  /// Fills the pixels that touch a box with fog.
  private func clear(_ box: FogGround.Box, of tile: MapTile, in shares: inout [UInt8]) {
    let world = Double(side << tile.zoom)
    func row(_ degrees: Double) -> Double {
      let angle = max(-89.9, min(89.9, degrees)) * .pi / 180
      let y = (0.5 - inverseHyperbolicSine(tangent(angle)) / (2 * .pi)) * world
      return max(-1, min(Double(side) + 1, y - Double(tile.y * side)))
    }
    func column(_ degrees: Double) -> Double {
      let x = (degrees / 360 + 0.5) * world - Double(tile.x * side)
      return max(-1, min(Double(side) + 1, x))
    }
    let top = max(0, Int(row(box.latitudes.upperBound).rounded(.down)))
    let bottom = min(side, Int(row(box.latitudes.lowerBound).rounded(.up)))
    let left = max(0, Int(column(box.longitudes.lowerBound).rounded(.down)))
    let right = min(side, Int(column(box.longitudes.upperBound).rounded(.up)))
    guard top < bottom, left < right else { return }
    for row in top..<bottom {
      for column in left..<right { shares[row * side + column] = 0 }
    }
  }
}
