extension MapTile {
  /// The tile's number in an archive: tiles of lower zooms first, and those of one zoom along a
  /// Hilbert curve, on which the four tiles below a tile follow each other.
  ///
  /// - Source: PMTiles Specification 3, "Tile ID Encoding".
  package var number: UInt64 { Self.firstNumber(ofZoom: zoom) + place }

  /// The tile of a number; nil beyond ``zooms``.
  package init?(number: UInt64) {
    guard let zoom = Self.zooms.first(where: { number < Self.firstNumber(ofZoom: $0 + 1) }) else {
      return nil
    }
    self.init(zoom: zoom, place: number - Self.firstNumber(ofZoom: zoom))
  }

  /// The number of the first tile of a zoom: how many tiles there are with lower zooms.
  package static func firstNumber(ofZoom zoom: Int) -> UInt64 { (1 << (2 * UInt64(zoom)) - 1) / 3 }

  /// The place of the tile on the Hilbert curve of its zoom. The four tiles below it have the
  /// places 4 × `place` to 4 × `place` + 3.
  package var place: UInt64 {
    var (x, y, place) = (x, y, UInt64(0))
    for level in stride(from: zoom - 1, through: 0, by: -1) {
      let (east, south) = (x >> level & 1, y >> level & 1)
      place = place << 2 | UInt64(3 * east ^ south)
      Self.turn(&x, &y, size: 1 << level, east, south)
    }
    return place
  }

  /// The tile at a place on the Hilbert curve of a zoom; nil if there is none.
  package init?(zoom: Int, place: UInt64) {
    guard Self.zooms.contains(zoom), place < 1 << (2 * UInt64(zoom)) else { return nil }
    var (x, y) = (0, 0)
    for level in 0..<zoom {
      let digit = Int(place >> (2 * UInt64(level)) & 3)
      let east = digit >> 1
      let south = (digit ^ east) & 1
      Self.turn(&x, &y, size: 1 << level, east, south)
      x += east << level
      y += south << level
    }
    self.init(zoom: zoom, x: x, y: y)
  }

  /// Turns the coordinates in a quarter of the curve as that quarter is turned.
  private static func turn(_ x: inout Int, _ y: inout Int, size: Int, _ east: Int, _ south: Int) {
    let mask = size - 1
    (x, y) = (x & mask, y & mask)
    guard south == 0 else { return }
    if east == 1 { (x, y) = (mask - x, mask - y) }
    swap(&x, &y)
  }
}
