import GeoStore
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import Roqua

@Suite struct ExplorerTileReportTests {
  private typealias Point = (coordinate: Coordinate, time: Timestamp?)

  private static func time(_ seconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: 1_714_557_600_000 + seconds * 1_000)
  }

  private func report(
    _ tracks: [[Point]], zoom: Int = 17,
    _ change: (inout ExplorerTileQuery) throws -> Void = { _ in }
  ) throws -> ExplorerTileReport {
    let fixture = try Fixture()
    for (index, track) in tracks.enumerated() {
      let path = try fixture.folder.write(TrackText.gpx(track), to: "\(index).gpx")
      _ = try fixture.explorer.importTracks([path])
    }
    var query = ExplorerTileQuery(zoom: zoom)
    try change(&query)
    return try fixture.explorer.explorerTileReport(query)
  }

  /// 17/65536/65536 begins at 0° N 0° E; the line between these two passes through it.
  private let ends = (Coordinate(0.000_9, 0.001), Coordinate(-0.001, -0.000_9))

  @Test func `a line between two fixes of a track visits a tile, a line across a gap does not`()
    throws
  {
    let near = try report([[(ends.0, Self.time(0)), (ends.1, Self.time(1_800))]])
    #expect(near.tiles.tiles.map(\.description).contains("17/65536/65536"))
    let late = try report([[(ends.0, Self.time(0)), (ends.1, Self.time(1_801))]])
    #expect(late.tiles.count == 2, "more than visitGapMinutes apart")
    let undated = try report([[(ends.0, nil), (ends.1, nil)]])
    #expect(undated.tiles.count == 3)
    let apart = try report([[(ends.0, Self.time(0))], [(ends.1, Self.time(60))]])
    #expect(apart.tiles.count == 2, "two tracks")
  }

  @Test func `a flight visits no tile unless flightsExplore is 1`() throws {
    let fixture = try Fixture()
    // A fix every 20 s at 230 m/s, after and before walks.
    var points: [Point] = []
    var (longitude, seconds) = (8.0, Int64(0))
    for (step, count) in [(80.0, 10), (4_600, 60), (80, 10)] {
      for _ in 0..<count {
        longitude += step / 71_700
        seconds += step == 80 ? 60 : 20
        points.append((Coordinate(50, longitude), Self.time(seconds)))
      }
    }
    let path = try fixture.folder.write(TrackText.gpx(points), to: "flight.gpx")
    _ = try fixture.explorer.importTracks([path])
    let query = ExplorerTileQuery(zoom: 14)
    let onGround = try fixture.explorer.explorerTileReport(query).tiles.count
    #expect(onGround < 5)
    try fixture.explorer.changeSettings { $0.flightsExplore = true }
    #expect(try fixture.explorer.explorerTileReport(query).tiles.count > 50)
  }

  @Test func `a tile belongs to the period of its first visit, undated ones come last`() throws {
    let (here, there, nowhere) = (Coordinate(48.1, 11.5), Coordinate(48.2, 11.6), Coordinate(1, 1))
    let tracks: [[Point]] = [
      [(here, Self.time(86_400 * 40)), (there, Self.time(86_400 * 41))],
      [(here, Self.time(0))], [(nowhere, nil)],
    ]
    let all = try report(tracks) { $0.selection.breakdowns = [.month] }
    #expect(
      all.periods[.month] == [
        .init(period: "2024-05", newTiles: 1), .init(period: "2024-06", newTiles: 1),
        .init(period: nil, newTiles: 1),
      ])
    let may = try report(tracks) { $0.selection.times = Self.time(-1)...Self.time(86_400 * 60) }
    #expect(may.tiles.count == 2)
    let june = try report(tracks) {
      $0.selection.times = Self.time(86_400)...Self.time(86_400 * 60)
    }
    #expect(
      Array(june.tiles.tiles) == [ExplorerTile(containing: there, zoom: 17)].compactMap { $0 })
    #expect(june.growth == nil && june.missing == nil, "what is missing is unknown")
    // 2024-05-01T10:00Z is 2 May in Kiribati.
    let kiribati = try report([[(Coordinate(1.87, -157.4), Self.time(3_600))]]) {
      $0.selection.breakdowns = [.day]
      $0.selection.clock = .local
    }
    #expect(kiribati.periods[.day] == [.init(period: "2024-05-02", newTiles: 1)])
  }

  @Test func `the missing tiles around a point and of a larger square are listed`() throws {
    // Three of the four tiles around the corner of 14/8192/8192.
    let inside = [Coordinate(0.005, 0.005), Coordinate(0.005, -0.005), Coordinate(-0.005, -0.005)]
    let report = try report(inside.map { [($0, nil)] }, zoom: 14) {
      $0.center = Coordinate(0, 0.005)
      $0.missingLimit = 2
    }
    #expect(report.largestSquares?.side == 1 && report.largestSquares?.squares.count == 3)
    #expect(report.growth?.side == 2 && report.growth?.missingCount == 1)
    #expect(report.growthPlaces.map { $0.missing.map(\.description) } == [["14/8192/8192"]])
    #expect(report.missing?.map(\.tile.description).first == "14/8192/8192")
    #expect(report.missing?.count == 2)
  }
}
