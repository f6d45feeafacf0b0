import Geodesy
import TestSupport
import Testing

@testable import GridHash

@Suite struct ExplorerTileTests {
  @Test func `known places have the tiles that web maps give them`() {
    // Worked out by hand with the formulas of "Slippy map tilenames".
    #expect(ExplorerTile(containing: Coordinate(0, 0), zoom: 14)?.description == "14/8192/8192")
    #expect(ExplorerTile(containing: Coordinate(0, -180), zoom: 17)?.x == 0)
    #expect(ExplorerTile(containing: Coordinate(0, 179.999_999_9), zoom: 17)?.x == 131_071)
    #expect(ExplorerTile(containing: Coordinate(51.477_9, -0.001_5), zoom: 14)?.x == 8191)
    #expect(ExplorerTile(containing: Coordinate(85.051_1, 0), zoom: 17)?.y == 0)
    #expect(ExplorerTile(containing: Coordinate(-85.051_1, 0), zoom: 17)?.y == 131_071)
    for latitude in [85.051_2, 90, -85.051_2, -90] {
      #expect(ExplorerTile(containing: Coordinate(latitude, 10), zoom: 14) == nil)
    }
    #expect(ExplorerTile(zoom: 14, x: 16_384, y: 0) == nil)
    #expect(ExplorerTile(zoom: 21, x: 0, y: 0) == nil)
  }

