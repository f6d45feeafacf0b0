import GeoStore
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import Roqua

/// Newly explored area by period, compared with the earliest time of each cell.
@Suite struct PeriodTests {
  /// Tracks of several years that cross each other, some without times, one with times that run
  /// backwards.
  private func explorer(in fixture: Fixture, seed: UInt64) throws -> Explorer {
    var random = SplitMix64(seed: seed)
    var paths = try PackageFolder.allSamples()
    for index in 0..<6 {
      let start = Coordinate(48.57, 7.75).randomNeighbor(within: 2_000, using: &random)
      var time = Int64.random(in: 1_500_000_000...1_750_000_000, using: &random) * 1_000
      let points = (0..<60).map { step -> (coordinate: Coordinate, time: Timestamp?) in
        time += Int64.random(in: -50_000...86_400_000, using: &random)
        let coordinate = Coordinate(
          start.latitudeDegrees + Double(step % 20) * 0.000_7,
          start.longitudeDegrees + Double(step) * 0.000_5
        )
        return (
          coordinate, index == 0 || step % 9 == 0 ? nil : Timestamp(millisecondsSince1970: time)
        )
      }
      paths.append(try fixture.folder.write(TrackText.gpx(points), to: "period-\(index).gpx"))
    }
    _ = try fixture.explorer.importTracks(paths.shuffled(using: &random))
    return fixture.explorer
  }

  @Test(arguments: Seeds.sample(2))
  func `a cell counts toward the period of its earliest fix`(seed: UInt64) throws {
    let fixture = try Fixture()
    let explorer = try explorer(in: fixture, seed: seed)
    var earliest: [Cell: Timestamp?] = [:]
    for fix in try explorer.keptFixes() {
      var disc = Coverage()
      disc.mark(discAround: fix.coordinate)
      for cell in disc.cells {
        let known = earliest[cell] ?? nil
        earliest[cell] = .some([known, fix.time].compactMap(\.self).min())
      }
    }
    let breakdowns: [(Breakdown, digits: Int)] = [(.year, 4), (.month, 7), (.day, 10)]
    let statistics = try explorer.statistics(by: [.year, .month, .day])
    for (breakdown, digits) in breakdowns {
      var expected: [String?: CoverageGain] = [:]
      for (cell, time) in earliest {
        let period = time.map { String($0.iso8601.prefix(digits)) }
        let area = Grid.standard.areaSquareMeters(of: cell)
        expected[period, default: CoverageGain()] += CoverageGain(cells: 1, areaSquareMeters: area)
      }
      #expect(expected.keys.contains(nil))
      let shares = try #require(statistics.periods[breakdown])
      #expect(Set(shares.map(\.period)) == Set(expected.keys))
      for share in shares {
        let gain = try #require(expected[share.period])
        #expect(share.newCells == gain.cells, "\(share.period ?? "no time")")
        #expect(isClose(share.newAreaSquareKilometers, gain.areaSquareMeters / 1e6))
      }
      #expect(shares.last?.period == nil)
      #expect(
        shares.dropLast().map { $0.period ?? "" } == expected.keys.compactMap(\.self).sorted())
      #expect(shares.reduce(0) { $0 + $1.newCells } == statistics.cells)
      #expect(
        isClose(
          shares.reduce(0) { $0 + $1.newAreaSquareKilometers }, statistics.areaSquareKilometers))
    }
  }

  @Test func `years add up from their months, and months from their days`() throws {
    let fixture = try Fixture()
    let statistics = try explorer(in: fixture, seed: 3).statistics(by: [.year, .month, .day])
    for (coarse, fine, digits) in [(Breakdown.year, Breakdown.month, 4), (.month, .day, 7)] {
      let wholes = try #require(statistics.periods[coarse])
      let parts = try #require(statistics.periods[fine])
      #expect(parts.count > wholes.count)
      for whole in wholes {
        let own = parts.filter { $0.period.map { String($0.prefix(digits)) } == whole.period }
        #expect(own.reduce(0) { $0 + $1.newCells } == whole.newCells)
        #expect(
          isClose(own.reduce(0) { $0 + $1.newAreaSquareKilometers }, whole.newAreaSquareKilometers))
      }
    }
  }

  @Test func `periods are in UTC`() throws {
    let fixture = try Fixture()
    let lastSecond = try #require(Timestamp(iso8601: "2023-12-31T23:59:59Z"))
    let firstSecond = try #require(Timestamp(iso8601: "2024-01-01T00:00:00Z"))
    let text = TrackText.gpx([
      (Coordinate(10, 10), lastSecond), (Coordinate(10.01, 10.01), firstSecond),
    ])
    let path = try fixture.folder.write(text, to: "a.gpx")
    _ = try fixture.explorer.importTracks([path])
    let statistics = try fixture.explorer.statistics(by: [.year, .month, .day])
    #expect(statistics.periods[.year]?.map(\.period) == ["2023", "2024"])
    #expect(statistics.periods[.month]?.map(\.period) == ["2023-12", "2024-01"])
    #expect(statistics.periods[.day]?.map(\.period) == ["2023-12-31", "2024-01-01"])
  }
}
