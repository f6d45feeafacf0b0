import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Geocode

@Suite struct AreaTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  @Test(arguments: Seeds.sample(4))
  func `a uniform box has one label at every point`(seed: UInt64) throws {
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
            ? south + height * Double(step / 2) : south + height * Double.random(in: 0...1, using: &random),
          longitudeDegrees: step < 4
            ? west + height * Double(step % 2) : west + height * Double.random(in: 0...1, using: &random))
        #expect(geocoder.countryIndex(at: point) == label.country, "\(point)")
        #expect(geocoder.isLand(at: point) == label.isLand, "\(point)")
      }
    }
    #expect(uniform > 1000, "most of the Earth is far from any border or coast")
  }

  @Test func `a box on a border or a coast is not uniform`() {
    #expect(geocoder.uniformLabel(south: 49.4, west: 5.9, north: 49.5, east: 6.0) == nil)  // FR and LU
    #expect(geocoder.uniformLabel(south: 41.0, west: 28.9, north: 41.05, east: 29.1) == nil)  // the Bosporus
    let inland = geocoder.uniformLabel(south: 48.0, west: 2.0, north: 48.01, east: 2.01)
    #expect(inland == UniformLabel(country: CountryIndex(code: "FR"), isLand: true))
    #expect(
      geocoder.uniformLabel(south: 30, west: -45, north: 31, east: -44)
        == UniformLabel(country: nil, isLand: false))
    #expect(geocoder.uniformLabel(south: 1, west: 1, north: 0, east: 2) == nil)
  }

  /// The areas of the file were integrated along the borders; counting random points knows nothing of that.
  @Test func `the land areas are what counting points gives`() throws {
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
    let radius = Ellipsoid.authalicRadiusMeters / 1000
    let perPoint = 4 * Double.pi * radius * radius / Double(count)
    let world = geocoder.worldLandAreaSquareKilometers
    #expect(abs(Double(land) * perPoint / world - 1) < 0.01)
    for code in ["RU", "CA", "US", "CN", "BR", "AU", "IN", "AR", "AQ", "KZ"] {
      let country = try #require(CountryIndex(code: code))
      let points = byCountry[Int(country.rawValue)]
      let area = try #require(geocoder.landAreaSquareKilometers(of: country))
      // Five standard deviations of a count.
      #expect(abs(Double(points) * perPoint / area - 1) < 5 / Double(points).squareRoot(), "\(code)")
    }
    let sum = geocoder.gazetteer.landAreas.filter { !$0.isNaN }.reduce(0, +)
    #expect(sum <= world && sum > 0.995 * world, "nearly all land is some country's")
    #expect(CountryIndex(code: "ZZ").flatMap(geocoder.landAreaSquareKilometers) == nil)
  }

  /// Published areas of countries without much of a coast, in km². Cells are measured on the authalic sphere as if
  /// latitudes were those of a sphere: up to 0.5 % too much at the equator and 0.9 % too little at the poles.
  @Test func `the land areas are near the published ones`() throws {
    let published: [(String, Double)] = [
      ("CH", 41_285), ("AT", 83_879), ("CZ", 78_871), ("MN", 1_564_116), ("PY", 406_752), ("LU", 2_586),
      ("XK", 10_887), ("TD", 1_284_000),
    ]
    for (code, area) in published {
      let found = try #require(CountryIndex(code: code).flatMap(geocoder.landAreaSquareKilometers))
      #expect(abs(found / area - 1) < 0.02, "\(code): \(found)")
    }
  }

  @Test func `the regions of a country add up to the country`() throws {
    // Luxembourg's twelve cantons; coarse samples, whose errors cancel, so that a debug build is quick.
    let country = try #require(CountryIndex(code: "LU"))
    let places = geocoder.gazetteer.places
    var sum = 0.0
    for row in 0..<UInt16(places.admin1Count) where places.admin1Country(row) == country.rawValue {
      let region = RegionIndex(rawValue: row)
      sum += geocoder.sampledArea(of: region, in: geocoder.cellsAround(region), samplesPerSide: 25)
    }
    let area = try #require(geocoder.landAreaSquareKilometers(of: country))
    #expect(abs(sum / area - 1) < 0.01, "\(sum) of \(area)")
  }

  @Test func `a large region is near its published area`() throws {
    let region = try #require(geocoder.codes(at: Coordinate(48.9, 11.4)).region)
    #expect(geocoder.name(of: region) == "Bavaria")
    let cells = geocoder.cellsAround(region)
    #expect(abs(geocoder.sampledArea(of: region, in: cells, samplesPerSide: 10) / 70_542 - 1) < 0.02)
  }

  @Test func `a region on land is the region of the codes`() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<3000 {
      let point = Coordinate(
        Double.random(in: -55...70, using: &random), Double.random(in: -180..<180, using: &random))
      let expected = geocoder.isLand(at: point) ? geocoder.codes(at: point).region : nil
      #expect(geocoder.landRegion(at: point) == expected, "\(point)")
    }
  }
}
