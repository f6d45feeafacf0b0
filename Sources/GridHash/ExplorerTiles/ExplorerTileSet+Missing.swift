import Geodesy

extension ExplorerTileSet {
  /// The tiles that are not in the set, nearest first by the distance from a point to their center;
  /// equal distances by row and column. None for a point beyond the map.
  ///
  /// - Complexity: O(m log m) for the m tiles within the distance of the last one.
  package func nearestMissing(to center: Coordinate, limit: Int)
    -> [(tile: ExplorerTile, distanceMeters: Double)]
  {
    guard limit > 0, let own = ExplorerTile(containing: center, zoom: zoom) else { return [] }
    var found: [(tile: ExplorerTile, distanceMeters: Double)] = []
    func add(_ east: Int, _ south: Int) {
      guard let tile = own.moved(east: east, south: south), !contains(tile) else { return }
      found.append((tile, center.distanceMeters(to: tile.center)))
    }
    func order() { found.sort { ($0.distanceMeters, $0.tile) < ($1.distanceMeters, $1.tile) } }
    // A ring has the tiles at one distance in columns or rows, whichever is larger. The western
    // half of the map is one column narrower if the number of columns is even.
    let (west, east) = (columnCount / 2, (columnCount - 1) / 2)
    var lastCheck = 0
    for ring in 0..<max(columnCount, 1) {
      for south in -ring...ring where 0..<columnCount ~= own.y + south {
        if abs(south) == ring {
          for column in max(-ring, -west)...min(ring, east) { add(column, south) }
        } else {
          if ring <= west { add(-ring, south) }
          if ring <= east { add(ring, south) }
        }
      }
      // Sorting again and again would be slow.
      guard found.count >= limit, found.count >= lastCheck + lastCheck / 4 else { continue }
      order()
      lastCheck = found.count
      if found[limit - 1].distanceMeters < leastDistanceMeters(from: center, beyond: ring, of: own)
      {
        break
      }
    }
    order()
    return Array(found.prefix(limit))
  }

  /// A distance that every tile beyond a ring exceeds: that to the nearest edge of the ring's box,
  /// on a sphere that is smaller than the Earth.
  private func leastDistanceMeters(
    from center: Coordinate, beyond ring: Int, of own: ExplorerTile
  ) -> Double {
    let radius = 6_335_000.0  // the smallest radius of curvature, 6 335 439 m, rounded down
    let latitude = center.latitudeRadians
    var least = Double.infinity
    if let north = own.moved(east: 0, south: -ring) {
      least = min(least, north.northDegrees * .pi / 180 - latitude)
    }
    if let south = own.moved(east: 0, south: ring) {
      least = min(least, latitude - south.southDegrees * .pi / 180)
    }
    // The next meridian edge is at least `ring` tiles away; beyond 90° of longitude the nearest
    // point of the meridian is a pole.
    let degrees = Double(ring) / Double(columnCount) * 2 * .pi
    if ring < columnCount / 2 {
      least = min(
        least,
        degrees < .pi / 2
          ? arcSine(cosine(latitude) * sine(degrees)) : .pi / 2 - abs(latitude))
    }
    return least * radius
  }
}
