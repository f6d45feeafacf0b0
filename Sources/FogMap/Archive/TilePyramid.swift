import GridHash

/// The tiles of a range of zooms that a map needs.
///
/// Shapes need the tiles that show something explored. Pictures of fog also need fogged tiles: all
/// of the lowest zoom, up to ``wholeZoom``, and the four tiles below every tile that shows
/// something explored. Elsewhere a map enlarges a tile of a lower zoom, which is all fog.
package struct TilePyramid {
  /// The zooms that a pyramid can have; at a higher one a cell would fill a tile.
  package static let zooms = 0...16

  /// The highest zoom of which all tiles are there if it is the lowest one: 1,024 tiles.
  package static let wholeZoom = 5

  /// What to do with a tile that may have been written before.
  package enum Change: Hashable, Sendable {
    /// Write it.
    case write([UInt8])
    /// Write it unless it is there.
    case keepOrWrite([UInt8])
    /// Remove it if it is there.
    case remove
  }

  private let grid: Grid
  private let zooms: ClosedRange<Int>
  private let maker: TileMaker

  /// The pyramid of a maker's tiles.
  ///
  /// - Parameter zooms: clamped to ``zooms``.
  package init(_ maker: TileMaker, grid: Grid, zooms: ClosedRange<Int>) {
    (self.maker, self.grid) = (maker, grid)
    self.zooms = zooms.clamped(to: Self.zooms)
  }

  /// Calls `body` with every tile, in the order of their numbers.
  ///
  /// - Parameter keys: the keys of all squares of the coverage.
  /// - Memory: 8 bytes for each tile of the highest zoom, and one tile.
  package func forEachTile<Failure: Error>(
    _ keys: [Int64], _ body: (MapTile, [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var above: [UInt64]?
    for zoom in zooms {
      let touched = touching(keys, zoom)
      var explored: [UInt64] = []
      let fogged = above != nil || isWhole ? maker.fogged : nil
      for place in places(below: above, touched, zoom) {
        guard let tile = MapTile(zoom: zoom, place: place) else { continue }
        let made = touched.containsSorted(place) ? maker.make(tile) : nil
        if made != nil { explored.append(place) }
        if let bytes = made ?? fogged { try body(tile, bytes) }
      }
      above = explored
    }
  }

  /// Calls `body` with the tiles that have changed, so that afterwards the tiles are those of
  /// ``forEachTile(_:_:)``.
  ///
  /// - Parameter keys: the keys of the squares that have changed, ascending.
  package func forEachChange<Failure: Error>(
    _ keys: [Int64], _ body: (MapTile, Change) throws(Failure) -> Void
  ) throws(Failure) {
    // The changed tiles of the zoom above that show something explored, and the others.
    var (explored, fogged): ([UInt64], [UInt64]) = ([], [])
    for zoom in zooms {
      let touched = touching(keys, zoom)
      let (above, aboveFogged) = (explored, fogged)
      (explored, fogged) = ([], [])
      for place in touched {
        guard let tile = MapTile(zoom: zoom, place: place) else { continue }
        if let bytes = maker.make(tile) {
          explored.append(place)
          try body(tile, .write(bytes))
        } else {
          fogged.append(place)
          let isNeeded =
            zoom > zooms.lowerBound ? above.containsSorted(place >> 2) : isWhole
          try body(tile, isNeeded ? maker.fogged.map(Change.write) ?? .remove : .remove)
        }
      }
      guard zoom > zooms.lowerBound, let fog = maker.fogged else { continue }
      for (parents, change) in [(above, Change.keepOrWrite(fog)), (aboveFogged, .remove)] {
        for place in Self.children(of: parents) where !touched.containsSorted(place) {
          if let tile = MapTile(zoom: zoom, place: place) { try body(tile, change) }
        }
      }
    }
  }

  private func touching(_ keys: [Int64], _ zoom: Int) -> [UInt64] {
    TilePlaces.touching(keys, of: grid, zoom: zoom, margin: maker.margin)
  }

  /// Whether all tiles of the lowest zoom are needed.
  private var isWhole: Bool { maker.fogged != nil && zooms.lowerBound <= Self.wholeZoom }

  /// The places of a zoom's tiles: for pictures all of those below `above`, or all of the zoom.
  private func places(
    below above: [UInt64]?, _ touched: [UInt64], _ zoom: Int
  ) -> [UInt64] {
    guard maker.fogged != nil else { return touched }
    if let above { return Self.children(of: above) }
    return isWhole ? Array(0..<1 << (2 * UInt64(zoom))) : touched
  }

  private static func children(of places: [UInt64]) -> [UInt64] {
    places.flatMap { place in 4 * place..<4 * place + 4 }
  }
}

extension [UInt64] {
  /// Whether an ascending array has a value. O(log count).
  fileprivate func containsSorted(_ value: UInt64) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == value
  }
}
