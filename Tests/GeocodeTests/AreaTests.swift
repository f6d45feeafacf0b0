import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Geocode

@Suite struct AreaTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  @Test(arguments: Seeds.sample(4))
  func `a uniform box has the same label at every point`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var uniform = 0
    for _ in 0..<1500 {
      let center = Coordinate.random(using: &random)
      let height = Double.random(in: 0.0005...0.6, using: &random)
      let south = min(center.latitudeDegrees, 90 - height)
      let west = min(center.longitudeDegrees, 179.9 - height)
      guard
        let label = geocoder.uniformLabel(
          south: south, west: west, north: south + height, east: west + height)
      else { continue }
      uniform += 1
      for step in 0..<12 {
        let point = try Coordinate(
          latitudeDegrees: step < 4
            ? south + height * Double(step / 2)
            : south + height * Double.random(in: 0...1, using: &random),
          longitudeDegrees: step < 4
            ? west + height * Double(step % 2)
            : west + height * Double.random(in: 0...1, using: &random))
        #expect(geocoder.countryIndex(at: point) == label.country, "\(point)")
        #expect(geocoder.isLand(at: point) == label.isLand, "\(point)")
      }
    }
    #expect(uniform > 1000, "most of the Earth is far from any border or coast")
  }

  @Test func `a box on a border or a coast is not uniform`() {
    // France and Luxembourg.
    #expect(geocoder.uniformLabel(south: 49.4, west: 5.9, north: 49.5, east: 6.0) == nil)
    // The Bosporus.
    #expect(geocoder.uniformLabel(south: 41.0, west: 28.9, north: 41.05, east: 29.1) == nil)
    let inland = geocoder.uniformLabel(south: 48.0, west: 2.0, north: 48.01, east: 2.01)
    #expect(inland == UniformLabel(country: CountryIndex(code: "FR"), isLand: true))
    #expect(
      geocoder.uniformLabel(south: 30, west: -45, north: 31, east: -44)
        == UniformLabel(country: nil, isLand: false))
    #expect(geocoder.uniformLabel(south: 1, west: 1, north: 0, east: 2) == nil)
  }

  /// The areas in the file were integrated along the borders; counting random points is an
  /// independent method.
  @Test func `the land areas equal those found by counting random points`() throws {
    var random = SplitMix64(seed: 5)
    let count = 400_000
    var land = 0
    var byCountry = [Int](repeating: 0, count: CountryIndex.count)
    for _ in 0..<count {
      let sine = Double.random(in: -1...1, using: &random)  // uniform by area
      let point = Coordinate(asin(sine) * 180 / .pi, Double.random(in: -180..<180, using: &random))
      guard geocoder.isLand(at: point) else { continue }
      land += 1
      if let country = geocoder.countryIndex(at: point) { byCountry[Int(country.rawValue)] += 1 }
    }
    let radius = AuthalicSphere.radiusMeters / 1000
    let perPoint = 4 * Double.pi * radius * radius / Double(count)
    let world = geocoder.worldLandAreaSquareKilometers
    #expect(abs(Double(land) * perPoint / world - 1) < 0.01)
    for code in ["RU", "CA", "US", "CN", "BR", "AU", "IN", "AR", "AQ", "KZ"] {
      let country = try #require(CountryIndex(code: code))
      let points = byCountry[Int(country.rawValue)]
      let area = try #require(geocoder.landAreaSquareKilometers(of: country))
      // Five standard deviations of a count.
      #expect(
        abs(Double(points) * perPoint / area - 1) < 5 / Double(points).squareRoot(), "\(code)")
    }
    let sum = geocoder.gazetteer.landAreas.filter { !$0.isNaN }.reduce(0, +)
    #expect(sum <= world && sum > 0.995 * world, "nearly all land belongs to a country")
    #expect(CountryIndex(code: "ZZ").flatMap(geocoder.landAreaSquareKilometers) == nil)
  }

  /// Published areas of countries with little coast, in km². Cells are measured on the authalic
  /// sphere as if latitudes were those of a sphere, which gives up to 0.5 % too much at the equator
  /// and 0.9 % too little at the poles.
  @Test func `the land areas are near the published ones`() throws {
    let published: [(String, Double)] = [
      ("CH", 41_285), ("AT", 83_879), ("CZ", 78_871), ("MN", 1_564_116), ("PY", 406_752),
      ("LU", 2_586),
      ("XK", 10_887), ("TD", 1_284_000),
    ]
    for (code, area) in published {
      let found = try #require(CountryIndex(code: code).flatMap(geocoder.landAreaSquareKilometers))
      #expect(abs(found / area - 1) < 0.02, "\(code): \(found)")
    }
  }

  /// Totals are counted within these boxes, so that all land must be inside them.
  @Test(arguments: ["LU", "SM", "JM", "MT", "FJ", "IS"], Seeds.sample(1))
  func `all land of a region is inside its boxes`(code: String, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let country = try #require(CountryIndex(code: code))
    let around = geocoder.boxes(around: country)
    var boxes: [RegionIndex?: [BoundingBox]] = [:]
    var found = 0
    for _ in 0..<6_000 {
      let box = try #require(around.randomElement(using: &random))
      let point = Coordinate(
        Double.random(in: box.south...box.north, using: &random),
        Double.random(in: box.west..<box.east, using: &random))
      guard geocoder.isLand(at: point), geocoder.countryIndex(at: point) == country else {
        continue
      }
      let region = geocoder.codes(at: point).region
      if boxes[region] == nil { boxes[region] = geocoder.boxes(around: region, in: country) }
      found += 1
      #expect(boxes[region]?.contains { $0.contains(point) } == true, "\(point)")
    }
    #expect(found > 50)
  }

  @Test(arguments: Seeds.sample(3))
  func `reading a whole parallel gives the labels of its points`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var changes = 0
    for _ in 0..<150 {
      // Near the places of the data, where borders and coasts are, and at the poles and at ±180°.
      let city = try #require(geocoder.city(Int.random(in: 0..<geocoder.cityCount, using: &random)))
      var start = try #require(geocoder.coordinate(of: city))
      switch Int.random(in: 0..<12, using: &random) {
      case 0: start = Coordinate(90, -180)
      case 1: start = Coordinate(-90, 12)
      case 2: start = Coordinate(start.latitudeDegrees, -180)
      default: break
      }
      let latitudeE7 = start.latitudeE7
      let step = Int32.random(in: 1...80_000, using: &random)
      let most = (1_799_999_999 - Int(start.longitudeE7)) / Int(step)
      let count = Int32(min(Int.random(in: 1...200, using: &random), most))
      let longitudes = (0..<count).map { start.longitudeE7 + $0 * step }
      guard !longitudes.isEmpty else { continue }
      var parallel = GroundAlongParallel(geocoder, .region)
      var next = 0
      longitudes.withUnsafeBufferPointer { points in
        parallel.forEachStretch(latitudeE7: latitudeE7, longitudesE7: points) { range, label in
          #expect(range.lowerBound == next && !range.isEmpty)
          next = range.upperBound
          changes += 1
          for index in range {
            guard let point = Coordinate(latitudeE7: latitudeE7, longitudeE7: points[index]) else {
              continue
            }
            #expect(label.isLand == geocoder.isLand(at: point), "\(point)")
            #expect(label.country == geocoder.countryIndex(at: point), "\(point)")
            if !label.asksNearestPlace {
              #expect(label.region == geocoder.codes(at: point).region, "\(point)")
            }
          }
        }
      }
      #expect(next == longitudes.count)
    }
    #expect(changes > 150)
  }

  @Test(arguments: Seeds.sample(2))
  func `the nearest region of a neighborhood is the nearest region of each point in it`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var (uniform, mixed) = (0, 0)
    for _ in 0..<1_500 {
      let city = try #require(geocoder.city(Int.random(in: 0..<geocoder.cityCount, using: &random)))
      let home = try #require(geocoder.coordinate(of: city))
      let country = try #require(geocoder.country(of: city))
      let away = [300.0, 5_000, 51_000][Int.random(in: 0..<3, using: &random)]
      let center = home.randomNeighbor(within: away, using: &random)
      let radius = Double.random(in: 10...4_000, using: &random)
      let nearest = NearestRegions(geocoder, around: center, radiusMeters: radius, in: country)
      if nearest.isUniform { uniform += 1 } else { mixed += 1 }
      for _ in 0..<4 {
        let point = center.randomNeighbor(within: radius / 1.45, using: &random)
        let match = PlaceSearch(geocoder.gazetteer.places, at: point, in: country.rawValue).match()
        let expected = geocoder.regionRow(country: country.rawValue, match, label: 0)
        #expect(
          nearest.region(at: point, fallback: nil)?.rawValue ?? PlaceCodes.noRegion == expected,
          "\(point)")
      }
    }
    #expect(uniform > 100 && mixed > 50, "\(uniform) \(mixed)")
  }
}
