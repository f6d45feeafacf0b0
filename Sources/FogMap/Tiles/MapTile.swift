/// A tile of the Web Mercator map of the world, as web maps number them: 2^zoom tiles from 180° W
/// to 180° E, and as many from 85.0511° N to 85.0511° S.
///
/// - Source: "Slippy map tilenames" of OpenStreetMap, which counts rows from the north. TMS and
///   MBTiles count them from the south.
package struct MapTile: Hashable, Sendable {
  /// The zooms that a tile can have.
  package static let zooms = 0...22

  /// The zoom: 0 is one tile for the world.
  package let zoom: Int
  /// The column, counted eastwards from 180° W.
  package let x: Int
  /// The row, counted southwards from 85.0511° N.
  package let y: Int

  /// Creates a tile; nil if the zoom has no tile of these numbers.
  package init?(zoom: Int, x: Int, y: Int) {
    guard Self.zooms.contains(zoom), 0..<(1 << zoom) ~= x, 0..<(1 << zoom) ~= y else { return nil }
    (self.zoom, self.x, self.y) = (zoom, x, y)
  }
}
