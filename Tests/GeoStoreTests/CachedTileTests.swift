import CSQLite
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct CachedTileTests {
  private let home = Coordinate(47.37, 8.54)

  private func near(_ store: Store) throws -> [RegionMatch] {
    try store.read { snapshot in
      try snapshot.regions(near: home, radiusMeters: 20_000)
    }
  }

  /// The answer of the database, with nothing cached in memory.
  private func fresh(_ store: Store) throws -> [RegionMatch] {
    var options = StoreOptions()
    options.cachedTileBytes = 0
    return try near(Store(path: store.path, creating: false, options: options))
  }

  @Test func `an entry is 16 bytes that begin with its latitude and longitude`() {
    let entry = CachedTile.Entry(coordinate: Coordinate(-1.5, 2.5), id: 7)
    // Sound: an entry is at least as aligned as its latitude, an Int32, and any bits are numbers.
    let words = withUnsafeBytes(of: entry) { Array($0.bindMemory(to: Int32.self)) }
    #expect(words == [-15_000_000, 25_000_000, 7, 0] || words == [-15_000_000, 25_000_000, 0, 7])
    #expect(MemoryLayout<CachedTile.Entry>.stride == 16)
  }

  @Test func `a hit is 24 bytes: an entry and its distance`() {
    let hit = RegionHit(id: 7, coordinate: Coordinate(-1.5, 2.5), distanceMeters: 75)
    let entry = CachedTile.Entry(coordinate: hit.coordinate, id: hit.id)
    // Sound: any bits are a valid number, and the distance lies at a multiple of eight.
    withUnsafeBytes(of: hit) { bytes in
      withUnsafeBytes(of: entry) { #expect(Array(bytes.prefix(16)) == Array($0)) }
      #expect(bytes.load(fromByteOffset: 16, as: Double.self) == 75)
    }
    #expect(MemoryLayout<RegionHit>.stride == 24)
  }

  @Test(arguments: Seeds.sample(6))
  func `cached tiles follow the changes written by this store and by another`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    let other = try Store(path: folder.file("s.sqlite"), creating: false)
    for round in 0..<12 {
      let track = wanderingTrack(
        count: 60, homes: [home.randomNeighbor(within: 15_000, using: &random)], using: &random)
      let writer = round % 3 == 2 ? other : store
      switch round % 4 {
      case 3:
        // A rolled-back transaction changes nothing.
        try writer.write { session in
          let source = try session.beginSource()
          try source.append(track)
          _ = try source.finish(.sample("undone \(round)"))
          session.cancel()
        }
      default: try writer.add(track, as: "\(round)")
      }
      if round == 9 {
        try writer.write { session in try session.set(.clusteringRadiusMeters, to: 90) }
      }
      let expected = try fresh(store)
      #expect(try near(store) == expected, "round \(round)")
      #expect(try near(other) == expected, "round \(round)")
    }
    #expect(try near(store).count > 100)
  }

  @Test(arguments: Seeds.sample(6), [0, 20_000, 256 << 20])
  func `repeated searches return the same places, with any cache size`(
    seed: UInt64, bytes: Int
  )
    throws
  {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    var options = StoreOptions(placeNames: { PlaceNames(countryCode: "CH", city: $0.description) })
    options.cachedTileBytes = bytes
    let path = folder.file("s.sqlite")
    do {
      let writer = try Store(path: path, creating: true, options: options)
      for source in 0..<4 {
        let homes = (0..<3).map { _ in home.randomNeighbor(within: 15_000, using: &random) }
        try writer.add(wanderingTrack(count: 300, homes: homes, using: &random), as: "\(source)")
      }
    }
    let store = try Store(path: path, creating: false, options: options)
    let all = try store.regions()
    var (few, many) = (0, 0)
    for _ in 0..<30 {
      let center = all[Int.random(in: 0..<all.count, using: &random)].coordinate
      let radius = [0, 100, 700, 30_000][Int.random(in: 0..<4, using: &random)] as Double
      let expected = all.map {
        RegionMatch(region: $0, distanceMeters: center.distanceMeters(to: $0.coordinate))
      }
      .filter { $0.distanceMeters <= radius }
      .sorted { ($0.distanceMeters, $0.region.id) < ($1.distanceMeters, $1.region.id) }
      // A newly opened store, and one that was queried before.
      for each in [try Store(path: path, creating: false, options: options), store, store] {
        let found = try each.read { snapshot in
          try snapshot.regions(near: center, radiusMeters: radius)
        }
        #expect(found.map(\.region) == expected.map(\.region), "\(radius) m around \(center)")
      }
      if expected.count * 4 <= all.count { few += 1 } else { many += 1 }
    }
    #expect(few > 5 && many > 2, "\(few) \(many)")
  }

  @Test func `an old snapshot keeps its answers while others see the new ones`() throws {
    var random = SplitMix64(seed: 1)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    try store.add(wanderingTrack(count: 100, homes: [home], using: &random), as: "one")
    let before = try near(store)
    try store.read { old in
      do {
        try store.add(wanderingTrack(count: 100, homes: [home], using: &random), as: "two")
        #expect(try near(store).count > before.count)
      } catch let error as DatabaseError {
        throw error
      } catch {
        Issue.record(error)
      }
      #expect(try old.regions(near: home, radiusMeters: 20_000) == before)
    }
    #expect(try near(store).count > before.count)
  }

  @Test func `a change invalidates only the cached tiles that it touches`() throws {
    var random = SplitMix64(seed: 3)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    let away = Coordinate(-33.9, 151.2)
    try store.add(wanderingTrack(count: 100, homes: [home, away], using: &random), as: "one")
    func tile(_ center: Coordinate) throws -> CachedTile {
      try store.read { snapshot in
        try snapshot.cachedTile(Geohash(center, length: CachedTile.length))
      }
    }
    let (first, second) = (try tile(home), try tile(away))
    #expect(try tile(home) === first && tile(away) === second)
    try store.add(wanderingTrack(count: 10, homes: [away], using: &random), as: "two")
    #expect(try tile(home) === first)
    #expect(try tile(away) !== second)
  }

  @Test func `cached tiles stay within their memory limit`() throws {
    let tiles = CachedTiles(capacity: 100_000)
    var random = SplitMix64(seed: 5)
    for _ in 0..<500 {
      let center = Coordinate.random(using: &random)
      let entries = (0..<Int.random(in: 0...300, using: &random)).map {
        CachedTile.Entry(coordinate: center, id: Int64($0))
      }
      let geohash = Geohash(center, length: CachedTile.length)
      tiles.keep(CachedTile(entries, in: geohash), as: geohash, at: 0)
      #expect(tiles.byteCount <= 100_000)
    }
    #expect(tiles.byteCount > 50_000)
    // Adding the same tile again replaces it.
    let only = CachedTiles(capacity: 100_000)
    let geohash = Geohash(home, length: CachedTile.length)
    let empty = CachedTile([], in: geohash)
    for _ in 0..<100 { only.keep(empty, as: geohash, at: 0) }
    #expect(only.byteCount == empty.byteCount)
  }

  @Test(arguments: Seeds.sample(20))
  func `a tile returns the entries of given rows between two meridians`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let geohash = Geohash(Coordinate.random(using: &random), length: CachedTile.length)
    let bounds = geohash.bounds
    // Some tiles have more entries in each column than are read one after the other.
    let most = seed % 2 == 0 ? 500 : 20_000
    let entries = (0..<Int.random(in: 0...most, using: &random)).map { id in
      CachedTile.Entry(
        coordinate: Coordinate(
          Double.random(in: bounds.south..<bounds.north, using: &random),
          Double.random(in: bounds.west..<bounds.east, using: &random)), id: Int64(id))
    }
    let tile = CachedTile(entries.shuffled(using: &random), in: geohash)
    let sorted = entries.sorted {
      let rows = (
        CachedTile.row($0.coordinate.latitudeE7), CachedTile.row($1.coordinate.latitudeE7)
      )
      return (rows.0, $0.coordinate.longitudeE7, $0.id) < (rows.1, $1.coordinate.longitudeE7, $1.id)
    }
    #expect(tile.entries.map(\.id) == sorted.map(\.id))
    let (west, east) = (Int64(bounds.west * 1e7), Int64(bounds.east * 1e7))
    for _ in 0..<20 {
      let ends = [Int.random(in: 0..<16, using: &random), Int.random(in: 0..<16, using: &random)]
        .sorted()
      // Inside the tile, on its edges, and outside.
      let edges = (0..<2).map { _ in
        Int32(
          [
            Int64.random(in: west...east, using: &random), west, east,
            Int64.random(in: -2_000_000_000...2_000_000_000, using: &random),
          ].randomElement(using: &random) ?? west)
      }.sorted()
      var found: [Int64] = []
      tile.forEachEntry(rows: ends[0]...ends[1], westE7: edges[0], eastE7: edges[1]) {
        index, entry in
        #expect(tile.entries[index].id == entry.id)
        found.append(entry.id)
      }
      let expected = entries.filter {
        (ends[0]...ends[1]).contains(CachedTile.row($0.coordinate.latitudeE7))
          && (edges[0]...edges[1]).contains($0.coordinate.longitudeE7)
      }
      #expect(found.sorted() == expected.map(\.id).sorted())
    }
  }

  @Test func `a region outside its tile, as in a damaged store, hides no other`() {
    let geohash = Geohash(Coordinate(47.37, 8.54), length: CachedTile.length)
    let inside = (0..<100).map {
      CachedTile.Entry(coordinate: Coordinate(47.37, 8.5 + Double($0) / 1_000), id: Int64($0))
    }
    for longitude in [-180.0, 8.3, 9, 179.9] {
      let strange = CachedTile.Entry(coordinate: Coordinate(47.37, longitude), id: 100)
      let tile = CachedTile(inside + [strange], in: geohash)
      let row = CachedTile.row(strange.coordinate.latitudeE7)
      for (west, east) in [(84_500_000, 86_000_000), (85_100_000, 85_200_000)] {
        var found: [Int64] = []
        tile.forEachEntry(rows: row...row, westE7: Int32(west), eastE7: Int32(east)) { _, entry in
          found.append(entry.id)
        }
        let expected = inside.filter {
          (west...east).contains(Int($0.coordinate.longitudeE7))
        }
        #expect(found.sorted() == expected.map(\.id))
      }
    }
  }

  @Test(arguments: Seeds.sample(50))
  func `each row contains its latitudes, and a covering the corners of its box`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let center = Coordinate.random(using: &random)
    let other = center.randomNeighbor(within: 30_000, using: &random)
    let box = try BoundingBox(
      south: min(center.latitudeDegrees, other.latitudeDegrees),
      west: min(center.longitudeDegrees, other.longitudeDegrees),
      north: max(center.latitudeDegrees, other.latitudeDegrees),
      east: max(center.longitudeDegrees, other.longitudeDegrees))
    for corner in [center, other] {
      var found = 0
      try TileCovering(of: box).forEachTile { (part) throws(DatabaseError) in
        guard part.geohash == Geohash(corner, length: CachedTile.length) else { return }
        found += 1
        let row = CachedTile.row(corner.latitudeE7)
        #expect(part.rows.contains(row))
        let south = part.southE7(ofRow: row)
        #expect(south <= Double(corner.latitudeE7))
        #expect(
          Double(corner.latitudeE7) < south + CachedTile.rowHeightE7 || corner.latitudeDegrees == 90
        )
      }
      #expect(found == 1)
    }
  }
}
