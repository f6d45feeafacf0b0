import FogMap
import Foundation
import GeoStore
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import Roqua

@Suite struct PictureTests {
  /// A walk of points 110 m apart, on a day.
  private static func walk(_ start: Coordinate, day: String, count: Int = 30) throws -> String {
    let time = try #require(Timestamp(iso8601: "\(day)T10:00:00Z"))
    return TrackText.gpx(
      (0..<count).map { index in
        (
          Coordinate(start.latitudeDegrees + 0.001 * Double(index), start.longitudeDegrees),
          Timestamp(millisecondsSince1970: time.millisecondsSince1970 + Int64(index) * 60_000)
        )
      })
  }

  private static func store(_ tracks: [String]) throws -> Fixture {
    let fixture = try Fixture()
    for (number, track) in tracks.enumerated() {
      let path = try fixture.folder.write(track, to: "\(number).gpx")
      _ = try fixture.explorer.importTracks([path])
    }
    return fixture
  }

  private static func picture(
    _ fixture: Fixture, _ name: String, _ options: PictureOptions, _ query: MapQuery = MapQuery()
  ) throws -> [UInt8] {
    let path = fixture.folder.file(name)
    let report = try fixture.explorer.writePicture(
      to: path, options: options, of: query, replacing: true)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(report.bytes == bytes.count && report.path == path)
    return bytes
  }

  /// Options of every kind of picture.
  private static let kinds: [(String, PictureOptions)] = {
    var kinds: [(String, PictureOptions)] = []
    for projection in PictureOptions.Projection.allCases {
      for format in ["png", "svg"] {
        var options = PictureOptions(projection: projection)
        options.size = PictureSize(width: 300, height: 260)
        kinds.append(("a.\(format)", options))
        options.isPoster = true
        kinds.append(("b.\(format)", options))
      }
    }
    var film = PictureOptions()
    film.size = PictureSize(width: 200, height: 100)
    film.film = .year
    kinds.append(("film.png", film))
    film.film = .month
    kinds.append(("months.png", film))
    return kinds
  }()

  @Test func `what a zone hides leaves no trace: not in pixels, numbers, dates or the middle`()
    throws
  {
    let home = Coordinate(47.2, 9.4)
    let open = try Self.walk(Coordinate(48.5, 8.1), day: "2021-06-01")
    let secret = try Self.walk(home, day: "2019-03-01")
    let (with, without) = (try Self.store([open, secret]), try Self.store([open]))
    var query = MapQuery()
    query.includesTracks = true
    query.hiddenZones = [
      PrivacyZone(center: Coordinate(47.215, 9.4), radiusMeters: 5_000)
    ]
    for (name, options) in Self.kinds {
      let shown = try Self.picture(with, name, options, query)
      #expect(shown == (try Self.picture(without, name, options, query)), "\(name)")
      #expect(shown != (try Self.picture(with, name, options)), "\(name) shows nothing at all")
    }
  }

