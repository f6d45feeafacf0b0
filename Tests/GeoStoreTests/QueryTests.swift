import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct QueryTests {
  private func store(
    seed: UInt64, homes: [Coordinate] = awkwardHomes, in folder: TemporaryFolder
  ) throws -> Store {
    var random = SplitMix64(seed: seed)
    let store = try Store(
      path: folder.file("s.sqlite"), creating: true,
      options: StoreOptions(placeNames: { coordinate in
        // A made-up map: one country per 60° of longitude, and none south of 60° S.
        guard coordinate.latitudeDegrees > -60 else { return PlaceNames() }
        let number = Int((coordinate.longitudeDegrees + 180) / 60)
        return PlaceNames(
          countryCode: "C\(number)", country: "Country \(number)",
          region: "Region \(Int(coordinate.latitudeDegrees) / 30)", city: nil)
      }))
    try store.add(wanderingTrack(count: 800, homes: homes, using: &random), as: "one")
    return store
  }

  @Test(arguments: Seeds.sample(8))
  func `regions near a point equal those found by a scan of all regions`(seed: UInt64) throws {
    try checkNear(seed: seed, homes: awkwardHomes, radii: [0, 80, 500, 2_000, 30_000, 400_000])
  }

  @Test
  func `regions near a point equal those of a scan, at the poles and around the world`() throws {
    try checkNear(seed: 1, homes: polarHomes, radii: [500, 2_000, 400_000])
    try checkNear(seed: 1, homes: [awkwardHomes[1]], radii: [20_100_000])
  }

  @Test
  func `a limit above the number of regions returns all, and one below 1 returns none`() throws {
    let folder = try TemporaryFolder()
    let store = try store(seed: 1, in: folder)
    let count = try store.regions().count
    let center = awkwardHomes[1]
    try store.read { (snapshot) throws in
      for asked in [Int.max, Int.max / 2, count, count + 1] {
        #expect(try snapshot.nearestHits(to: center, count: asked).count == count)
        #expect(try snapshot.nearestRegions(to: center, count: asked).count == count)
        #expect(
          try snapshot.hits(near: center, radiusMeters: 30_000_000, limit: asked).count == count)
        #expect(try snapshot.regions(in: .world, limit: asked).count == count)
      }
      for asked in [0, -1, Int.min] {
        #expect(try snapshot.nearestHits(to: center, count: asked).isEmpty)
        #expect(try snapshot.nearestRegions(to: center, count: asked).isEmpty)
        for radius in [500, 30_000_000.0] {
          #expect(try snapshot.hits(near: center, radiusMeters: radius, limit: asked).isEmpty)
          #expect(try snapshot.regions(near: center, radiusMeters: radius, limit: asked).isEmpty)
        }
        #expect(try snapshot.regions(in: .world, limit: asked).isEmpty)
        #expect(
          try snapshot.regions(in: BoundingBox(around: center, radiusMeters: 500), limit: asked)
            .isEmpty)
      }
    }
  }

  @Test
  func `first and last times in the views of places are ordered by time, not as text`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    let second: Int64 = 1_700_000_000_000
    let fixes = [900, 0, 500].map { milliseconds in
      KeptFix(
        coordinate: Coordinate(47, 8 + Double(milliseconds) / 1_000),
        time: Timestamp(millisecondsSince1970: second + milliseconds), accuracyMeters: 5,
        startsSegment: true)
    }
    try store.add(fixes, as: "one")
    for view in ["regions_by_country", "regions_by_city"] {
      let times = try store.read { snapshot in
        snapshot.connection.soften()
        return try snapshot.connection.text("SELECT first_time || ' ' || last_time FROM \(view)")
      }
      #expect(times == "2023-11-14T22:13:20Z 2023-11-14T22:13:20.900Z")
    }
  }

  @Test func `the view visit_list formats times like the rest of the store`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    let second: Int64 = 1_700_000_000_000
    for (index, milliseconds) in [Int64(0), 7, 70, 700].enumerated() {
      try store.add(
        [0, 60_000].map { later in
          KeptFix(
            coordinate: Coordinate(47, 8 + Double(index) / 10),
            time: Timestamp(millisecondsSince1970: second + milliseconds + later),
            accuracyMeters: 5,
            startsSegment: later == 0)
        }, as: "\(index)")
    }
    let times = try store.read { snapshot in
      snapshot.connection.soften()
      return try snapshot.connection.text(
        "SELECT group_concat(start_time || ' ' || end_time) "
          + "FROM (SELECT * FROM visit_list ORDER BY longitude)"
      )
    }
    let expected = [Int64(0), 7, 70, 700].map { milliseconds in
      [0, 60_000].map { Timestamp(millisecondsSince1970: second + milliseconds + $0).iso8601 }
        .joined(separator: " ")
    }
    #expect(times == expected.joined(separator: ","))
  }

  private func checkNear(seed: UInt64, homes: [Coordinate], radii: [Double]) throws {
    let folder = try TemporaryFolder()
    let store = try store(seed: seed, homes: homes, in: folder)
    let all = try store.regions()
    let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
    var random = SplitMix64(seed: seed)
    for home in homes {
      for radius in radii {
        let center = home.randomNeighbor(within: 300, using: &random)
        let expected =
          all
          .map { (id: $0.id, meters: center.distanceMeters(to: $0.coordinate)) }
          .filter { $0.meters <= radius }
          .sorted { ($0.meters, $0.id) < ($1.meters, $1.id) }
        let found = try store.read { snapshot in
          try snapshot.regions(near: center, radiusMeters: radius)
        }
        #expect(found.map(\.region.id) == expected.map(\.id), "\(center) \(radius)")
        #expect(found.map(\.region) == expected.map { byID[$0.id] })
        for (match, expected) in zip(found, expected) {
          #expect(abs(match.distanceMeters - expected.meters) < 1e-4)
        }
        let hits = try store.read { snapshot in
          #expect(try snapshot.hitCount(near: center, radiusMeters: radius) == expected.count)
          return try snapshot.hits(near: center, radiusMeters: radius)
        }
        #expect(hits.map(\.id) == found.map(\.region.id))
        #expect(hits.map(\.coordinate) == found.map(\.region.coordinate))
        #expect(hits.map(\.distanceMeters) == found.map(\.distanceMeters))
        let few = try store.read { snapshot in
          try snapshot.regions(near: center, radiusMeters: radius, limit: 3)
        }
        #expect(few == Array(found.prefix(3)))
      }
    }
  }

  @Test(arguments: Seeds.sample(6), [0, 1_000, 256 << 20])
  func `the nearest regions equal those found by a scan, with any cache size`(
    seed: UInt64, bytes: Int
  ) throws {
    let folder = try TemporaryFolder()
    let homes = seed == 1 ? polarHomes : awkwardHomes
    let path = try store(seed: seed, homes: homes, in: folder).path
    var options = StoreOptions()
    options.cachedTileBytes = bytes
    let store = try Store(path: path, creating: false, options: options)
    let all = try store.regions()
    var random = SplitMix64(seed: seed)
    let farAway = homes.map { Coordinate(-$0.latitudeDegrees / 2, $0.longitudeDegrees + 90) }
    for home in homes + farAway {
      let center = home.randomNeighbor(within: 3_000, using: &random)
      let expected = all.map {
        RegionHit(
          id: $0.id, coordinate: $0.coordinate,
          distanceMeters: center.distanceMeters(to: $0.coordinate))
      }.sorted(by: RegionHit.isNearer)
      for count in [0, 1, 7, all.count, all.count + 5] {
        let found = try store.read { snapshot in
          try snapshot.nearestRegions(to: center, count: count)
        }
        #expect(found.map(\.region.id) == expected.prefix(count).map(\.id))
        for (match, expected) in zip(found, expected) {
          #expect(abs(match.distanceMeters - expected.distanceMeters) < 1e-4)
        }
      }
    }
  }

  @Test(arguments: Seeds.sample(8))
  func `regions in a box equal those found by a scan of all regions`(seed: UInt64) throws {
    let homes = seed == 1 ? polarHomes : awkwardHomes
    let folder = try TemporaryFolder()
    let store = try store(seed: seed, homes: homes, in: folder)
    let all = try store.regions()
    var random = SplitMix64(seed: seed)
    var boxes = [BoundingBox.world, try BoundingBox(south: -90, west: 170, north: 90, east: -170)]
    for home in homes {
      boxes.append(BoundingBox(around: home, radiusMeters: .random(in: 10...2_000, using: &random)))
      boxes.append(
        try BoundingBox(
          south: home.latitudeDegrees, west: home.longitudeDegrees,
          north: min(90, home.latitudeDegrees + 0.001),
          east: min(180, home.longitudeDegrees + 0.001)))
    }
    for box in boxes {
      let found = try store.read { snapshot in try snapshot.regions(in: box) }
      #expect(found == all.filter { box.contains($0.coordinate) }, "\(box)")
      let few = try store.read { snapshot in
        try snapshot.regions(in: box, limit: 2)
      }
      #expect(few == Array(found.prefix(2)))
    }
  }

  @Test(arguments: Seeds.sample(4))
  func `counts equal those of a scan of all regions`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let store = try store(seed: seed, in: folder)
    let all = try store.regions()
    let counts = try store.read { snapshot in try snapshot.counts() }
    #expect(counts.visitedRegions == all.count)
    #expect(counts.visits == all.reduce(0) { $0 + $1.visitCount })
    #expect(counts.keptFixes == 800)
    #expect(counts.sources == 1)
    #expect(counts.countries == Set(all.compactMap(\.place.countryCode)).count)
    #expect(
      counts.regions == Set(all.filter { $0.place.region != nil }.map(\.place)).count)
    #expect(counts.cities == 0)
    for level in PlaceLevel.allCases {
      let rows = try store.read { snapshot in try snapshot.counts(by: level) }
      #expect(rows.reduce(0) { $0 + $1.visitedRegions } == all.count)
      for row in rows {
        let members = all.filter {
          $0.place.countryCode == row.place.countryCode
            && (level == .country || $0.place.region == row.place.region)
        }
        #expect(row.visitedRegions == members.count)
        #expect(row.visits == members.reduce(0) { $0 + $1.visitCount })
        #expect(row.firstTime == members.compactMap(\.timestampStart).min())
        #expect(row.lastTime == members.compactMap(\.timestampEnd).max())
      }
    }
  }

  @Test(arguments: Seeds.sample(4))
  func `coverage equals marking every kept fix, in any order`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    let tracks = (0..<4).map { _ in
      wanderingTrack(count: 100, homes: awkwardHomes, using: &random)
    }
    var expected = Coverage()
    var total = SourceChanges()
    for (index, track) in tracks.shuffled(using: &random).enumerated() {
      total = total + (try store.add(track, as: "\(index)"))
      for fix in track { expected.mark(discAround: fix.coordinate) }
    }
    let coverage = try store.coverage()
    #expect(coverage == expected)
    #expect(total.cellsAdded == expected.count)
    let area = expected.areaSquareKilometers
    #expect(abs(total.areaAddedSquareKilometers - area) < 1e-9 * area)
    let cells = try store.read { snapshot in try snapshot.exploredCellCount() }
    #expect(cells == expected.count)
  }
}
