import CSQLite
import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Sources that contain regions instead of fixes.
@Suite struct AdoptedRegionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ name: String) throws -> Store {
    try Store(path: folder.file(name), creating: true)
  }

  private func minutes(_ value: Int) -> Timestamp {
    Timestamp(millisecondsSince1970: 1_600_000_000_000 + Int64(value) * 60_000)
  }

  /// Regions of all kinds near the homes of a track, some of them twice.
  private func regions(_ count: Int, using random: inout SplitMix64) -> [SourceRegion] {
    var regions: [SourceRegion] = []
    for index in 0..<count {
      if index % 7 == 6, let known = regions.randomElement(using: &random) {
        regions.append(known)
        continue
      }
      let home = awkwardHomes[index % 3]
      var region = SourceRegion(
        center: home.randomNeighbor(within: 800, using: &random), original: "{\"id\":\(index)}")
      region.visitCount = index % 5 == 4 ? nil : .random(in: 1...4, using: &random)
      region.radiusMeters = [nil, 200, 90, 150].randomElement(using: &random) ?? nil
      if index % 4 != 3 {
        let start = Int.random(in: 0...3_000_000, using: &random)
        region.start = minutes(start)
        region.end =
          Bool.random(using: &random)
          ? nil : minutes(start + .random(in: 0...5_000, using: &random))
      }
      regions.append(region)
    }
    return regions
  }

  @Test(arguments: Seeds.sample(8))
  func `importing tracks before or after adopted regions gives the same store`(seed: UInt64) throws
  {
    var random = SplitMix64(seed: seed)
    let homes = Array(awkwardHomes.prefix(3))
    let tracks = (0..<2).map { _ in wanderingTrack(count: 150, homes: homes, using: &random) }
    let regions = regions(60, using: &random)
    let (one, two) = (try store("1.sqlite"), try store("2.sqlite"))
    try one.add(regions: regions, as: "regions")
    for (index, track) in tracks.enumerated() { try one.add(track, as: "\(index)") }
    for (index, track) in tracks.enumerated() { try two.add(track, as: "\(index)") }
    try two.add(regions: regions, as: "regions")
    var contents = try (StoreContents(one), StoreContents(two))
    (contents.0.kept, contents.1.kept) = ([], [])
    #expect(contents.0 == contents.1)
    for store in [one, two] {
      #expect(try store.check().isSound)
      let before = try StoreContents(store)
      _ = try store.rebuild()
      try #expect(StoreContents(store) == before)
    }
    // Forgetting the regions leaves what the tracks give.
    let fresh = try store("fresh.sqlite")
    for (index, track) in tracks.enumerated() { try fresh.add(track, as: "\(index)") }
    let result = try one.forget(sources: ["regions.gpx"])
    #expect(result.sources[0].source.regions == regions.count)
    try #expect(StoreContents(one) == StoreContents(fresh))
  }

  @Test(arguments: Seeds.sample(6))
  func `each adopted region keeps its radius, its times and at least its visit count`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let regions = regions(50, using: &random)
    let store = try store("s.sqlite")
    try store.add(regions: regions, as: "regions")
    for round in 0..<2 {
      let found = try StoreContents(store).regions
      let stated = regions.filter { $0.visitCount != nil }
      for region in stated {
        let match = try #require(found.first { $0.coordinate == region.center })
        let same = stated.filter { $0.center == region.center }
        #expect(match.radiusMeters == same[0].radiusMeters ?? 150)
        #expect(match.start == same.compactMap(\.start).min())
        #expect(match.end == same.compactMap { $0.end ?? $0.start }.max())
        #expect(match.visitCount >= same.compactMap(\.visitCount).max() ?? 1)
        // Identical rows count once.
        if Set(same).count == 1 { #expect(match.visitCount == max(region.visitCount ?? 1, 1)) }
      }
      #expect(Set(found.map(\.coordinate)).count == found.count)
      // A region with only a position is added only if no other region is near.
      for region in regions where region.visitCount == nil {
        #expect(found.contains { $0.coordinate.distanceMeters(to: region.center) < 75 })
      }
      // The same rows again, as from a copy of the database.
      try store.add(regions: regions, as: "again \(round)")
      try #expect(StoreContents(store).regions == found)
    }
  }

  @Test func `stated visits are not counted again when their track is imported`() throws {
    let center = awkwardHomes[1]
    var region = SourceRegion(center: center, original: "{}")
    (region.visitCount, region.start, region.end) = (5, minutes(0), minutes(10_000))
    let store = try store("s.sqlite")
    try store.add(regions: [region], as: "regions")
    func count() throws -> Int { try #require(try store.regions().first).visitCount }
    func ride(_ minute: Int) throws {
      let fix = KeptFix(
        coordinate: center, time: minutes(minute), accuracyMeters: nil, startsSegment: true)
      try store.add([fix], as: "ride \(minute)")
    }
    #expect(try count() == 5)
    for minute in [0, 10_000, 1_000, 2_000, 3_000] {
      try ride(minute)
      // The first and last visits have known times; three more were stated.
      #expect(try count() == 5, "\(minute)")
    }
    try ride(4_000)
    #expect(try count() == 6)  // one more than was stated
    try ride(20_000)
    #expect(try count() == 7)  // after the time of which it was stated
    #expect(try store.regions().count == 1)
    #expect(try store.check().isSound)
    _ = try store.rebuild()
    #expect(try count() == 7)
  }

  @Test func `an adopted region explores its own disc until a privacy zone deletes it`() throws {
    let center = awkwardHomes[1]
    var region = SourceRegion(center: center, original: "{}")
    (region.visitCount, region.radiusMeters) = (1, 400)
    let circle = SourceRegion(center: center, original: "{}")
    let store = try store("s.sqlite")
    try store.add(regions: [region, circle], as: "regions")
    let disc = CellDisc(grid: .standard, center: center, radiusMeters: 400).coverage
    #expect(try store.coverage() == disc)
    #expect(try store.read { snapshot in try snapshot.ownCellsOfSources() } == disc)
    // The latitude as SQLite writes a REAL, and as a four-byte integer.
    let real = withUnsafeBytes(of: center.latitudeDegrees.bitPattern.bigEndian) { Data($0) }
    let integer = withUnsafeBytes(of: center.latitudeE7.bigEndian) { Data($0) }
    func isInFile(_ bytes: Data) -> Bool {
      rawBytes(ofStore: store.path).contains { $0.range(of: bytes) != nil }
    }
    #expect(isInFile(real) && isInFile(integer))
    let result = try store.forget(in: PrivacyZone(center: center, radiusMeters: 50))
    #expect(result.regions == 2 && result.isErased)
    #expect(try store.regions().isEmpty && store.coverage().isEmpty)
    #expect(!isInFile(real) && !isInFile(integer))
  }

  @Test
  func `when a geohash cell has no free region id, further centers join existing regions`() throws {
    let corner = awkwardHomes[1]
    let centers = (0..<300).compactMap { index in
      Coordinate(
        latitudeE7: corner.latitudeE7 + Int32(index % 20),
        longitudeE7: corner.longitudeE7 + Int32(index / 20))
    }
    #expect(Set(centers.map { Geohash($0) }).count == 1)
    let regions = centers.map { center in
      var region = SourceRegion(center: center, original: "{}")
      (region.visitCount, region.radiusMeters) = (1, 150)
      return region
    }
    let store = try store("s.sqlite")
    try store.add(regions: regions, as: "app")
    let before = try store.regions()
    #expect(before.map(\.coordinate) == Array(centers.prefix(256)))
    #expect(try store.check().isSound)
    // A fix among them belongs to the nearest region, even if the clustering radius is 1 m.
    let fix = KeptFix(
      coordinate: centers[299], time: Timestamp(millisecondsSince1970: 0), accuracyMeters: nil,
      startsSegment: true)
    #expect(try store.add([fix], as: "walk").regionsAdded == 0)
    try store.add(regions: Array(regions.reversed()), as: "app again")
    _ = try store.rebuild(changing: [.clusteringRadiusMeters: 1])
    #expect(try store.regions().count == 256 && store.check().isSound)
  }

  @Test func `the app's district is the quarter if it has the name of the quarter`() {
    func known(_ district: String?, _ quarter: String?) -> PlaceNames {
      PlaceNames(
        countryCode: "TR", country: "Türkiye", district: district, city: "Istanbul",
        quarter: quarter)
    }
    let cases: [(app: String?, known: PlaceNames, joined: PlaceNames)] = [
      ("Sultanahmet", known(nil, "Sultanahmet"), known(nil, "Sultanahmet")),
      ("Sultanahmet", known("Fatih", "Sultanahmet"), known("Fatih", "Sultanahmet")),
      ("Fatih", known("Fatih", "Sultanahmet"), known("Fatih", "Sultanahmet")),
      ("Eminönü", known("Fatih", "Sultanahmet"), known("Eminönü", "Sultanahmet")),
      ("Eminönü", known(nil, nil), known("Eminönü", nil)),
      (nil, known("Fatih", nil), known("Fatih", nil)),
    ]
    for (district, known, joined) in cases {
      #expect(PlaceNames(countryCode: "TR", district: district).joined(with: known) == joined)
    }
  }

  @Test(arguments: awkwardHomes + polarHomes)
  func `a disc of the exploration radius equals the disc that a fix explores`(center: Coordinate) {
    for radius in [150.0, 40] {
      guard let grid = try? Grid(explorationRadiusMeters: radius) else { return }
      var expected = Coverage(grid: grid)
      expected.mark(discAround: center)
      let disc = CellDisc(grid: grid, center: center, radiusMeters: radius).coverage
      #expect(disc == expected && !disc.isEmpty)
    }
  }
}

extension Store {
  /// Stores regions as one source.
  func add(regions: [SourceRegion], as name: String) throws {
    try write { session in
      let writer = try session.beginRegionSource()
      for region in regions { try writer.append(region) }
      var description = SourceDescription.sample(name)
      let times = regions.flatMap { [$0.start, $0.end] }.compactMap { $0 }
      (description.firstTime, description.lastTime) = (times.min(), times.max())
      try writer.finish(description)
      try session.rebuild()
    }
  }
}
