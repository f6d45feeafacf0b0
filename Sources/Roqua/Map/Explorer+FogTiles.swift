import FogMap
import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

extension Explorer {
  /// Makes a source of fog tiles for a map view.
  ///
  /// ```swift
  /// let tiles = try await explorer.fogTiles(style: .app)
  /// ```
  ///
  /// - Parameters:
  ///   - style: how the fog looks.
  ///   - pixels: the pixels along each side of a tile, clamped to 16...4096: 256, or 512 for
  ///     screens of twice the density.
  ///   - query: what is shown. Nothing near a privacy zone is.
  /// - Throws: `CancellationError`, and errors of reading the store.
  /// - Complexity: O(tiles), plus O(n log n) for n visited regions if discs are drawn.
  public func fogTiles(
    style: FogStyle = .standard, pixels: Int = 256, of query: MapQuery = MapQuery()
  ) async throws -> FogTileSource {
    try await blocking { try $0.fogTiles(style: style, pixels: pixels, of: query) }
  }

  /// Does what the async form does, on the calling thread.
  package func fogTiles(
    style: FogStyle = .standard, pixels: Int = 256, of query: MapQuery = MapQuery()
  ) throws -> FogTileSource {
    try read { snapshot in
      let coverage = try MapCells.selected(query, of: snapshot, by: self)
      var discs: DiscIndex?
      var boxes: [FogGround.Box] = []
      if style.shape == .discs {
        let grid = snapshot.settings.grid
        let hidden = HiddenGround(try query.zones(of: snapshot), snapshot.settings)
        var centers: [(latitudeE7: Int32, longitudeE7: Int32)] = []
        let place = query.selection.place
        let area = place.map { PlaceArea(of: $0, grid: grid, geocoder: geocoder) }
        try snapshot.forEachRegionSpan(in: query.selection.times) { span in
          guard area?.contains(span.center) ?? true, !hidden.contains(span.center) else { return }
          centers.append((span.center.latitudeE7, span.center.longitudeE7))
        }
        discs = DiscIndex(radiusMeters: grid.explorationRadiusMeters, centers: centers)
        boxes = hidden.outlines.map {
          FogGround.Box(latitudes: $0.south...$0.north, longitudes: $0.west...$0.east)
        }
      }
      let ground = FogGround(coverage, discs: discs, hidden: boxes)
      return FogTileSource(ground, coverage, style: style, pixels: pixels)
    }
  }
}
