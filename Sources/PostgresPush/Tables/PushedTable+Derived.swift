import ByteStreams
import Geodesy
import GeoStore
import GridHash

/// What the store derives from its sources.
extension PushedTable {
  /// The names that regions share. The key is a digest of the names, so that it is the same on all
  /// devices.
  static let places = PushedTable(
    kind: 7, name: "places",
    columns: [
      "place", "quarter", "city", "district", "region", "region_code", "country", "country_code",
    ],
    key: .row("place")
  ) { store, rows in
    let named = Dictionary(
      try store.snapshot.placesByNumber().values.map { ($0.key, $0) },
      uniquingKeysWith: { first, _ in first })
    for (key, place) in named.sorted(by: { $0.key < $1.key }) {
      try rows.add(to: key) { row in
        row.put(key)
        for name in place.inColumns { row.put(name) }
      }
    }
  }

  /// The visited regions. A piece is a cell of the geohash of five characters, about 4.9 by 4.9
  /// km.
  static let regions = PushedTable(
    kind: 8, name: "regions",
    columns: [
      "region", "center", "place", "radius", "accuracy", "first_time", "last_time", "visit_count",
    ],
    key: regionKey
  ) { store, rows in
    let places = try store.snapshot.placesByNumber().mapValues(\.key)
    try store.snapshot.forEachRegionRow { region in
      try rows.add(to: region.id >> droppedRegionBits) { row in
        row.put(region.id)
        row.put(region.center)
        row.put(region.place.flatMap { places[$0] })
        row.put(Int32(region.radiusMeters))
        row.put(region.accuracyMeters)
        row.put(region.span?.start)
        row.put(region.span?.end)
        row.put(Int64(region.visitCount))
      }
    }
  }

  /// The visits to them.
  static let visits = PushedTable(
    kind: 9, name: "visits", columns: ["region", "start_time", "end_time"], key: regionKey
  ) { store, rows in
    try store.snapshot.forEachVisit { region, visit in
      try rows.add(to: region >> droppedRegionBits) { row in
        row.put(region)
        row.put(visit.start)
        row.put(visit.end)
      }
    }
  }

  /// The explored tiles.
  static let tiles = PushedTable(
    kind: 10, name: "tiles", columns: ["tile", "grid_mm", "cells", "square_meters", "bits"],
    key: .row("tile")
  ) { store, rows in
    let grid = store.snapshot.settings.grid
    try store.snapshot.forEachTile { key, tile in
      try rows.add(to: key) { row in
        row.put(key)
        row.put(store.gridMillimeters)
        row.put(Int32(tile.count))
        row.put(grid.areaSquareMeters(of: tile, at: key))
        row.put(bits: (0..<64).lazy.map { tile[row: $0] })
      }
    }
  }

  /// A region's number has nine characters of a geohash, five bits each, and eight bits of a
  /// counter. Without its last 4 × 5 + 8 = 28 bits, five characters are left.
  private static let droppedRegionBits: Int64 = 28
  private static let regionKey = PieceKey.prefix(
    column: "region", droppedBits: Int(droppedRegionBits))
}

extension PlaceNames {
  /// The first eight bytes of the SHA-256 of the names, each with a zero byte after it, and a byte
  /// 1 in place of a name that is missing.
  fileprivate var key: Int64 {
    var hash = SHA256()
    for name in inColumns { hash.update(name.map { Array($0.utf8) + [0] } ?? [1]) }
    return PieceKey.piece(sha256: hash.finalize())
  }
}

extension Snapshot {
  /// Calls `body` with the explored tiles in the order of their keys.
  fileprivate func forEachTile(_ body: (Int64, Tile) throws -> Void) throws {
    var failure: (any Error)?
    try forEachCoverageTile { key, tile in
      guard failure == nil else { return }
      do { try body(key, tile) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
