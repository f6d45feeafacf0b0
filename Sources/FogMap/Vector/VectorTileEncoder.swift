import GridHash

/// Makes vector tiles of the explored area: a layer `explored` with polygons in 4096 units along
/// each side. Near, one feature has the exact cells; far away there is a feature for each step of
/// the explored share. The attribute `share` is the least share in percent. Not `Sendable`.
///
/// - Source: Mapbox Vector Tile Specification 2.1.
package final class VectorTileEncoder {
  /// The name of the layer.
  package static let layer = "explored"
  /// The name of the attribute.
  package static let attribute = "share"
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
    let outlines: [(percent: UInt64, outline: TileOutline)]
    if TileOutline.hasCells(tile, step: index.step) {
      outlines = [(100, TileOutline(tile, index, buffer: buffer))]
    } else {
      if raster.render(tile) == .fogged { return nil }
      let steps = TileOutline.steps(tile, step: index.step)
      outlines = TileOutline.outlines(raster, buffer: buffer, steps)
    }
    let features = outlines.compactMap { percent, outline in
      let polygons = outline.mask.isEmpty ? [] : outline.polygons
      return polygons.isEmpty ? nil : (percent, polygons)
    }
    return features.isEmpty ? nil : Self.bytes(features)
  }

  /// A tile of features: the least explored share in percent, and polygons, each its outer ring and
  /// then its holes.
  static func bytes(_ features: [(percent: UInt64, polygons: [[[RingCorner]]])]) -> [UInt8] {
    var layer = ProtobufWriter()
    layer.write(2, field: 15)  // the version of the specification
    layer.write(Array(Self.layer.utf8), field: 1)
    for (number, (_, polygons)) in features.enumerated() {
      var tags = ProtobufWriter()
      tags.append(0)  // the key, and the value of the feature's number
      tags.append(UInt64(number))
      var feature = ProtobufWriter()
      feature.write(tags.bytes, field: 2)
      feature.write(3, field: 3)  // POLYGON
      feature.write(geometry(polygons), field: 4)
      layer.write(feature.bytes, field: 2)
    }
    layer.write(Array(Self.attribute.utf8), field: 3)
    for (percent, _) in features {
      var value = ProtobufWriter()
      value.write(percent, field: 5)  // uint_value
      layer.write(value.bytes, field: 4)
    }
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
