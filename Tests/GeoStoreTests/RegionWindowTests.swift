import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct RegionWindowTests {
  private static let homes: [Coordinate] = [
    Coordinate(90, 0), Coordinate(-90, 0), Coordinate(89.9995, 10), Coordinate(89.99, -180),
    Coordinate(0, 180),
    Coordinate(0, 0), Coordinate(45, 179.9999), Coordinate(45, -179.9999),
    Coordinate(-89.998, 179.9999),
    Coordinate(41.0009765625, 28.9990234375), Coordinate(60, 0.0439453125), Coordinate(89, 5),
  ]

  @Test(arguments: Seeds.sample(36))
  func `a window finds the same regions as a scan, and reads dense areas in finer cells`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let home = Self.homes[Int(seed) % Self.homes.count]
    let spread = [300.0, 3_000, 20_000][Int(seed / 12) % 3]
    let denseCount = [1, 2, 5, 20, 100][Int.random(in: 0..<5, using: &random)]
    var stored = (0..<400).map {
      (id: Int64($0), center: home.randomNeighbor(within: spread, using: &random))
    }
    var fresh: [(id: Int64, center: Coordinate)] = []
    let usual = [10.0, 75, 300, 10_000][Int.random(in: 0..<4, using: &random)]
    var window = RegionWindow(radiusMeters: usual, denseCount: denseCount)
    var (small, densest) = (0, 0)
    for step in 0..<80 {
      let place =
        step % 4 == 0
        ? stored[Int.random(in: 0..<stored.count, using: &random)].center
        : home.randomNeighbor(within: spread, using: &random)
      // At a pole 10 km contains thousands of cells.
      let widest = abs(home.latitudeDegrees) < 80 ? usual : 1_200
      let radius = [75.0, 75, 300, 1_200, widest][Int.random(in: 0..<5, using: &random)]
      // Keyed by number: a text for each region in each of a thousand cells around a pole would
      // take minutes.
      var byCell: [Geohash: [(id: Int64, center: Coordinate)]] = [:]
      for region in stored {
        for length in 5...6 {
          byCell[Geohash(region.center, length: length), default: []].append(region)
        }
      }
      let source = ClosureSource { cell in
        if cell.length == 6 { small += 1 }
        let regions = byCell[cell] ?? []
        if cell.length == 5 { densest = max(densest, regions.count) }
        return regions
      }
      try window.find(around: LocalFrame(center: place), within: radius, source: source)
      let ids = window.found.map { window.regions[$0].id }
      let expected = (stored + fresh).map { (place.distanceMeters(to: $0.center), $0.id) }.filter {
        $0.0 < radius
      }
      #expect(
        ids.sorted() == expected.map(\.1).sorted(),
        "\(radius) m around \(place), dense from \(denseCount)")
      #expect(ids.first == expected.min { $0 < $1 }?.1)
      #expect(Set(window.regions.map(\.id)).count == window.regions.count)
      if ids.isEmpty || Bool.random(using: &random) {
        let id = Int64(10_000 + step)
        fresh.append((id, place))
        _ = window.add(
          OpenRegion(
            id: id, center: place, isNew: true, accuracyMeters: nil, visits: nil, isChanged: true))
      }
      if Int.random(in: 0..<12, using: &random) == 0 {
        // Written to the store and removed from the window.
        stored += fresh
        fresh = []
        window.removeAll()
      }
    }
    if denseCount == 1 { #expect(small > 0) }
    if densest < denseCount { #expect(small == 0) }
  }

  @Test(arguments: Seeds.sample(24))
  func `regions at the edges of cells are found from both sides`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // Corners of cells of five and six characters, including those at a pole and at 180°, with
    // regions one unit away on each side.
    let length = 5 + Int(seed % 2)
    let (columns, rows) = (
      Geohash.column(longitudeE7: 1_800_000_000, length: length) + 1, 4_096 << (3 * (length - 5))
    )
    let column = [0, 1, columns / 2, columns - 1, columns][Int(seed / 2) % 5]
    let row = [0, 1, rows / 3, rows / 2, rows - 1, rows][Int(seed / 2) % 6]
    let east = Int64(Geohash.firstLongitudeE7(column: column, length: length))
    let north = Int64(Geohash.firstLatitudeE7(row: row, length: length))
    func corner(_ x: Int64, _ y: Int64) throws -> Coordinate {
      let longitude = east + x
      let wrapped = longitude >= 1_800_000_000 ? longitude - 3_600_000_000 : longitude
      return try Coordinate(
        latitudeDegrees: Double(min(900_000_000, max(-900_000_000, north + y))) / 1e7,
        longitudeDegrees: Double(wrapped < -1_800_000_000 ? wrapped + 3_600_000_000 : wrapped) / 1e7
      )
    }
    var stored: [(id: Int64, center: Coordinate)] = []
    for x in [-1, 0, 1] as [Int64] {
      for y in [-1, 0, 1] as [Int64] { stored.append((Int64(stored.count), try corner(x, y))) }
    }
    var window = RegionWindow(
      radiusMeters: Bool.random(using: &random) ? 75 : 10_000, denseCount: length == 6 ? 1 : 100)
    let source = ClosureSource { cell in
      stored.filter { Geohash($0.center, length: cell.length) == cell }
    }
    for _ in 0..<200 {
      // Boxes that end at the corner or one unit away from it, and others.
      let reach = Int64.random(in: 6_000...7_200, using: &random)
      let place = try corner(
        [-reach, reach, 0][Int.random(in: 0..<3, using: &random)],
        [-reach, reach, 0][Int.random(in: 0..<3, using: &random)])
      try window.find(around: LocalFrame(center: place), within: 75, source: source)
      let ids = window.found.map { window.regions[$0].id }
      let expected = stored.filter { place.distanceMeters(to: $0.center) < 75 }.map(\.id)
      #expect(ids.sorted() == expected.sorted(), "\(place)")
      if Int.random(in: 0..<20, using: &random) == 0 { window.removeAll() }
    }
  }

  @Test func `a cell is read again after a read error`() throws {
    var window = RegionWindow()
    let frame = LocalFrame(center: Coordinate(47, 8))
    let failure = DatabaseError.cannotOpen(path: "p", reason: "r")
    #expect(throws: DatabaseError.self) {
      try window.find(
        around: frame, within: 75,
        source: ClosureSource { (_) throws(DatabaseError) in throw failure })
    }
    try window.find(
      around: frame, within: 75,
      source: ClosureSource { _ in [(id: Int64(7), center: Coordinate(47, 8))] })
    let ids = window.found.map { window.regions[$0].id }
    #expect(ids == [7])
  }

  @Test func `of equally distant regions, the one with the smallest id is the nearest`() throws {
    let place = Coordinate(10, 20)
    let orders: [[Int64]] = [[1, 2, 3], [3, 2, 1], [2, 3, 1]]
    for ids in orders {
      var window = RegionWindow()
      let around = [Coordinate(10, 20.0003), Coordinate(10, 19.9997), Coordinate(10, 20.0003)]
      let stored = zip(ids, around).map { (id: $0, center: $1) }
      try window.find(
        around: LocalFrame(center: place), within: 75,
        source: ClosureSource { cell in
          stored.filter { Geohash($0.center, length: cell.length) == cell }
        })
      #expect(window.found.count == 3)
      #expect(window.regions[window.found[0]].id == 1)
    }
  }
}

/// Regions supplied by a test.
private struct ClosureSource: RegionSource {
  let read: (Geohash) throws(DatabaseError) -> [(id: Int64, center: Coordinate)]

  func appendRegions(in cell: Geohash, to found: inout [(id: Int64, center: Coordinate)])
    throws(DatabaseError)
  {
    found += try read(cell)
  }
}
