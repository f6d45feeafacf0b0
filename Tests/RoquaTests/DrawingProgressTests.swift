import GeoStore
import TestSupport
import Testing

@testable import Roqua

/// Maps, pictures, tiles and exports report what they do to the meter of their thread, which the
/// tool shows on a terminal.
@Suite struct DrawingProgressTests {
  private let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    _ = try fixture.explorer.importTracks(Fixture.townSamples)
  }

  /// Does work, and returns what its meter reads afterwards.
  private func metered<T>(
    _ work: () throws -> T
  ) throws -> (result: T, reading: WorkMeter.Reading) {
    let meter = WorkMeter()
    let result = try WorkMeter.$current.withValue(meter) { try work() }
    return (result, try #require(meter.reading))
  }

  @Test func `a map page and a picture report that they are drawn`() throws {
    let page = try metered { try fixture.explorer.writeMap(to: fixture.folder.file("m.html")) }
    #expect(page.reading.phase == .drawing)
    let picture = try metered {
      try fixture.explorer.writePicture(to: fixture.folder.file("m.svg"))
    }
    #expect(picture.reading.phase == .drawing)
  }

  @Test func `a film counts its frames`() throws {
    var options = PictureOptions()
    options.film = .month
    options.size = PictureSize(width: 64, height: 64)
    let film = try metered {
      try fixture.explorer.writePicture(to: fixture.folder.file("m.png"), options: options)
    }
    #expect(film.reading.phase == .drawing && film.reading.total == film.result.frames)
    #expect(film.reading.done == film.result.frames)
  }

  @Test(arguments: ["t.mbtiles", "t.pmtiles", "t"])
  func `tiles are counted`(name: String) throws {
    let path = fixture.folder.file(name)
    let tiles = try metered {
      try fixture.explorer.writeMapTiles(to: path, options: MapTileOptions(zooms: 0...8))
    }
    #expect(tiles.reading.phase == .writingTiles && tiles.reading.done == tiles.result.written)
    #expect(tiles.result.written > 8)
  }

  @Test func `an export counts the features of all layers`() throws {
    let export = try metered {
      try fixture.explorer.export(
        to: fixture.folder.file("e.geojson"), options: ExportOptions(format: .geoJSON))
    }
    let features = export.result.layers.reduce(0) { $0 + $1.features }
    #expect(export.result.layers.count > 1 && features > 10)
    #expect(export.reading.phase == .exporting && export.reading.done == features)
  }
}