  @Test func `a picture of a range of time is one of a store with that time only`() throws {
    let (one, other) = (
      try Self.walk(Coordinate(48.5, 8.1), day: "2021-06-01"),
      try Self.walk(Coordinate(-20, 30), day: "2023-06-01")
    )
    let (both, first) = (try Self.store([one, other]), try Self.store([one]))
    var query = MapQuery()
    query.title = "The same"
    let start = try #require(Timestamp(iso8601: "2021-01-01T00:00:00Z"))
    let end = try #require(Timestamp(iso8601: "2021-12-31T23:59:59Z"))
    query.selection.times = start...end
    for (name, options) in Self.kinds {
      #expect(
        try Self.picture(both, name, options, query) == Self.picture(first, name, options, query),
        "\(name)")
    }
  }

  @Test func `films grow from year to year, and name the years between`() throws {
    let fixture = try Self.store([
      try Self.walk(Coordinate(48.5, 8.1), day: "2019-06-01"),
      try Self.walk(Coordinate(-20, 30), day: "2022-06-01"),
    ])
    let explorer = fixture.explorer
    let film = try explorer.read { snapshot in
      try PictureFilm(
        try explorer.coverage(), by: .year, StatisticsQuery(), of: snapshot, explorer: explorer)
    }
    #expect(film.frames.map(\.label) == ["2019", "2020", "2021", "2022"])
    #expect(film.frames[1].added.isEmpty && film.frames[2].added.isEmpty)
    var coverage = Coverage()
    for frame in film.frames {
      for (key, tile) in frame.added {
        if let known = coverage.tile(at: key) { #expect(known.intersection(tile).isEmpty) }
        coverage.insert(tile, at: key)
      }
    }
    #expect(coverage == (try explorer.coverage()))
  }

  @Test func `frames of a film laid over each other are its pictures`() {
    let before: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    let after: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13]
    let first = PictureChange(from: [], to: before, width: 2)
    #expect(first.rows == 0..<2)
    #expect(first.rgba(0..<1) == [1, 2, 3, 255, 4, 5, 6, 255])
    let change = PictureChange(from: before, to: after, width: 2)
    #expect(change.rows == 1..<2)
    #expect(change.rgba(1..<2) == [0, 0, 0, 0, 10, 11, 13, 255])
    #expect(PictureChange(from: after, to: after, width: 2).rows.isEmpty)
  }

  @Test(arguments: [
    ("DE", 47.2, 5.8, 55.1, 15.1), ("US", 24.4, -125.0, 49.6, -66.8),
    ("FJ", -20.5, 176.8, -15.7, -178),
    ("FR", 41.2, -5.3, 51.3, 9.8), ("NZ", -47.5, 166, -34, 179),
  ])
  func `countries are framed by what people know of them`(
    code: String, south: Double, west: Double, north: Double, east: Double
  ) throws {
    let fixture = try Fixture()
    let place = try fixture.explorer.place(country: code)
    let box = try #require(
      PlaceExtent(fixture.explorer.geocoder).box(of: place, explored: Coverage()))
    for (found, wanted) in [
      (box.south, south), (box.west, west), (box.north, north), (box.east, east),
    ] {
      #expect(abs((found - wanted).remainder(dividingBy: 360)) < 2.2, "\(code) \(box)")
    }
  }

  @Test func `if only a part across an ocean is explored, that part is framed`() throws {
    let fixture = try Fixture()
    let extent = PlaceExtent(fixture.explorer.geocoder)
    let place = try fixture.explorer.place(country: "US")
    let (fairbanks, denver) = (Coordinate(64.84, -147.72), Coordinate(39.74, -104.99))
    var coverage = Coverage()
    coverage.mark(discAround: fairbanks)
    let alaska = try #require(extent.box(of: place, explored: coverage))
    #expect(alaska.contains(fairbanks) && alaska.south > 50, "\(alaska)")
    let count = coverage.count
    #expect(PlaceExtent.cellCount(of: coverage, in: alaska) == count)
    coverage.mark(discAround: denver)
    let main = try #require(extent.box(of: place, explored: coverage))
    #expect(main.contains(denver) && !main.contains(fairbanks), "\(main)")
    #expect(PlaceExtent.cellCount(of: coverage, in: main) == coverage.count - count)
  }

  @Test func `cells of a place around a pole lie in its box`() throws {
    let fixture = try Fixture()
    let place = try fixture.explorer.place(country: "AQ")
    var coverage = Coverage()
    coverage.mark(discAround: Coordinate(-77.85, 166.67))
    let box = try #require(
      PlaceExtent(fixture.explorer.geocoder).box(of: place, explored: coverage))
    #expect(PlaceExtent.cellCount(of: coverage, in: box) == coverage.count)
  }

  @Test func `of places of one name, the explored one is framed`() throws {
    // Denmark has a Capital Region, too.
    let reykjavik = Coordinate(64.13, -21.9)
    let fixture = try Self.store([try Self.walk(reykjavik, day: "2024-05-01")])
    let place = try fixture.explorer.place(region: "Capital Region")
    var coverage = Coverage()
    coverage.mark(discAround: reykjavik)
    let extent = PlaceExtent(fixture.explorer.geocoder)
    let box = try #require(extent.box(of: place, explored: coverage))
    #expect(box.contains(reykjavik) && box.north - box.south < 2, "\(box)")
    let other = try #require(
      extent.box(
        of: try fixture.explorer.place(country: "DK", region: "Capital Region"),
        explored: coverage))
    #expect(other.contains(Coordinate(55.68, 12.57)))
  }

  @Test func `large cities are named on a map of their country, and no name hides another`() throws
  {
    let fixture = try Fixture()
    let view = PictureFraming(
      projection: .equalEarth, frame: PictureFrame(width: 1_200, height: 1_200), margin: 0
    ).box(try BoundingBox(south: 47, west: 5.5, north: 55, east: 15), margin: 0)
    let geocoder = fixture.explorer.geocoder
    func labels(_ language: String?, on view: MapView) -> [TextLine] {
      PictureLabels(
        on: view, pen: 1, geocoder: geocoder,
        in: PlaceTranslator(geocoder, locale: language.map(Locale.init(identifier:)))
      ).lines
    }
    let names = labels(nil, on: view).filter { $0.text != "•" }
    for name in ["Berlin", "Hamburg", "Munich"] {
      #expect(names.contains { $0.text == name }, "\(name)")
    }
    for (index, one) in names.enumerated() {
      #expect(one.left >= 0 && one.left + one.width <= 1_200)
      for other in names[..<index] where abs(one.y - other.y) < 12 {
        #expect(one.left + one.width < other.left || other.left + other.width < one.left)
      }
    }
    let world = PictureFraming(
      projection: .equalEarth, frame: PictureFrame(width: 1_200, height: 600), margin: 0
    ).world(around: nil)
    #expect(labels(nil, on: world).isEmpty)
    #expect(labels("de", on: view).contains { $0.text == "München" })
    #expect(!labels("de", on: view).contains { $0.text == "Munich" })
    // A picture has no Japanese letters.
    #expect(labels("ja", on: view).contains { $0.text == "Munich" })
  }

  @Test func `a box fills the frame in one direction and lies in it in the other`() throws {
    let box = try BoundingBox(south: -17.2, west: 179.6, north: -16.5, east: -179.6)
    for projection in [PictureProjection.mercator, .equalEarth, .globe] {
      let frame = PictureFrame(x: 10, y: 20, width: 300, height: 200)
      let view = PictureFraming(projection: projection, frame: frame, margin: 0)
        .box(box, margin: 0)
      var (low, high) = (SIMD2(1e9, 1e9), SIMD2(-1e9, -1e9))
      for (latitude, longitude) in [
        (-17.2, 179.6), (-17.2, -179.6), (-16.5, 179.6), (-16.5, -179.6),
      ] {
        let east = (longitude * .pi / 180 - view.center.longitude).remainder(dividingBy: 2 * .pi)
        let point = view.point(latitude: latitude * .pi / 180, east: east)
        (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
      }
      #expect(low.x > 9 && high.x < 311 && low.y > 19 && high.y < 221)
      #expect(high.x - low.x > 298 || high.y - low.y > 198)
    }
  }

  @Test func `what cannot be written is refused, and nothing is left`() throws {
    let fixture = try Fixture()
    let before = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
    var film = PictureOptions()
    film.film = .year
    var large = film
    large.size = PictureSize(width: 16_000, height: 16_000)
    var unknown = PictureOptions()
    unknown.theme = "mauve"
    for (name, options) in [
      ("a.txt", PictureOptions()), ("a.svg", film), ("a.png", large), ("a.png", unknown),
    ] {
      #expect(throws: (any Error).self) {
        try fixture.explorer.writePicture(to: fixture.folder.file(name), options: options)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == before)
    #expect(
      PictureSize(width: 63, height: 100) == nil && PictureSize(width: 64, height: 16_385) == nil)
    #expect(
      PictureOptions.Format(path: "x/A.WebP") == .webp && PictureOptions.Format(path: "png") == nil)
  }
}
