import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct RegionQueryTests {
  private func store(seed: UInt64, _ folder: borrowing TemporaryFolder) throws -> Store {
    var random = SplitMix64(seed: seed)
    let store = try Store(
      path: folder.file("s.sqlite"), creating: true,
      options: StoreOptions(placeNames: { coordinate in
        PlaceNames(
          countryCode: coordinate.latitudeE7 % 2 == 0 ? "AA" : "BB",
          city: ["Ulm", "Ürümqi", nil][Int(coordinate.longitudeE7.magnitude % 3)])
      }))
    for name in ["one", "two"] {
      try store.add(wanderingTrack(count: 300, homes: awkwardHomes, using: &random), as: name)
    }
    try store.add(wanderingTrack(count: 12, homes: polarHomes, using: &random), as: "poles")
    return store
  }

  @Test(arguments: Seeds.sample(4))
  func `counts and spans of one reading are those of two`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let store = try store(seed: seed, folder)
    try store.read { snapshot in
      var (spans, expected): ([RegionSpan], [RegionSpan]) = ([], [])
      let plain = try snapshot.counts()
      var counts = try snapshot.counts { span, _ in spans.append(span) }
      counts.cities = plain.cities
      try snapshot.forEachRegionSpan(in: nil) { expected.append($0) }
      #expect(counts == plain)
      #expect(counts == (try snapshot.counts(cities: plain.cities)))
      #expect(spans == expected && spans.count == counts.visitedRegions)
    }
  }

  @Test func `codes of regions are stored, queried and checked`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    // Two regions of one name, and one without a code.
    let options = StoreOptions(placeNames: { coordinate in
      let code = ["TW-CYI", "TW-CYQ", nil][Int(coordinate.longitudeE7.magnitude % 3)]
      return PlaceNames(countryCode: "TW", regionCode: code, region: "Chiayi")
    })
    var random = SplitMix64(seed: 7)
    do {
      let store = try Store(path: path, creating: true, options: options)
      try store.add(wanderingTrack(count: 200, homes: awkwardHomes, using: &random), as: "one")
    }
    let store = try Store(path: path, creating: false, options: options)
    let all = try store.regions()
    for region in all { #expect(region.place == options.placeNames(region.coordinate)) }
    var counts: [String: Int] = [:]
    for code in ["TW-CYI", "TW-CYQ", "TW-TPE"] {
      var query = RegionQuery()
      query.regionCode = code
      let found = try store.read { snapshot in try snapshot.regions(matching: query) }
      #expect(found.map(\.id) == all.filter { $0.place.regionCode == code }.map(\.id))
      counts[code] = found.count
    }
    #expect(counts["TW-CYI"] != 0 && counts["TW-CYQ"] != 0 && counts["TW-TPE"] == 0)
    #expect(try store.read { snapshot in try snapshot.counts().regions } == 3)
    #expect(try store.check().isSound)

    try store.write { session in
      try session.connection.execute("UPDATE places SET region_code = 'TW-TPE' WHERE id = 1")
    }
    let differences = try store.check().steps.flatMap(\.differences)
    #expect(differences.contains { $0.contains("region_code is TW-TPE, should be") })
  }

  private func areas(_ random: inout SplitMix64) throws -> [RegionQuery.Area] {
    let home = (awkwardHomes + polarHomes).randomElement(using: &random) ?? Coordinate(0, 0)
    let corners = (0..<5).map { index in
      home.randomNeighbor(within: Double(index + 1) * 300, using: &random)
    }
    var areas: [RegionQuery.Area] = [
      .everywhere, .box(.world), .circle(center: home, radiusMeters: 700),
      .circle(center: home, radiusMeters: 3_000_000),
      .box(BoundingBox(around: home, radiusMeters: 900)),
      .polygons([]),
    ]
    if let polygon = try? Polygon(outer: corners) {
      areas.append(.polygons([polygon]))
      areas.append(.polygons([polygon, polygon]))
      let hemisphere = try Polygon(outer: [
        Coordinate(-89, -90), Coordinate(-89, 90), Coordinate(89, 90), Coordinate(89, -90),
      ])
      areas.append(.polygons([hemisphere, polygon]))
    }
    for south in [85.0, -90] {
      let cap = [(-180.0, south), (180, south), (180, south + 5), (-180, south + 5)].compactMap {
        Polygon.Corner(latitudeDegrees: $0.1, longitudeDegrees: $0.0)
      }
      areas.append(.polygons([try Polygon(corners: cap)]))
    }
    return areas
  }

  @Test(arguments: Seeds.sample(8))
  func `every query equals a scan of all regions and visits`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let store = try store(seed: seed, folder)
    var random = SplitMix64(seed: seed + 100)
    let all = try store.regions()
    let visits = try store.read { snapshot in
      var visits: [Int64: [Visit]] = [:]
      for region in all { visits[region.id] = try snapshot.visits(toRegion: region.id) }
      return visits
    }
    let times = visits.values.joined().flatMap { [$0.start, $0.end] }.sorted()
    for area in try areas(&random) {
      for _ in 0..<6 {
        var query = RegionQuery(area: area)
        if Bool.random(using: &random) {
          query.countryCode = ["AA", "BB", "CC"].randomElement(using: &random)
        }
        if Bool.random(using: &random) {
          query.cities = [["Ulm"], ["Ürümqi"], ["Ulm", "Ürümqi"], []].randomElement(using: &random)
        }
        if Bool.random(using: &random) {
          let names = Set(all.compactMap(\.place.region))
          query.regions = names.randomElement(using: &random).map { [$0, "no region"] } ?? []
        }
        if Bool.random(using: &random) {
          let ends = [times.randomElement(using: &random), times.randomElement(using: &random)]
            .compactMap(
              \.self)
          query.times = (ends.min() ?? times[0])...(ends.max() ?? times[0])
        }
        let expected = all.filter { region in
          let place = region.coordinate
          let isInside =
            switch query.area {
            case .everywhere: true
            case .circle(let center, let radius): center.distanceMeters(to: place) <= radius
            case .box(let box): box.contains(place)
            case .polygons(let polygons): polygons.contains { $0.contains(place) }
            }
          let isThen =
            query.times.map { times in
              visits[region.id]?.contains {
                $0.start <= times.upperBound && $0.end >= times.lowerBound
              }
                ?? false
            } ?? true
          return isInside && isThen
            && (query.countryCode ?? region.place.countryCode) == region.place.countryCode
            && query.cities.map { cities in cities.contains { $0 == region.place.city } } != false
            && query.regions.map { names in names.contains { $0 == region.place.region } } != false
        }
        let found = try store.read { snapshot in
          #expect(try snapshot.countRegions(matching: query) == expected.count)
          return try snapshot.regions(matching: query)
        }
        #expect(found == expected, "\(query)")
        #expect(try paged(query, by: Int.random(in: 1...60, using: &random), of: store) == expected)
      }
    }
  }

  @Test func `a name is found however its accents are encoded, among any number of names`() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 9)
    let store = try Store(
      path: folder.file("s.sqlite"), creating: true,
      options: StoreOptions(placeNames: { coordinate in
        let spellings = ["\u{CE}le", "I\u{302}le", "Isle"]
        return PlaceNames(region: spellings[Int(coordinate.longitudeE7.magnitude % 3)])
      }))
    try store.add(wanderingTrack(count: 300, homes: awkwardHomes, using: &random), as: "track")
    let all = try store.regions()
    let encodings = Set(all.compactMap { $0.place.region.map { Array($0.utf8) } })
    #expect(encodings.count == 3)
    // More names than a statement can have parameters.
    let many = Set((0..<40_000).map { "Region \($0)" })
    for names in [["\u{CE}le"], ["I\u{302}le"], many.union(["\u{CE}le"])] as [Set<String>] {
      for area in [
        RegionQuery.Area.everywhere, .box(.world),
        .box(BoundingBox(around: awkwardHomes[1], radiusMeters: 2_000)),
      ] {
        var query = RegionQuery(area: area)
        let inArea = try store.read { snapshot in try snapshot.regions(matching: query) }
        query.regions = names
        let found = try store.read { snapshot in try snapshot.regions(matching: query) }
        #expect(found == inArea.filter { $0.place.region == "\u{CE}le" })
        #expect(!found.isEmpty)
      }
    }
  }

  /// All results of a query, page by page, each page from its own snapshot.
  private func paged(_ query: RegionQuery, by limit: Int, of store: Store) throws -> [VisitedRegion]
  {
    var all: [VisitedRegion] = []
    while true {
      let page = try store.read { snapshot in
        try snapshot.regions(matching: query, after: all.last?.id, limit: limit)
      }
      #expect(page.count <= limit)
      if page.isEmpty { return all }
      all += page
    }
  }

  @Test func `paging through regions skips none while regions are added`() throws {
    let folder = try TemporaryFolder()
    let store = try store(seed: 3, folder)
    var random = SplitMix64(seed: 7)
    let before = try store.regions()
    var seen: [VisitedRegion] = []
    for _ in 0..<3 {
      seen += try store.read { snapshot in
        try snapshot.regions(matching: RegionQuery(), after: seen.last?.id, limit: 20)
      }
      try store.add(
        wanderingTrack(count: 20, homes: [Coordinate(10, 10)], using: &random), as: "\(seen.count)")
    }
    // Of the regions that existed before, none is skipped and none is repeated.
    let known = Set(before.map(\.id))
    let old = seen.map(\.id).filter(known.contains)
    #expect(old == before.prefix(old.count).map(\.id) && old.count > 20)
    #expect(Set(seen.map(\.id)).count == seen.count)
  }

  @Test func `iteration over regions stops when its closure returns false`() throws {
    let folder = try TemporaryFolder()
    let store = try store(seed: 4, folder)
    for area in [
      RegionQuery.Area.everywhere, .box(BoundingBox(around: awkwardHomes[1], radiusMeters: 2_000)),
    ] {
      var count = 0
      try store.read { snapshot in
        try snapshot.forEachRegion(matching: RegionQuery(area: area)) { _ in
          count += 1
          return count < 3
        }
      }
      #expect(count == 3)
    }
  }

  @Test func `concurrent async calls return the same results and errors as synchronous ones`()
    async throws
  {
    let folder = try TemporaryFolder()
    let store = try store(seed: 5, folder)
    let expected = try await store.read { snapshot in try snapshot.counts() }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await store.read { snapshot in try snapshot.counts() }.visitedRegions
        }
      }
      for try await count in group { #expect(count == expected.visitedRegions) }
    }
    try await store.write { session in try session.set(.visitGapMinutes, to: 45) }
    #expect(
      try await store.read { snapshot in snapshot.settings[.visitGapMinutes] } == 45)
    await #expect(throws: StoreError.self) {
      try await store.write { session in try session.set(.visitGapMinutes, to: -1) }
    }
  }
}
