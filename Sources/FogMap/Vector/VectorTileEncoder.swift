import GridHash

/// Makes vector tiles of the explored area: a layer `explored` with one feature, the polygons of
/// everything explored in the tile, in 4096 units along each side. Not `Sendable`.
///
/// - Source: Mapbox Vector Tile Specification 2.1.
package final class VectorTileEncoder {
  /// The name of the layer.
  package static let layer = "explored"
  /// The units of the buffer around a tile into which polygons reach.
  package let buffer: Int
  private let index: SquareIndex
  private let raster: FogRaster

  /// Creates an encoder of the coverage as it is now.
  ///
  /// - Parameter buffer: the units of the buffer around each tile, clamped to 0...1024.
  package init(_ coverage: Coverage, buffer: Int = 64) {
    self.buffer = max(0, min(1_024, buffer))
    index = SquareIndex(coverage)
    raster = FogRaster(index, side: TileOutline.pixels)
  }

  /// The bytes of a tile; nil if it shows nothing.
  ///
  /// - Complexity: that of ``FogRaster/render(_:)``, plus the length of the outlines.
  package func encode(_ tile: MapTile) -> [UInt8]? {
    let outline: TileOutline
    if TileOutline.hasCells(tile, step: index.step) {
      outline = TileOutline(tile, index, buffer: buffer)
    } else {
      if raster.render(tile) == .fogged { return nil }
      outline = TileOutline(raster, buffer: buffer)
    }
    if outline.mask.isEmpty { return nil }
    let polygons = outline.polygons
    return polygons.isEmpty ? nil : Self.bytes(polygons)
  }

  /// A tile of polygons, each its outer ring and then its holes.
  static func bytes(_ polygons: [[[RingCorner]]]) -> [UInt8] {
    var feature = ProtobufWriter()
    feature.write(3, field: 3)  // POLYGON
    feature.write(geometry(polygons), field: 4)
    var layer = ProtobufWriter()
    layer.write(2, field: 15)  // the version of the specification
    layer.write(Array(Self.layer.utf8), field: 1)
    layer.write(feature.bytes, field: 2)
    layer.write(UInt64(TileOutline.extent), field: 5)
    var tile = ProtobufWriter()
    tile.write(layer.bytes, field: 3)
    return tile.bytes
  }

  /// The commands that draw the rings (section 4.3): MoveTo is 1, LineTo 2, ClosePath 7.
  private static func geometry(_ polygons: [[[RingCorner]]]) -> [UInt8] {
    var writer = ProtobufWriter()
    var cursor = RingCorner(x: 0, y: 0)
    func command(_ id: UInt64, _ count: Int) -> UInt64 { UInt64(count) << 3 | id }
    func move(to corner: RingCorner) {
      writer.append(ProtobufWriter.zigzag(corner.x - cursor.x))
      writer.append(ProtobufWriter.zigzag(corner.y - cursor.y))
      cursor = corner
    }
    for ring in polygons.joined() {
      guard let first = ring.first else { continue }
      writer.append(command(1, 1))
      move(to: first)
      writer.append(command(2, ring.count - 1))
      for corner in ring.dropFirst() { move(to: corner) }
      writer.append(command(7, 1))
    }
    return writer.bytes
  }
}
