import Foundation
import GeoStore
import Geodesy
import TestSupport
import Testing

@testable import Roqua

/// Cities of one name, and a city that extends into a neighboring region.
@Suite struct CityHomeTests {
  private func explorer(_ points: [(Coordinate, String)]) throws -> Fixture {
    let fixture = try Fixture()
    let track = try points.map { coordinate, time in
      (coordinate: coordinate, time: Optional(try #require(Timestamp(iso8601: time))))
    }
    let path = try fixture.folder.write(TrackText.gpx(track), to: "track.gpx")
    _ = try fixture.explorer.importTracks([path])
    return fixture
  }

  /// Springfield in Illinois and in Missouri.
  private static let twins = [
    (Coordinate(39.799, -89.644), "2024-01-01T10:00:00Z"),
    (Coordinate(37.2153, -93.2982), "2024-01-05T10:00:00Z"),
  ]
  /// Trzciel, on both sides of the border between PL-08 and PL-30.
  private static let trzciel = [
    (Coordinate(52.330_500_9, 15.858_764_6), "2023-06-30T23:18:00Z"),
    (Coordinate(52.33, 15.9), "2023-06-30T23:19:54Z"),
  ]

  /// Metamora in Ohio, on both sides of the border of Michigan, which has a Metamora elsewhere.
  private static let metamora = [
    (Coordinate(41.694_735, -83.865_962), "2024-01-01T10:00:00Z"),
    (Coordinate(41.743_777, -83.988_573), "2024-01-01T12:00:00Z"),
  ]
  /// Huntington in Indiana, and the part in Ohio of Huntington in West Virginia.
  private static let huntington = [
    (Coordinate(40.894_244, -85.475_6), "2024-01-01T10:00:00Z"),
    (Coordinate(38.425_546, -82.451_925), "2024-01-05T10:00:00Z"),
  ]

  @Test(arguments: [(twins, 2), (trzciel, 1), (metamora, 1), (huntington, 2)])
  func `counts, the overview and the breakdown have the same number of cities`(
    points: [(Coordinate, String)], count: Int
  ) throws {
    let explorer = try explorer(points).explorer
    var query = StatisticsQuery(breakdowns: [.city])
    let whole = try explorer.statistics(query)
    #expect(whole.counts.cities == count)
    #expect(try explorer.overview().contents.cities == count)
    let listed = whole.places[.city]?.filter { $0.visitedRegions > 0 && $0.place.city != nil }
    #expect(listed?.count == count)
    let first = try #require(Timestamp(iso8601: "2023-01-01T00:00:00Z"))
    let last = try #require(Timestamp(iso8601: "2025-01-01T00:00:00Z"))
    query.times = first...last
    #expect(try explorer.statistics(query).counts.cities == count)
  }

  @Test(arguments: Seeds.sample(8))
  func `the cities around borders are as many as the breakdown lists`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let borders = [
      Coordinate(41.72, -83.9), Coordinate(38.4, -82.45), Coordinate(37.9, -89.85),
      Coordinate(48.4, 9.99), Coordinate(53.7, 10.9), Coordinate(52.33, 15.88),
    ]
    let points = borders.flatMap { border in
      (0..<40).map { _ in border.randomNeighbor(within: 40_000, using: &random) }
    }
    let fixture = try Fixture()
    let path = try fixture.folder.write(
      TrackText.gpx(points.map { (coordinate: $0, time: nil) }), to: "track.gpx")
    _ = try fixture.explorer.importTracks([path])
    let whole = try fixture.explorer.statistics(by: [.city])
    let listed = try #require(whole.places[.city])
      .filter { $0.visitedRegions > 0 && $0.place.city != nil }
    #expect(listed.count > 50)
    #expect(whole.counts.cities == listed.count)
    #expect(try fixture.explorer.overview().contents.cities == listed.count)
  }

  @Test func `a city in its home region is the same in queries, exports and statistics`() throws {
    let fixture = try explorer(Self.trzciel)
    let explorer = fixture.explorer
    let regions = try explorer.allRegions()
    let codes = Set(regions.compactMap(\.place.regionCode))
    try #require(regions.count == 2 && codes.count == 2, "\(regions.map(\.place))")
    var found: [String: Int] = [:]
    for code in codes {
      guard let place = try? explorer.place(region: code, city: "Trzciel") else { continue }
      var query = StatisticsQuery()
      query.place = place
      var regionQuery = RegionQuery()
      place.restrict(&regionQuery)
      let counts = try explorer.statistics(query).counts
      #expect(try explorer.countRegions(matching: regionQuery) == counts.visitedRegions)
      found[code] = counts.visitedRegions
    }
    #expect(Array(found.values) == [2], "one of the regions is the home of the whole city")

    var options = ExportOptions(format: .geoJSONLines)
    options.layers = [.places]
    let path = fixture.folder.file("places.geojsonl")
    _ = try explorer.export(to: path, options: options)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count { $0.contains(#""kind":"city""#) } == 1, "\(lines)")
    #expect(lines.count { $0.contains(#""kind":"region""#) } == 2)
  }
}
