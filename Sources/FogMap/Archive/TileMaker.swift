import ByteStreams
import GridHash

/// Makes the tiles of one format from a coverage. Not `Sendable`; each thread has its own.
package final class TileMaker {
  /// What the tiles look like.
  package struct Style: Hashable, Sendable {
    /// Pictures or shapes.
    package var format: TileFormat
    /// The color of the fog in pictures, with its opacity.
    package var fog: PixelColor
    /// The number of opacities between clear and fog in pictures, 3...256.
    package var levels: Int
    /// Whether shapes are compressed with gzip, as in archives.
    package var isCompressed: Bool

    /// Creates a style: by default dark fog of 64 opacities, and compressed shapes.
    package init(
      format: TileFormat,
      fog: PixelColor = PixelColor(red: 24, green: 28, blue: 38, alpha: 217), levels: Int = 64,
      isCompressed: Bool = true
    ) {
      (self.format, self.fog, self.levels) = (format, fog, levels)
      self.isCompressed = isCompressed
    }

    /// A text that differs for styles whose tiles differ.
    package var description: String {
      switch format {
      case .png: "png 256 \(fog.red) \(fog.green) \(fog.blue) \(fog.alpha) \(levels)"
      case .mvt: "mvt 64 \(isCompressed)"
      }
    }
  }

  /// How far around a tile cells change it, in widths of a tile.
  let margin: Double
  /// The tile where nothing is explored; nil if it would be empty.
  package let fogged: [UInt8]?

  private enum Kind {
    case pictures(FogRaster, FogTileEncoder)
    case shapes(VectorTileEncoder, DeflateStream?)
  }
  private let kind: Kind

  /// - Throws: ``StreamError`` if there is not enough memory.
  package init(_ coverage: Coverage, _ style: Style) throws(StreamError) {
    switch style.format {
    case .png:
      let encoder = FogTileEncoder(fog: style.fog, levels: style.levels)
      kind = .pictures(FogRaster(coverage), encoder)
      (margin, fogged) = (0, encoder.fogged)
    case .mvt:
      let encoder = VectorTileEncoder(coverage)
      kind = .shapes(encoder, style.isCompressed ? try DeflateStream(.gzip) : nil)
      (margin, fogged) = (Double(encoder.buffer + 1) / Double(TileOutline.extent), nil)
    }
  }

  /// The bytes of a tile; nil if it shows nothing explored.
  func make(_ tile: MapTile) -> [UInt8]? {
    switch kind {
    case .pictures(let raster, let encoder):
      let content = raster.render(tile)
      return content == .fogged ? nil : encoder.png(raster, content)
    case .shapes(let encoder, let gzip):
      return encoder.encode(tile).map { gzip?.compress($0) ?? $0 }
    }
  }
}
