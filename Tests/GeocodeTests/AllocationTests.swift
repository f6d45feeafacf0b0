import CAllocationCount
import Geocode
import Geodesy
import TestSupport
import Testing

@Suite struct AllocationTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  /// The number of allocations that `body` makes for some points; nil if the platform does not
  /// count them. Uses an index, because an array's iterator allocates in a debug build.
  private static func allocations(_ points: [Coordinate], _ body: (Coordinate) -> Void) -> Int? {
    points.withUnsafeBufferPointer { points in
      let before = roqua_allocation_count()
      var index = 0
      while index < points.count {
        body(points[index])
        index += 1
      }
      return before < 0 ? nil : roqua_allocation_count() - before
    }
  }

  /// Random points, and points near cities, where many cells are mixed and lines decide.
  private func points() -> [Coordinate] {
    var random = SplitMix64(seed: 1)
    return (0..<3_000).map { number in
      let city = geocoder.city(Int.random(in: 0..<geocoder.cityCount, using: &random))
      let center = city.flatMap(geocoder.coordinate(of:))
      return number % 2 == 0
        ? .random(using: &random)
        : center?.randomNeighbor(within: 9_000, using: &random) ?? Coordinate(0, 0)
    }
  }

  @Test func `the count includes memory that is freed immediately`() {
    let count = Self.allocations(Array(points().prefix(10))) { point in
      withExtendedLifetime([Int](repeating: Int(point.latitudeE7), count: 100)) {}
    }
    #expect(count == nil || (10...30).contains(count ?? 0), "\(count ?? -1)")
    #expect(Self.allocations(points()) { _ in } ?? 0 == 0)
  }

  @Test func `single lookups allocate nothing`() {
    _ = geocoder.codes(at: Coordinate(48.1, 11.5))
    var found = 0
    let count = Self.allocations(points()) {
      if geocoder.codes(at: $0).country != nil { found += 1 }
    }
    #expect(found > 1_500)
    #expect(count ?? 0 == 0)
    let others = Self.allocations(points()) {
      if geocoder.countryIndex(at: $0) != nil && geocoder.isLand(at: $0) { found += 1 }
    }
    #expect(others ?? 0 == 0)
  }

  @Test func `along a track only new tiles allocate, and little`() {
    var track = TrackGeocoder(geocoder)
    // 1 000 fixes 13 m apart to the north-east, through about ten tiles of 0.01°. The first run
    // grows the list of candidates.
    let way = (0..<1_000).map { Coordinate(48.1 + Double($0) * 1e-4, 11.5 + Double($0) * 1e-4) }
    for point in way { _ = track.codes(at: point) }
    var found = 0
    let count = Self.allocations(way) { if track.codes(at: $0).city != nil { found += 1 } }
    #expect(found == way.count)
    #expect(count ?? 0 <= 100, "about one new list for each tile: \(count ?? -1)")
  }
}