  @Test(arguments: Seeds.sample(50))
  func `a coordinate lies within the edges of its tile, and so does the center`(seed: UInt64) throws
  {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let zoom = Int.random(in: 0...20, using: &random)
      let coordinate = Coordinate(
        Double.random(in: -85.05...85.05, using: &random),
        Double.random(in: -180..<180, using: &random))
      let tile = try #require(ExplorerTile(containing: coordinate, zoom: zoom))
      // A unit of 1e-7 degree, as y is rounded.
      let (latitude, longitude) = (coordinate.latitudeDegrees, coordinate.longitudeDegrees)
      #expect(tile.southDegrees - 1e-7 <= latitude && latitude <= tile.northDegrees + 1e-7)
      #expect(tile.westDegrees <= longitude && longitude < tile.eastDegrees)
      #expect(ExplorerTile(containing: tile.center, zoom: zoom) == tile)
    }
  }

  /// Whether a line contains a point of the half-open square of a tile, by clipping in fractions of
  /// integers: the oracle.
  private func touches(
    _ a: MercatorPoint, _ b: MercatorPoint, column: Int, row: Int, zoom: Int
  ) -> Bool {
    // Points are a + t (b - a) for 0 ≤ t ≤ 1. Each axis limits t to an interval that is open at
    // one end or at none.
    let size = Int64(1) << Int64(32 - zoom)
    var low = (n: Int64(0), d: Int64(1), isOpen: false)
    var high = (n: Int64(1), d: Int64(1), isOpen: false)
    func limit(_ start: Int64, _ end: Int64, _ edge: Int64) -> Bool {
      let delta = end - start
      if delta == 0 { return edge <= start && start < edge + size }
      // t ≥ (edge - start) ÷ delta and t < (edge + size - start) ÷ delta, turned if delta < 0.
      let sign: Int64 = delta < 0 ? -1 : 1
      let first = (n: sign * (edge - start), d: abs(delta))
      let last = (n: sign * (edge + size - start), d: abs(delta))
      let (least, most) = delta > 0 ? (first, last) : (last, first)
      let leastIsOpen = delta < 0
      let comparedLow = least.n * low.d - low.n * least.d
      if comparedLow > 0 || comparedLow == 0 && leastIsOpen {
        low = (least.n, least.d, leastIsOpen)
      }
      let comparedHigh = most.n * high.d - high.n * most.d
      if comparedHigh < 0 || comparedHigh == 0 && !leastIsOpen {
        high = (most.n, most.d, !leastIsOpen)
      }
      return true
    }
    guard limit(a.x, b.x, Int64(column) * size), limit(a.y, b.y, Int64(row) * size) else {
      return false
    }
    let order = low.n * high.d - high.n * low.d
    return order < 0 || order == 0 && !low.isOpen && !high.isOpen
  }

  @Test(arguments: Seeds.sample(100))
  func `a line touches exactly the tiles that contain a point of it`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let zoom = 20
    let size = Int64(1) << 12
    for _ in 0..<40 {
      // Often on edges and corners, often level, upright or diagonal.
      func value(_ middle: Int64) -> Int64 {
        let tile = middle + Int64.random(in: 0...4, using: &random)
        return tile * size
          + (Bool.random(using: &random) ? 0 : Int64.random(in: 0..<size, using: &random))
      }
      let a = MercatorPoint(x: value(1000), y: value(2000))
      var b = MercatorPoint(x: value(1000), y: value(2000))
      if Bool.random(oneIn: 4, using: &random) { b = MercatorPoint(x: a.x, y: b.y) }
      if Bool.random(oneIn: 4, using: &random) { b = MercatorPoint(x: b.x, y: a.y) }
      var found: [[Int]] = []
      TileLine.forEachTile(from: a, to: b, zoom: zoom) { found.append([$0, $1]) }
      var expected: Set<[Int]> = []
      for column in 999...1006 {
        for row in 1999...2006 where touches(a, b, column: column, row: row, zoom: zoom) {
          expected.insert([column, row])
        }
      }
      #expect(Set(found) == expected, "\(a) \(b)")
      #expect(found.count == expected.count, "each tile once")
      // Across ±180°, columns are counted on.
      let shift = 1003 * size
      let around = MercatorPoint.unitsAround
      func wrapped(_ point: MercatorPoint) -> MercatorPoint {
        MercatorPoint(x: (point.x - shift + around) % around, y: point.y)
      }
      var across: Set<[Int]> = []
      TileLine.forEachTile(from: wrapped(a), to: wrapped(b), zoom: zoom) {
        across.insert([($0 + 1003) & (1 << zoom - 1), $1])
      }
      #expect(across == expected)
    }
  }

  @Test func `joined fixes visit the corner between them, fixes of different tracks do not`() throws
  {
    // 14/8192/8192 begins at 0° N 0° E and extends to the south and to the east.
    let (northEast, southWest) = (Coordinate(0.000_9, 0.001), Coordinate(-0.001, -0.000_9))
    func tiles(joined: Bool) -> [String] {
      var tally = ExplorerTileTally(zoom: 14)
      tally.add(northEast, time: nil, isJoined: false)
      tally.add(southWest, time: nil, isJoined: joined)
      return tally.firstVisits().map { "\($0.tile)" }
    }
    #expect(tiles(joined: false) == ["14/8192/8191", "14/8191/8192"])
    #expect(tiles(joined: true) == ["14/8192/8191", "14/8191/8192", "14/8192/8192"])
    // Two fixes with a tile of 305 m between them: 0.0046° of latitude are 509 m, 0.0044° 487 m.
    var tally = ExplorerTileTally(zoom: 17)
    tally.add(Coordinate(0.002_7, 0.000_1), time: nil, isJoined: true)
    tally.add(Coordinate(0.007_3, 0.000_1), time: nil, isJoined: true)
    #expect(tally.firstVisits().count == 2)
    tally = ExplorerTileTally(zoom: 17)
    tally.add(Coordinate(0.002_7, 0.000_1), time: nil, isJoined: true)
    tally.add(Coordinate(0.007_1, 0.000_1), time: nil, isJoined: true)
    #expect(tally.firstVisits().count == 3)
  }

  @Test func `a line across ±180° visits the tiles on both sides`() {
    var tally = ExplorerTileTally(zoom: 17)
    tally.add(Coordinate(-16.5, 179.999), time: nil, isJoined: true)
    tally.add(Coordinate(-16.5021, -179.999), time: nil, isJoined: true)
    let columns = Set(tally.firstVisits().map(\.tile.x))
    #expect(columns == [0, 131_071])
    #expect(tally.firstVisits().count == 3)
  }

  @Test(arguments: Seeds.sample(60))
  func `the tally equals a set of all touched tiles with their least times`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let zoom = [14, 17].randomElement(using: &random) ?? 17
    var tally = ExplorerTileTally(zoom: zoom)
    var expected: [ExplorerTile: Int64] = [:]
    var last: Coordinate?
    var beyond = 0
    func visit(_ tile: ExplorerTile?, _ time: Timestamp?) {
      guard let tile else { return }
      let time = time?.millisecondsSince1970 ?? .max
      expected[tile] = min(time, expected[tile] ?? .max)
    }
    for _ in 0..<300 {
      let place = last.map { from in
        Coordinate(
          max(-90, min(90, from.latitudeDegrees + .random(in: -0.004...0.004, using: &random))),
          from.longitudeDegrees + .random(in: -0.004...0.004, using: &random))
      }
      let coordinate =
        Bool.random(oneIn: 30, using: &random) ? nil : place
      let start =
        [
          Coordinate(48, 7.999), Coordinate(-16.5, 179.999), Coordinate(85.05, 0), Coordinate(0, 0),
        ].randomElement(using: &random) ?? Coordinate(0, 0)
      let isJoined = coordinate != nil && !Bool.random(oneIn: 10, using: &random)
      let next = coordinate ?? start
      let time =
        Bool.random(oneIn: 5, using: &random)
        ? nil : Timestamp(millisecondsSince1970: .random(in: 0...1_000_000, using: &random))
      tally.add(next, time: time, isJoined: isJoined)
      visit(ExplorerTile(containing: next, zoom: zoom), time)
      if ExplorerTile(containing: next, zoom: zoom) == nil { beyond += 1 }
      if isJoined, let last, let a = MercatorPoint(last), let b = MercatorPoint(next),
        last.distanceMeters(to: next) <= 500
      {
        TileLine.forEachTile(from: a, to: b, zoom: zoom) { column, row in
          let x = (column + 1 << zoom) % (1 << zoom)
          let tile = ExplorerTile(zoom: zoom, x: x, y: row)
          // The tile of the start was visited before.
          if tile != ExplorerTile(containing: last, zoom: zoom) { visit(tile, time) }
        }
      }
      last = next
    }
    let found = tally.firstVisits()
    #expect(found.map(\.tile) == expected.keys.sorted())
    #expect(found.map(\.time) == found.map { expected[$0.tile] ?? 0 })
    #expect(tally.fixesBeyondMap == beyond)
  }
}
