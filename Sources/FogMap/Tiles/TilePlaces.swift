import GridHash

/// The map tiles that squares of 64 × 64 cells touch.
package enum TilePlaces {
  /// The places of the tiles of a zoom that the squares touch, ascending
  /// (``MapTile/place``).
  ///
  /// - Parameters:
  ///   - keys: the keys of the squares. Those that the grid does not have touch nothing: keys of
  ///     squares that are gone come from a file.
  ///   - margin: how far around a tile counts as touching it, in widths of a tile, 0...1.
  /// - Complexity: O(t log t) for the tiles of each square.
  package static func touching(
    _ keys: [Int64], of grid: Grid, zoom: Int, margin: Double = 0
  ) -> [UInt64] {
    let count = Double(1 << zoom)
    let last = (1 << zoom) - 1
    func range(_ low: Double, _ high: Double) -> ClosedRange<Int> {
      // A little more, so that rounding cannot lose a tile.
      let first = max(0, min(last, Int((low * count - margin - 1e-9).rounded(.down))))
      return first...max(first, min(last, Int((high * count + margin + 1e-9).rounded(.down))))
    }
    var rows: (row: Int64, range: ClosedRange<Int>)?
    var places: [UInt64] = []
    for key in keys where (0..<Int64(grid.tileCount)).contains(key) {
      let bounds = grid.tileBounds(key)
      let row = key / Int64(grid.tileColumnCount)
      if rows?.row != row {
        rows = (row, range(fromNorth(bounds.northDegrees), fromNorth(bounds.southDegrees)))
      }
      guard let rows else { continue }
      for x in range((bounds.westDegrees + 180) / 360, (bounds.eastDegrees + 180) / 360) {
        for y in rows.range {
          if let place = MapTile(zoom: zoom, x: x, y: y)?.place { places.append(place) }
        }
      }
    }
    places.sort()
    var unique: [UInt64] = []
    for place in places where unique.last != place { unique.append(place) }
    return unique
  }

  /// How far south of the map's northern edge a latitude is, 0...1 of the map's height.
  private static func fromNorth(_ degrees: Double) -> Double {
    let latitude = max(
      -WebMercator.latitudeLimit, min(WebMercator.latitudeLimit, degrees * .pi / 180))
    return (1 - inverseHyperbolicSine(tangent(latitude)) / .pi) / 2
  }
}
