import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct RegionIDTests {
  private let corners = [
    Coordinate(-90, -180), Coordinate(90, 179.999_999_9), Coordinate(0, 0),
    Coordinate(-0.000_000_1, 0),
    Coordinate(90, -180), Coordinate(41.008, 28.978),
  ]

  @Test func `the region ids of a geohash contain those of the geohashes within it`() {
    for center in corners {
      let own = RegionID.range(of: center)
      #expect(own.count == 256)
      #expect(RegionID.all.contains(own.lowerBound) && RegionID.all.contains(own.upperBound - 1))
      for length in 1...9 {
        let wide = RegionID.range(of: Geohash(center, length: length))
        #expect(wide.contains(own.lowerBound) && wide.contains(own.upperBound - 1))
        #expect(wide.count == 256 << (5 * (9 - length)))
      }
    }
    // JSON readers that only have doubles can represent every id.
    #expect(Int64(Double(RegionID.all.upperBound - 1)) == RegionID.all.upperBound - 1)
    #expect(Double(RegionID.all.upperBound - 1) != Double(RegionID.all.upperBound - 2))
  }

  @Test(arguments: Seeds.sample(40))
  func `two positions share a range of ids only if they are close`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let one = corners.randomElement(using: &random)?.randomNeighbor(within: 20, using: &random)
      guard let one else { continue }
      let other = one.randomNeighbor(within: 10, using: &random)
      let isSame = RegionID.range(of: one) == RegionID.range(of: other)
      #expect(!isSame || one.distanceMeters(to: other) < RegionID.cellDiagonalMeters)
    }
  }

  @Test func `a geohash cell has 256 region ids`() {
    let center = Coordinate(41.008, 28.978)
    var taken: [Int64] = []
    while let id = RegionID.free(for: center, among: taken) { taken.append(id) }
    #expect(taken == Array(RegionID.range(of: center)))
    taken.remove(at: 17)
    #expect(RegionID.free(for: center, among: taken) == RegionID.range(of: center).lowerBound + 17)
  }

  @Test func `accuracies are stored without loss`() {
    let values: [(Double?, StoredAccuracy?)] = [
      (nil, nil), (5, .decimeters(50)), (12.3, .decimeters(123)), (12.34, .meters(12.34)),
      (0.1, .decimeters(1)), (.infinity, .meters(.infinity)), (-1, .meters(-1)),
      (1e300, .meters(1e300)),
    ]
    for (meters, stored) in values { #expect(StoredAccuracy(meters: meters) == stored) }
    for decimeters in Int64(0)...5_000 {
      #expect(StoredAccuracy(meters: Double(decimeters) / 10) == .decimeters(decimeters))
    }
  }
}

extension RegionIDTests {
  @Test func `a name is truncated to the limit of the store, and a longer one is damage`() throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "ß", count: 400) + "x" + String(repeating: "界", count: 200)
    let options = StoreOptions(placeNames: { _ in PlaceNames(city: name) })
    let store = try Store(path: folder.file("s.sqlite"), creating: true, options: options)
    let fix = KeptFix(
      coordinate: Coordinate(1, 2), time: nil, accuracyMeters: nil, startsSegment: true)
    try store.add([fix], as: "one")
    let city = try #require(store.regions().first?.place.city)
    #expect(name.hasPrefix(city) && city.utf8.count == 999)
    #expect(try store.check().isSound)
    try store.withWriter { (writer) throws(DatabaseError) in
      try writer.execute("UPDATE places SET city = replace(hex(zeroblob(501)), '00', 'xx')")
    }
    #expect(throws: DatabaseError.self) { try store.regions() }
    #expect(try !store.check().isSound && store.rebuild().after.visitedRegions == 1)
  }
}
