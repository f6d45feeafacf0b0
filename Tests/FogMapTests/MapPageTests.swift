import Foundation
import GridHash
import TestSupport
import Testing

@testable import FogMap

/// Map pages, read by `MapPageReader`.
@Suite struct MapPageTests {
  private func page(
    title: String = "Title", json: String = "{}", lists: String = "{}", cells: [UInt8] = [],
    regions: [UInt8] = [], tracks: [UInt8] = []
  ) throws -> MapPageReader {
    let page = MapPage(
      title: title, json: json, lists: lists, cells: cells, regions: regions, tracks: tracks)
    return MapPageReader(html: String(decoding: try #require(page.html), as: UTF8.self))
  }

  @Test(arguments: Seeds.sample(4))
  func `cells come back with their days`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let grid = Grid.standard
    var cells = PageCells(grid: grid)
    var expected: [MapPageReader.Cell: Int] = [:]
    for _ in 0..<12 {
      let key = Int64.random(in: 0..<Int64(grid.tileCount), using: &random)
      var rest = grid.fullTile(at: key)
      for day in Array([0, 5, 738_000, 738_001].shuffled(using: &random)).prefix(3) {
        var tile = Tile()
        let density = UInt64.random(in: 1...3, using: &random)
        for row in 0..<64 {
          var bits = UInt64.random(in: 0 ... .max, using: &random)
          for _ in 1..<density { bits &= UInt64.random(in: 0 ... .max, using: &random) }
          tile[row: row] = bits & rest[row: row]
        }
        rest = rest.subtracting(tile)
        cells.add(tile, at: key, day: day)
        let first = grid.firstCell(ofTile: key)
        for row in 0..<64 {
          for bit in 0..<64 where tile[row: row] >> UInt64(bit) & 1 == 1 {
            let cell = MapPageReader.Cell(
              row: Int(first.row) + row, column: Int(first.column) + bit)
            expected[cell] = day
          }
        }
      }
    }
    let found = try #require(try page(cells: cells.bytes).cells())
    #expect(found.millimeters == 150_000)
    #expect(found.days == expected)
  }

  @Test func `regions and tracks come back`() throws {
    let regions = [
      PageRegions.Region(
        latitudeE5: -8_999_999, longitudeE5: 17_999_999, visits: 3, firstMinute: 28_000_000,
        lastMinute: 28_400_000, place: 2),
      PageRegions.Region(
        latitudeE5: 0, longitudeE5: -18_000_000, visits: 1, firstMinute: nil, lastMinute: nil,
        place: 0),
      PageRegions.Region(
        latitudeE5: 4_800_000, longitudeE5: 800_000, visits: 70_000, firstMinute: -5_000,
        lastMinute: -5_000, place: 1),
    ]
    var tracks = PageTracks()
    let line = [(0, 17_999_000), (-500, 18_001_000), (12, 18_001_000)].map {
      PageTracks.Point(latitudeE5: $0.0, longitudeE5: $0.1)
    }
    tracks.add(line, day: 738_000)
    tracks.add([line[0]], day: 1)
    tracks.add(Array(line.reversed()), day: PageCells.noDay)
    let page = try page(regions: PageRegions(regions).bytes, tracks: tracks.bytes)
    let found = try #require(page.regions())
    #expect(found.map(\.latitudeE5) == regions.map(\.latitudeE5))
    #expect(found.map(\.longitudeE5) == regions.map(\.longitudeE5))
    #expect(found.map(\.visits) == regions.map(\.visits))
    #expect(found.map(\.firstMinute) == regions.map(\.firstMinute))
    #expect(found.map(\.lastMinute) == regions.map(\.lastMinute))
    #expect(found.map(\.place) == regions.map(\.place))
    let lines = try #require(page.tracks())
    #expect(lines.map(\.day) == [738_000, 0])
    #expect(lines[0].points == line.map { [$0.latitudeE5, $0.longitudeE5] })
  }

  @Test func `no text can leave its element`() throws {
    let evil = "</title></script><script>alert(1)</script>{{cells}}&amp;"
    let page = try page(title: evil, json: "{\"title\":\"</script>\"}")
    #expect(!page.html.contains("<script>alert"))
    #expect(page.html.contains("&lt;/title&gt;&lt;/script&gt;"))
    #expect(page.html.contains("{{cells}}&amp;amp;"))
    #expect(page.element("page") == "{\"title\":\"\\u003c/script>\"}")
  }

  @Test func `every place of the page is filled, and nothing refers to another file`() throws {
    let html = try page().html
    let markup = html.replacing(try Regex("<script.*?</script>").dotMatchesNewlines(), with: "")
    #expect(!markup.contains("{{"))
    #expect(!markup.contains("}}"))
    for word in ["http:", "https:", "src=", "@import", "url(", "fetch(", "XMLHttpRequest"] {
      #expect(!html.contains(word), "\(word)")
    }
    #expect(html.contains("default-src 'none'"))
  }

  @Test func `a page without cells takes less than the limit of the base map`() throws {
    // 1.5 MB of a page may be the base map.
    let shapes = try #require(try page().element("basemap"))
    #expect(shapes.utf8.count <= 1_500_000)
    #expect(try page().bytes(of: "basemap") != nil)
  }

  @Test func `base64 equals Foundation's`() {
    var random = SplitMix64(seed: 7)
    for count in 0..<70 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(
        String(decoding: Base64.encoded(bytes), as: UTF8.self) == Data(bytes).base64EncodedString())
    }
  }
}
