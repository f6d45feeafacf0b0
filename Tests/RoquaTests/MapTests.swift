import FogMap
import Foundation
import GeoStore
import Geocode
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import Roqua

/// Map pages of real stores, compared with a slow scan of every cell and fix.
@Suite struct MapTests {
  private let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    _ = try fixture.explorer.importTracks(Fixture.townSamples)
  }

  /// Writes and reads a page.
  private func page(_ query: MapQuery = MapQuery()) throws -> (MapPageReader, MapExport) {
    let path = fixture.folder.file("map-\(UUID().uuidString).html")
    let export = try fixture.explorer.writeMap(to: path, of: query)
    let html = try String(contentsOfFile: path, encoding: .utf8)
    #expect(export.path == path && export.bytes == html.utf8.count)
    return (MapPageReader(html: html), export)
  }

  /// The first day on which each cell was explored, fix by fix.
  private func firstDays(
    _ isSeen: (KeptFix) -> Bool = { _ in true }
  ) throws -> [MapPageReader.Cell: Int] {
    var days: [MapPageReader.Cell: Int] = [:]
    for fix in try fixture.explorer.keptFixes() where isSeen(fix) {
      var disc = Coverage()
      disc.mark(discAround: fix.coordinate)
      let day = fix.time.map { $0.daysSince1970 + 719_528 }
      for cell in disc.cells {
        let key = MapPageReader.Cell(row: Int(cell.row), column: Int(cell.column))
        let known = days[key]
        if let day, known == nil || known == 0 || day < known ?? 0 { days[key] = day }
        if day == nil, known == nil { days[key] = 0 }
      }
    }
    return days
  }

  @Test func `a region's row counts what lies in it, not the cities whose home it is`() throws {
    // Umbria, where the nearest city is Arquata del Tronto in Marche.
    let walk = TrackText.gpx(from: Coordinate(42.79, 13.2), count: 12)
    _ = try fixture.explorer.importTracks([try fixture.folder.write(walk, to: "umbria.gpx")])
    let (page, _) = try page()
    var query = StatisticsQuery()
    query.breakdowns = [.region]
    let statistics = try fixture.explorer.statistics(query)
    let stats = try #require(try page.page()).stats
    #expect(stats.regions.int == statistics.counts.regions)
    let rows = try #require(try page.lists()).region.elements
    #expect(rows.contains { $0.name.string == "Umbria" && $0.visitedRegions.int ?? 0 >= 6 })
    #expect(!rows.contains { $0.name.string == "Marche" })
    #expect(rows.allSatisfy { $0.area.double ?? 0 > 0 })
  }

  @Test func `every cell has the first day on which a fix explored it`() throws {
    let (page, export) = try page()
    let cells = try #require(page.cells())
    #expect(cells.days == (try firstDays()))
    #expect(export.cells == cells.days.count)
    #expect(export.precision == .day && export.notes.isEmpty)
    let stats = try #require(try page.page()).stats
    let statistics = try fixture.explorer.statistics()
    #expect(stats.cells.int == statistics.cells)
    #expect(stats.areaSquareKilometers.double == statistics.areaSquareKilometers)
    #expect(stats.visitedRegions.int == statistics.counts.visitedRegions)
    #expect(stats.visits.int == statistics.counts.visits)
    #expect(stats.countries.int == statistics.counts.countries)
    #expect(stats.cities.int == statistics.counts.cities)
  }

  @Test func `cells without a fix have no day`() throws {
    let far = Coordinate(10, 20)
    var coverage = Coverage()
    coverage.mark(discAround: far)
    let path = try fixture.folder.write(coverage.serialized(), to: "friend.coverage")
    _ = try fixture.explorer.importCoverage(CoverageFile(path: path))
    let days = try #require(try page().0.cells()).days
    for cell in coverage.cells {
      #expect(days[MapPageReader.Cell(row: Int(cell.row), column: Int(cell.column))] == 0)
    }
    #expect(days.count == (try firstDays()).count + coverage.count)
  }

  @Test func `visited regions have their visits, times and places`() throws {
    let (page, _) = try page()
    let regions = try #require(page.regions())
    let stored = try fixture.explorer.allRegions()
    #expect(regions.count == stored.count)
    let places = try #require(try page.lists()).places
    for region in stored {
      let latitude = Int(region.coordinate.latitudeE7)
      let longitude = Int(region.coordinate.longitudeE7)
      let match = regions.first {
        abs($0.latitudeE5 * 100 - latitude) <= 50 && abs($0.longitudeE5 * 100 - longitude) <= 50
      }
      let found = try #require(match)
      #expect(found.visits == region.visitCount)
      #expect(
        found.firstMinute == region.timestampStart.map { Int($0.millisecondsSince1970 / 60_000) })
      let name = places[found.place][0].string
      let place = region.place
      #expect(
        name == place.city ?? place.region ?? place.country ?? "At sea or in no country")
    }
  }

  @Test func `a time shows the cells first explored in it`() throws {
    var query = MapQuery()
    let day = try #require(Timestamp(iso8601: "2024-09-14T00:00:00Z"))
    query.selection.times =
      day...Timestamp(
        millisecondsSince1970: day.millisecondsSince1970 + 86_399_999)
    let (page, _) = try page(query)
    let times = try #require(query.selection.times)
    let expected = try firstDays { fix in fix.time.map(times.contains) ?? false }
    #expect(try #require(page.cells()).days == expected)
    #expect(!expected.isEmpty)
  }

  @Test func `a country shows the cells in it`() throws {
    var query = MapQuery()
    query.selection.place = try fixture.explorer.place(country: "France")
    let (page, _) = try page(query)
    let grid = Grid.standard
    let expected = try firstDays().filter { cell, _ in
      let center = grid.coordinate(of: Cell(row: Int32(cell.row), column: Int32(cell.column)))
      return fixture.explorer.geocoder.countryIndex(at: center)?.code == "FR"
    }
    #expect(try #require(page.cells()).days == expected)
    #expect(!expected.isEmpty)
    let lists = try #require(try page.lists())
    #expect(lists.country.elements.count == 1)
    #expect(lists.country[0].name.string == "France")
  }

  @Test func `places are named in a language, in lists, titles and on the map`() throws {
    var query = MapQuery()
    query.locale = Locale(identifier: "de_AT")
    query.selection.place = try fixture.explorer.place(country: "France")
    let lists = try #require(try page(query).0.lists())
    #expect(lists.country[0].name.string == "Frankreich")
    #expect(lists.city.elements.allSatisfy { $0.within.string?.hasSuffix("Frankreich") == true })
    #expect(lists.places.elements.allSatisfy { $0[1].string?.hasSuffix("Frankreich") == true })
    #expect(lists.labels.countries["names"].elements.contains { $0.string == "Deutschland" })
    #expect(lists.labels.regions["names"].elements.contains { $0.string == "Bayern" })
    #expect(lists.labels.cities["names"].elements.contains { $0.string == "München" })
    let names = PlaceTranslator(fixture.explorer.geocoder, locale: query.locale)
    #expect(MapWording.title(of: query.selection, in: names) == "Frankreich explored")
    query.locale = Locale(identifier: "en_US")
    #expect(try #require(try page(query).0.lists()).country[0].name.string == "France")
  }

  @Test func `tracks miss no fix by more than the tolerance`() throws {
    var query = MapQuery()
    query.includesTracks = true
    let (page, export) = try page(query)
    let tracks = try #require(page.tracks())
    #expect(export.tracks == tracks.count && !tracks.isEmpty)
    for fix in try fixture.explorer.keptFixes() {
      let (x, y) = (
        Double(fix.coordinate.longitudeE7) / 100, Double(fix.coordinate.latitudeE7) / 100
      )
      let narrowing = cos(fix.coordinate.latitudeRadians)
      var nearest = Double.infinity
      for track in tracks {
        for (start, end) in zip(track.points, track.points.dropFirst()) {
          for step in 0...40 {
            let share = Double(step) / 40
            let latitude = Double(start[0]) + share * Double(end[0] - start[0])
            var longitude = Double(start[1]) + share * Double(end[1] - start[1]) - x
            longitude -= (longitude / 36_000_000).rounded() * 36_000_000
            let length = hypot(Double(end[1] - start[1]) * narrowing, Double(end[0] - start[0]))
            nearest = min(
              nearest, hypot(longitude * narrowing, latitude - y) - length / 80)
          }
        }
      }
      #expect(nearest <= MapTracks.tolerances[0] + 1, "\(fix.coordinate)")
    }
  }

  @Test func `nothing near a hidden point or a privacy zone is in the page`() throws {
    let regions = try fixture.explorer.allRegions()
    let home = try #require(regions.first { $0.place.countryCode == "FR" }).coordinate
    var query = MapQuery()
    query.includesTracks = true
    query.hiddenZones = [PrivacyZone(center: home, radiusMeters: 500)]
    let (page, _) = try page(query)
    let grid = Grid.standard
    let days = try #require(page.cells()).days
    #expect(!days.isEmpty)
    for cell in days.keys {
      let center = grid.coordinate(of: Cell(row: Int32(cell.row), column: Int32(cell.column)))
      #expect(center.distanceMeters(to: home) > 650)
    }
    for region in try #require(page.regions()) {
      let center = Coordinate(Double(region.latitudeE5) / 1e5, Double(region.longitudeE5) / 1e5)
      #expect(center.distanceMeters(to: home) > 500)
    }
    for point in try #require(page.tracks()).flatMap(\.points) {
      let place = Coordinate(Double(point[0]) / 1e5, Double(point[1]) / 1e5)
      #expect(place.distanceMeters(to: home) > 500)
    }
    let whole = try firstDays()
    #expect(days.count < whole.count)
    #expect(days.allSatisfy { whole[$0.key] == $0.value })

    // A zone of the store hides the same ground, without being named.
    _ = try fixture.explorer.addPrivacyZone(PrivacyZone(center: home, radiusMeters: 500))
    let zoned = try #require(try self.page().0.cells()).days
    #expect(Set(zoned.keys).isSubset(of: days.keys))
  }

  @Test func `a page that is too large loses regions, then details of tracks, then times`() throws {
    var query = MapQuery()
    query.includesTracks = true
    query.byteLimit = 1
    let (page, export) = try page(query)
    #expect(export.precision == .none)
    #expect(export.notes.count == 2)
    #expect(export.notes.contains { $0.contains("tracks are left out") })
    #expect(export.notes.contains { $0.contains("no dates") })
    #expect(try #require(page.tracks()).isEmpty)
    let days = try #require(page.cells()).days
    #expect(Set(days.values) == [0])
    // Cells are never left out.
    #expect(Set(days.keys) == Set(try firstDays().keys))
    #expect(try #require(try page.page()).notes.elements.count == 2)
  }

  @Test func `periods begin on their first day`() throws {
    let day = try #require(Timestamp(iso8601: "2024-02-29T12:00:00Z")).daysSince1970
    #expect(MapPrecision.day.firstDay(of: day) == day)
    #expect(MapPrecision.month.firstDay(of: day) == day - 28)
    #expect(MapPrecision.year.firstDay(of: day) == day - 59)
  }
}
