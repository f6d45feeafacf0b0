import Geodesy
import TestSupport
import Testing

@testable import Geocode

/// Second-level divisions, and the parts of cities.
@Suite struct DistrictTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  @Test func `known positions have their district and quarter`() {
    let known: [(String, Double, Double, String?, String?)] = [
      ("Guadalajara", 20.6767, -103.3475, "Guadalajara", nil),
      ("Medellín", 6.2442, -75.5812, "Medellín", nil),
      ("the Kremlin", 55.752, 37.6175, nil, nil),
      ("Santa Barbara", 34.42, -119.70, "Santa Barbara County", nil),
      ("New York's City Hall", 40.7128, -74.0060, "New York County", nil),
      ("Milan", 45.4642, 9.19, "Milano", nil), ("Madrid", 40.4168, -3.7038, "Madrid", "Sol"),
      ("Munich", 48.137, 11.575, "Upper Bavaria", nil), ("Tábor", 49.4144, 14.6578, "Tábor", nil),
      ("Strasbourg", 48.5734, 7.7521, "Bas-Rhin", nil),
      ("London", 51.5, -0.12, "Greater London", "Lambeth"),
      ("Hagia Sophia", 41.0086, 28.9802, nil, "Sultanahmet"),
      ("Pest", 47.4979, 19.0402, nil, nil), ("Manila", 14.5995, 120.9842, nil, "Santa Cruz"),
      ("Quezon City", 14.6488, 121.0509, nil, nil),
    ]
    for (name, latitude, longitude, district, quarter) in known {
      let place = geocoder.place(at: Coordinate(latitude, longitude))
      #expect(place.district == district, "\(name)")
      #expect(place.quarter == quarter, "\(name)")
    }
  }

  /// Points in cities and around villages, some of them at sea.
  private func points(seed: UInt64) -> [Coordinate] {
    var random = SplitMix64(seed: seed)
    return (0..<500).compactMap { number in
      guard let city = geocoder.city(Int.random(in: 0..<geocoder.cityCount, using: &random)),
        let center = geocoder.coordinate(of: city)
      else { return nil }
      let isNear = number % 2 == 0 || geocoder.isPartOfCity(city)
      return center.randomNeighbor(within: isNear ? 3_000 : 40_000, using: &random)
    }
  }

  @Test(arguments: Seeds.sample(3))
  func `the district is that of the nearest place, within the distance where it can be trusted`(
    seed: UInt64
  ) {
    let (scan, places) = (PlaceScan(geocoder), geocoder.gazetteer.places)
    var (given, tooFar) = (0, 0)
    for point in points(seed: seed) {
      let codes = geocoder.codes(at: point)
      guard let country = codes.country,
        let nearest = scan.answer(at: point, in: country).nearest
      else {
        #expect(codes.district == nil)
        continue
      }
      let reach = places.districtReachSquared(nearest.place).squareRoot()
      if abs(nearest.meters - reach) < 1 + reach * 0.001 { continue }
      let isInRegion = codes.region?.rawValue == places.admin1Row(nearest.place)
      let row = places.admin2Row(nearest.place)
      if row != 0, nearest.meters < reach, isInRegion {
        #expect(codes.district?.rawValue == row, "\(point)")
        given += 1
      } else {
        #expect(codes.district == nil, "\(point)")
        if row != 0 { tooFar += 1 }
      }
    }
    #expect(given > 100 && tooFar > 50, "\(given) \(tooFar): each kind was asked")
  }

  @Test(arguments: Seeds.sample(3))
  func `the quarter is the nearest place, if it is a part of the city within two kilometers`(
    seed: UInt64
  ) {
    let scan = PlaceScan(geocoder)
    var random = SplitMix64(seed: seed)
    let parts = (0..<geocoder.cityCount).filter {
      geocoder.gazetteer.places.flaggedPopulation($0) & PlacesFile.partOfCity != 0
    }
    var (given, tooFar, others) = (0, 0, 0)
    for _ in 0..<400 {
      guard let entry = scan.entries[parts.randomElement(using: &random) ?? 0] else { continue }
      let point = entry.coordinate.randomNeighbor(within: 5_000, using: &random)
      let codes = geocoder.codes(at: point)
      guard let country = codes.country else { continue }
      let expected = scan.answer(at: point, in: country)
      guard let nearest = expected.nearest, let place = scan.entries[nearest.place],
        let disc = expected.disc, let city = scan.entries[disc.place],
        disc.ratio < 0.999, abs(nearest.meters - 2_000) > 2
      else { continue }
      let away = city.coordinate.distanceMeters(to: place.coordinate)
      if abs(away - city.radiusMeters) < 1 + city.radiusMeters * 0.001 { continue }
      if !place.isPartOfCity || away > city.radiusMeters {
        #expect(codes.quarter == nil, "\(point)")
        others += 1
      } else if nearest.meters > 2_000 {
        #expect(codes.quarter == nil, "\(point)")
        tooFar += 1
      } else {
        let quarter = codes.quarter.flatMap { scan.entries[Int($0.rawValue)] }
        #expect(
          quarter.map { point.distanceMeters(to: $0.coordinate) <= nearest.meters * 1.001 + 0.1 }
            == true, "\(point)")
        given += 1
      }
    }
    #expect(given > 30 && tooFar > 20 && others > 20, "\(given) \(tooFar) \(others)")
  }

  @Test func `a place has a district exactly if it has a reach, of at most 30 km`() throws {
    let places = geocoder.gazetteer.places
    var countries: Set<UInt16> = []
    for place in 0..<places.count {
      let reach = places.districtReachSquared(place).squareRoot()
      #expect((places.admin2Row(place) != 0) == (reach > 0) && reach <= 30_000)
      if reach > 0 { countries.insert(places.country(place)) }
    }
    #expect(countries.count > 100)
    #expect(places.admin2Name(0) == nil)
    for row in 1..<UInt16(places.admin2Count) { #expect(places.admin2Name(row) != nil) }
  }

  @Test func `a place with a district and no reach is damage`() throws {
    let small = try SmallGazetteer(geocoder)
    let owner = ByteOwner(copying: small.places)
    let whole = try PackedFile(owner.bytes, kind: .places, trust: .outside)
    let places = try PlacesFile(whole, trust: .outside)
    let base = try #require(owner.bytes.baseAddress)
    let records = try #require(whole.section("PLCE").bytes.baseAddress) - base
    let place = try #require((0..<places.count).first { places.admin2Row($0) != 0 })
    let record = records + PlacesFile.recordSize * place
    // The reach above the country's ten bits, and the row of the division.
    let damages: [(inout [UInt8]) -> Void] = [
      { $0[record + 11] &= 0x03 },
      { $0.replaceSubrange(record + 14..<record + 16, with: [0, 0]) },
    ]
    for damage in damages {
      var bytes = small.places
      damage(&bytes)
      let damaged = ByteOwner(copying: bytes)
      #expect(throws: GeocodeError.damaged(.places, section: "PLCE")) {
        let file = try PackedFile(damaged.bytes, kind: .places, trust: .outsideIgnoringChecksum)
        _ = try PlacesFile(file, trust: .outsideIgnoringChecksum)
      }
    }
  }
}
