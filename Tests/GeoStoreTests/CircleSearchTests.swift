import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// A search in tiles compared with a scan of all places: at poles, at ±180°, at edges of rows and
/// tiles, with any radius.
@Suite struct CircleSearchTests {
  private static let latitudes: [Int64] = [
    900_000_000, -900_000_000, 899_999_999, -899_999_999, 899_999_000, -899_990_000, 899_900_000,
    -899_000_000,
    895_000_000, -890_000_000, 881_000_000, 800_000_001, -800_000_000, 600_000_000, 450_000_000, 0,
    1, -1,
    1_757_812, 1_757_813, -109_863, -109_864, 410_000_000,
  ]
  private static let longitudes: [Int64] = [
    -1_800_000_000, -1_799_999_999, 1_799_999_999, 1_799_990_000, -1_799_000_000, 0, 1, -1,
    3_515_625,
    3_515_624,
    1_796_484_375, -1_796_484_375, -1_796_484_376, 900_000_000,
  ]
  private static let radii: [Double] = [
    0, -0.0, 1e-9, 1e-3, 0.005, 0.0112, 0.05, 1, 10, 75, 611, 1_234.5, 2_000, 10_000, 10_000.01,
    19_999.999,
    20_000, 20_000.001, 25_000, 60_000, -1, -1e9, -.infinity, .nan,
  ]

  private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    let turned = longitude.remainder(dividingBy: 3.6e9)
    return Coordinate(
      min(90, max(-90, latitude.rounded() / 1e7)),
      min(179.9999999, max(-180, turned.rounded() / 1e7)))
  }

  /// Places around a center: most within and near a radius, some on parallels of rows, on edges of
  /// tiles, or at any longitude.
  private func places(
    around center: Coordinate, radius: Double, using random: inout SplitMix64
  ) -> [Coordinate] {
    let (latitude, longitude) = (Double(center.latitudeE7), Double(center.longitudeE7))
    let parallel = max(1e-7, Double(900_000_000 - abs(Int64(center.latitudeE7))) / 5.7e8)
    return (0..<Int.random(in: 1...800, using: &random)).map { index in
      let reach = Double.random(in: 0...1.15, using: &random).squareRoot() * radius / 0.0111
      let share = Double.random(in: -1...1, using: &random)
      let north = reach * share
      let side = Bool.random(using: &random) ? 1.0 : -1
      let east = side * min(3.6e9, reach * (1 - share * share).squareRoot() / min(1, parallel))
      switch index % 8 {
      case 0: return Self.place(latitude + north, .random(in: -1.8e9..<1.8e9, using: &random))
      case 1:
        let row = ((latitude + north + 9e8) / CachedTile.rowHeightE7).rounded()
        let edge = row * CachedTile.rowHeightE7 - 9e8
        return Self.place(
          Bool.random(using: &random) ? edge.rounded(.up) : edge.rounded(.down), longitude + east)
      case 2:
        let width = 3.6e9 / Double(CachedTile.columns)
        let column = ((longitude + east) / width).rounded(.down) * width
        return Self.place(latitude + north, column + .random(in: -1...1, using: &random))
      case 3:
        return Self.place(
          latitude + .random(in: -2...2, using: &random),
          longitude + .random(in: -2...2, using: &random))
      default: return Self.place(latitude + north, longitude + east)
      }
    } + [center, center, Coordinate(90, 77), Self.place(latitude, -1.8e9)]
  }

  @Test(arguments: Seeds.sample(150))
  func `a search in tiles finds the same places as a scan of all places`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var latitude = Double(Self.latitudes[Int.random(in: 0..<Self.latitudes.count, using: &random)])
    var longitude = Double(
      Self.longitudes[Int.random(in: 0..<Self.longitudes.count, using: &random)])
    if Bool.random(using: &random) { latitude += .random(in: -3e6...3e6, using: &random) }
    if Bool.random(using: &random) { longitude += .random(in: -3e6...3e6, using: &random) }
    let center = Self.place(latitude, longitude)
    var radius = Self.radii[Int(seed) % Self.radii.count]
    let places = places(
      around: center, radius: radius.isFinite && radius > 0 ? radius : 100, using: &random)
    if seed.isMultiple(of: 3), radius >= 0, radius < 21_000 {
      // Exactly as far as one of the places, or the next smaller value.
      let exact = center.distanceMeters(
        to: places[Int.random(in: 0..<places.count, using: &random)])
      if exact < 60_000 { radius = Bool.random(using: &random) ? exact : exact.nextDown }
    }

    let byTile = Dictionary(grouping: places.enumerated()) {
      Geohash($0.element, length: CachedTile.length)
    }
    let tiles = Dictionary(
      uniqueKeysWithValues: byTile.map { geohash, places in
        let entries = places.map {
          CachedTile.Entry(coordinate: $0.element, id: Int64($0.offset))
        }
        return (geohash, CachedTile(entries, in: geohash))
      })
    let search = CircleSearch(center: center, radiusMeters: radius)
    let cover = TileCovering(of: search.box)
    var found: [Int64: Double] = [:]
    // Around a pole a covering has all columns, some of which repeat where it ends at ±180°.
    try? cover.forEachTile { (part) throws(DatabaseError) in
      guard let tile = tiles[part.geohash] else { return }
      var last = -1
      search.forEachBlock(in: tile, part) { block in
        for (number, hit) in block.hits.enumerated() {
          let index = block.tileIndex(of: number)
          #expect(index > last)
          last = index
          #expect(tile.entries[index].id == hit.id)
          #expect(tile.entries[index].coordinate == hit.coordinate)
          #expect(
            found.updateValue(hit.distanceMeters, forKey: hit.id) == nil,
            "\(hit.coordinate) twice")
        }
      }
    }
    for (id, place) in places.enumerated() {
      let exact = center.distanceMeters(to: place)
      let meters = found[Int64(id)]
      #expect(
        (meters != nil) == (exact <= radius),
        "\(place) is \(exact) m from \(center), radius \(radius)")
      if let meters { #expect(abs(meters - exact) < 1e-4) }
    }
  }
}
