import Foundation
import TestSupport
import Testing

/// What the tool says of Fog of World.
@Suite struct FogOfWorldTests {
  private static var tiles: [FogOfWorldTile] {
    (0..<2).map { number in
      var tile = FogOfWorldTile(number: 177 * 512 + 272 + number)
      tile.set(x: 1000..<1100, y: 1000 + number..<1001 + number)
      return tile
    }
  }

  private func bench() throws -> Bench {
    let bench = try Bench()
    for tile in Self.tiles { try bench.folder.write(tile.bytes, to: "Sync/" + tile.name) }
    return bench
  }

  @Test func `the summary counts pixels and cells`() throws {
    let bench = try bench()
    let words = try bench.roqua("import", "Sync")
    #expect(words.status == 0)
    #expect(words.err == "")
    let lines = words.out.split(separator: "\n")
    #expect(lines.first == "2 files imported: 200 pixels explore 27 new cells", "\(words.out)")
    #expect(!words.out.contains("points"))
    let again = try bench.roqua("import", "Sync")
    #expect(again.out.hasPrefix("2 files already imported; nothing changed"))
    let statistics = try bench.json("stats")
    #expect(statistics.cells.int == 27)
    #expect(statistics.sources.int == 0 || statistics.sources.int == 2)
  }

  @Test func `a cell that two tiles share is counted once`() throws {
    let bench = try Bench()
    // The last column of a tile and the first one of the next: one cell has pixels of both.
    for (number, columns) in [(0, 8_180..<8_192), (1, 0..<12)] {
      var tile = FogOfWorldTile(number: 177 * 512 + 272 + number)
      tile.set(x: columns, y: 1000..<1001)
      try bench.folder.write(tile.bytes, to: "Sync/" + tile.name)
    }
    let dry = try bench.roqua("import", "--dry-run", "Sync").out
    let words = try bench.roqua("import", "Sync").out
    let cells = try #require(bench.json("stats").cells.int)
    #expect(words.hasPrefix("2 files imported: 24 pixels explore \(cells) new cells"), "\(words)")
    #expect(dry.contains(" explore at most "), "\(dry)")
  }

  @Test func `the summaries of a snapshot are ignored in a folder, too`() throws {
    let bench = try bench()
    for part in ["Model/*", "Model/~"] {
      for tile in Self.tiles {
        try bench.folder.write(tile.bytes, to: "unpacked/\(part)/" + tile.name)
      }
    }
    let document = try bench.json("import", "unpacked")
    #expect(document.files.elements.count == 2)
    #expect(document.totals.ignored.int == 2)
    let statistics = try bench.roqua("stats").out
    #expect(statistics.contains("\nno visits: 2 sources of cells without times\n"))
    let cells = try bench.json("sources").sources.elements.compactMap(\.cells.int)
    #expect(cells.sorted() == [13, 14])
  }

  @Test func `with tracks, the summary has a line for the tiles`() throws {
    let bench = try bench()
    try bench.folder.write(
      "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>", to: "Sync/a.gpx")
    let words = try bench.roqua("import", "--dry-run", "Sync")
    #expect(words.out.contains("3 files would be imported: 1 of 1 point kept"))
    #expect(words.out.contains("  2 files of Fog of World: 200 pixels explore at most 27 cells"))
    let each = try bench.roqua("import", "--verbose", "Sync")
    #expect(each.out.contains("Sync/\(Self.tiles[0].name): 100 pixels explore 13 cells"))
  }

  @Test func `the report has the counts of each tile`() throws {
    let bench = try bench()
    let document = try bench.json("import", "Sync")
    for file in document.files.elements {
      #expect(file.format == .string("fogOfWorld"))
      #expect(file.status == .string("imported"))
      #expect(file.pixels.int == 100)
      #expect((13...14).contains(file.cells.int ?? 0))
      #expect(file.withheldCells.int == 0)
      #expect(file.points.int == 0)
      #expect(file.kept.int == 0)
    }
    #expect(document.totals.cellsAdded.int == 27)
    #expect(document.totals.points.int == 0)
  }

  @Test func `a tile without its name exits with status 2 and says what to do`() throws {
    let bench = try bench()
    try bench.folder.write(Self.tiles[0].bytes, to: "Sync/renamed")
    let words = try bench.roqua("import", "Sync")
    #expect(words.status == 2)
    #expect(words.err.contains("Sync/renamed: It is a tile of Fog of World, and only the name"))
    #expect(words.out.contains("1 file refused"))
  }

  @Test func `the exploration radius stays as it is while there are tiles`() throws {
    let bench = try bench()
    _ = try bench.json("import", "Sync")
    #expect(try bench.roqua("settings", "explorationRadiusMeters", "100").status == 1)
    let sources = try bench.json("sources")
    for source in sources.sources.elements {
      let id = try #require(source.id.int)
      #expect(try bench.roqua("forget", "\(id)").status == 0)
    }
    #expect(try bench.roqua("settings", "explorationRadiusMeters", "100").status == 0)
  }
}
