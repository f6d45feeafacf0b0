import ByteStreams
import FogMap
import GridHash
import Synchronization

/// Tiles of the fog for a map view: the tile source of an overlay in MapKit or of a layer in
/// MapLibre, at every zoom. Made by ``Explorer/fogTiles(style:pixels:of:)``.
///
/// Tiles are those of Web Mercator, numbered as on the web: rows count from the north. They show
/// the store as it was when the source was made; make a new one when ``Explorer/changes`` reports
/// newly explored area. Any number of threads may ask for tiles at the same time.
///
/// ```swift
/// let tiles = try await explorer.fogTiles(style: .app)
/// if let png = tiles.picture(zoom: 12, x: 2378, y: 1534) { print("\(png.count) bytes") }
/// ```
///
/// - Memory: the coverage, 8 bytes for each visited region if discs are drawn, and about 1 MB for
///   each thread that asks at the same time.
public final class FogTileSource: Sendable {
  /// The zooms that tiles can have: 0 is one tile for the world.
  public static var zooms: ClosedRange<Int> { MapTile.zooms }

  /// The pixels along each side of a tile.
  public let pixels: Int
  /// The style.
  public let style: FogStyle

  private let ground: FogGround
  private let coverage: Coverage
  /// Painters that no thread uses now. A painter is used by the thread that took it out.
  private let painters = Mutex<[Painter]>([])

  /// A painter on its way between threads.
  ///
  /// `@unchecked Sendable`: it is either in ``painters``, behind the lock, or owned by the one call
  /// that took it out.
  private struct Painter: @unchecked Sendable {
    let fog: FogPainter
  }

  init(_ ground: FogGround, _ coverage: Coverage, style: FogStyle, pixels: Int) {
    (self.ground, self.coverage, self.style) = (ground, coverage, style)
    self.pixels = max(16, min(4_096, pixels))
  }

  /// A tile as a PNG picture, fog where nothing is explored; nil if the map has no such tile.
  ///
  /// - Complexity: O(pixels² + explored squares in the tile); a tenth of a millisecond for 256
  ///   pixels of cells, some milliseconds for a city of discs.
  public func picture(zoom: Int, x: Int, y: Int) -> [UInt8]? {
    MapTile(zoom: zoom, x: x, y: y).map { tile in withPainter { $0.png(tile) } }
  }

  /// How clear each pixel of a tile is, row by row from the north-western corner: 0 is fog, 255
  /// clear, and between them the clear share of the pixel. Nil if all is fog, or if the map has no
  /// such tile.
  ///
  /// ```swift
  /// let tiles = try await explorer.fogTiles()
  /// let shares = tiles.shares(zoom: 10, x: 594, y: 383) ?? []
  /// print("\(shares.count { $0 == 255 }) pixels are fully explored")
  /// ```
  public func shares(zoom: Int, x: Int, y: Int) -> [UInt8]? {
    MapTile(zoom: zoom, x: x, y: y).flatMap { tile in withPainter { $0.shares(of: tile) } }
  }

  /// The explored cells of a tile as polygons, in a layer `explored` of a vector tile (Mapbox
  /// Vector Tile 2.1, not compressed). Nil if there are none, or if the map has no such tile.
  public func shapes(zoom: Int, x: Int, y: Int) -> [UInt8]? {
    MapTile(zoom: zoom, x: x, y: y).flatMap { VectorTileEncoder(coverage).encode($0) }
  }

  private func withPainter<Result>(_ body: (FogPainter) -> Result) -> Result {
    let painter = painters.withLock { $0.popLast() } ?? Painter(fog: makePainter())
    defer { painters.withLock { $0.append(painter) } }
    return body(painter.fog)
  }

  private func makePainter() -> FogPainter {
    let alpha = UInt8((max(0, min(1, style.opacity)) * 255).rounded())
    return FogPainter(
      ground, fog: PixelColor(red: style.red, green: style.green, blue: style.blue, alpha: alpha),
      edgeMeters: style.edgeMeters.isFinite ? max(0, style.edgeMeters) : 0, side: pixels)
  }
}
