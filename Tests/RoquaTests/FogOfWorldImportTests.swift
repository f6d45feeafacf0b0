import Foundation
import GeoStore
import GridHash
import Geodesy
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// Imports of Fog of World into a store, compared with a slow scan of every pixel.
@Suite struct FogOfWorldImportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A street in Munich that crosses the border of two tiles, and one near the antimeridian.
  private static let street: [(latitude: Double, longitude: Double)] = (0..<600).map { step in
    let part = Double(step)
    return (48.1 + part * 4e-5, 11.24 + part * 5e-5)
  }
  private static let corners: [(latitude: Double, longitude: Double)] = [
    (-16.5, 179.99995), (-16.5, -179.99999), (84.9, 20), (-84.9, 20), (0.00001, 0.00001),
    (-0.00001, -0.00001), (-33.8688, 151.2093),
  ]
  private static let places = street + corners

  private func explorer(_ name: String = "store.sqlite") throws -> Explorer {
    try Explorer(storePath: folder.file(name))
  }

  /// Writes tiles into a folder.
  private func write(_ tiles: [FogOfWorldTile], to name: String) throws {
    for tile in tiles { try folder.write(tile.bytes, to: name + "/" + tile.name) }
  }

  private func coverage(_ explorer: Explorer) throws -> GridHash.Coverage {
    try explorer.read { try $0.coverage() }
  }

  /// The cells whose area contains the center of a pixel.
  private func plainCells(_ tiles: [FogOfWorldTile], grid: Grid) -> Set<Cell> {
    var cells: Set<Cell> = []
    for pixel in tiles.flatMap(\.pixels) {
      let y = Double.pi * (1 - 2 * (Double(pixel.y) + 0.5) / 4_194_304)
      let latitude = 2 * atan(exp(y)) - .pi / 2
      let longitude = (Double(pixel.x) + 0.5) / 4_194_304 * 360 - 180
      cells.insert(
        Cell(
          row: Int32((latitude * 180 / .pi + 90) / grid.stepDegrees),
          column: Int32((longitude + 180) / grid.stepDegrees)))
    }
    return cells
  }

  @Test func `a Sync folder explores the cells with the centers of its pixels`() throws {
    let tiles = FogOfWorldTile.tiles(at: Self.places)
    #expect(tiles.count > 6)
    try write(tiles, to: "Sync")
    let explorer = try explorer()
    let report = try explorer.importTracks([folder.file("Sync")])
    #expect(report.count(.imported) == tiles.count)
    #expect(report.ignored == 0)
    #expect(report.points == 0)
    let pixels = tiles.reduce(0) { $0 + $1.pixelCount }
    #expect(report.files.reduce(0) { $0 + $1.track.pixels } == pixels)
    let expected = plainCells(tiles, grid: .standard)
    let coverage = try coverage(explorer)
    #expect(coverage.count == expected.count)
    #expect(expected.allSatisfy { coverage.contains($0) })
    #expect(report.changes.cellsAdded == expected.count)
    #expect(abs(report.changes.areaAddedSquareKilometers - coverage.areaSquareMeters / 1e6) < 1e-6)
    #expect(report.changes.regionsAdded == 0)
    let sources = try explorer.sources()
    #expect(sources.map(\.cells) == report.files.map(\.cells))
    #expect(sources.allSatisfy { $0.format == "fogOfWorld" })
    #expect(try explorer.check().isSound)
  }

  @Test func `a folder, an archive and a snapshot are the same sources`() throws {
    let tiles = FogOfWorldTile.tiles(at: Self.places)
    try write(tiles, to: "Sync")
    let members = tiles.map { ZipBuilder.File("Sync/" + $0.name, $0.bytes) }
    try folder.write(
      ZipBuilder(members + [.init("Sync/.DS_Store", [0, 0, 1])]).build().bytes, to: "Sync.zip")
    // The summaries repeat the tiles; the other files say what the tiles say.
    var summary = FogOfWorldTile(number: 0)
    summary.set(x: 0..<64, y: 0..<64)
    let snapshot =
      tiles.map { ZipBuilder.File("Model/*/" + $0.name, $0.bytes) }
      + [
        .init("Model/~/8f14ten", summary.bytes), .init("Model/#/01abfc750a", Deflate.zlib([2])),
        .init("Model/#/a1d0jhdz", summary.bytes),
      ]
    try folder.write(ZipBuilder(snapshot).build().bytes, to: "a.fwss")
    let first = try explorer()
    let report = try first.importTracks([folder.file("Sync")])
    for name in ["Sync", "Sync.zip", "a.fwss"] {
      let again = try first.importTracks([folder.file(name)])
      #expect(again.count(.duplicate) == tiles.count, "\(name)")
      #expect(again.count(.refused) == 0, "\(name)")
      #expect(again.changes.cellsAdded == 0)
      let alone = try explorer(name + ".sqlite").importTracks([folder.file(name)])
      #expect(digests(alone) == digests(report), "\(name)")
      #expect(alone.changes.cellsAdded == report.changes.cellsAdded, "\(name)")
    }
  }

  private func digests(_ report: ImportReport) -> Set<String> {
    Set(report.files.compactMap(\.sha256))
  }

  @Test func `equal tiles of different places are different sources`() throws {
    var tile = FogOfWorldTile(number: 180 * 512 + 270)
    tile.set(x: 100..<140, y: 100..<140)
    var other = tile
    other.number += 1
    try write([tile, other], to: "Sync")
    #expect(tile.bytes == other.bytes)
    let explorer = try explorer()
    let report = try explorer.importTracks([folder.file("Sync")])
    #expect(report.count(.imported) == 2)
    #expect(Set(report.files.map(\.sha256)).count == 2)
    #expect(try coverage(explorer).count == plainCells([tile, other], grid: .standard).count)
  }

  @Test func `a renewed tile adds its new pixels, and forgetting it keeps the old ones`() throws {
    var tile = FogOfWorldTile(number: 180 * 512 + 270)
    tile.set(x: 0..<40, y: 0..<40)
    try write([tile], to: "Sync")
    let explorer = try explorer()
    _ = try explorer.importTracks([folder.file("Sync")])
    let old = try coverage(explorer)
    tile.set(x: 500..<700, y: 0..<9)
    try write([tile], to: "Sync")
    let report = try explorer.importTracks([folder.file("Sync")])
    #expect(report.count(.imported) == 1)
    #expect(try coverage(explorer).count == old.count + report.changes.cellsAdded)
    let newer = try #require(try explorer.sources().last)
    _ = try explorer.forget(sources: [newer.id])
    #expect(try coverage(explorer) == old)
    #expect(try explorer.check().isSound)
  }

  @Test func `a dry run reports the same and stores nothing`() throws {
    let tiles = FogOfWorldTile.tiles(at: Self.places)
    try write(tiles, to: "Sync")
    let explorer = try explorer()
    var options = ImportOptions()
    options.isDryRun = true
    let dry = try explorer.importTracks([folder.file("Sync")], options: options)
    #expect(try explorer.sources().isEmpty)
    let wet = try explorer.importTracks([folder.file("Sync")])
    #expect(dry.files.map(\.cells) == wet.files.map(\.cells))
    #expect(dry.files.map(\.json.description) == wet.files.map(\.json.description))
  }

  @Test func `cells that could have been explored from a privacy zone are left out`() throws {
    let tiles = FogOfWorldTile.tiles(at: Self.street)
    try write(tiles, to: "Sync")
    let center = try Coordinate(latitudeDegrees: 48.112, longitudeDegrees: 11.255)
    let explorer = try explorer()
    _ = try explorer.store.addZone(
      PrivacyZone(center: center, radiusMeters: 300), named: nil)
    let report = try explorer.importTracks([folder.file("Sync")])
    let withheld = report.files.reduce(0) { $0 + $1.withheldCells }
    let all = plainCells(tiles, grid: .standard)
    let coverage = try coverage(explorer)
    #expect(withheld > 5)
    #expect(coverage.count + withheld == all.count)
    #expect(report.files.reduce(0) { $0 + $1.cells } == coverage.count)
    for cell in all {
      let middle = Grid.standard.center(of: cell)
      let position = try Coordinate(
        latitudeDegrees: middle.latitudeDegrees, longitudeDegrees: middle.longitudeDegrees)
      let distance = center.distanceMeters(to: position)
      if distance < 445 { #expect(!coverage.contains(cell)) }
      if distance > 460 { #expect(coverage.contains(cell)) }
    }
  }

  @Test func `a grid of smaller cells gets the cells in each pixel`() throws {
    var tile = FogOfWorldTile(number: 177 * 512 + 272)
    tile.set(x: 20..<70, y: 20..<80)
    try write([tile], to: "Sync")
    let explorer = try explorer()
    try explorer.set(.explorationRadiusMeters, to: 10)
    _ = try explorer.importTracks([folder.file("Sync")])
    let coverage = try coverage(explorer)
    // The area of a pixel of the map, by latitude.
    let latitude = atan(sinh(Double.pi * (1 - 2 * (177.0 * 8192 + 50) / 4_194_304)))
    let side = 40_030_173.6 / 4_194_304 * cos(latitude)
    #expect(abs(coverage.areaSquareMeters / (50 * 60 * side * side) - 1) < 0.03)
  }

  @Test func `a tile without its name is refused in words, wherever it lies`() throws {
    var tile = FogOfWorldTile(number: 99_000)
    tile.set(x: 5, y: 5)
    try folder.write(tile.bytes, to: "in/renamed")
    try folder.write(ZipBuilder([.init("renamed", tile.bytes)]).build().bytes, to: "in/a.zip")
    let explorer = try explorer()
    let report = try explorer.importTracks([folder.file("in")])
    #expect(report.count(.refused) == 2)
    #expect(report.ignored == 0)
    for file in report.files {
      #expect(file.track.error?.message.contains("restore that name") == true)
    }
    #expect(try explorer.sources().isEmpty)
  }

  @Test func `a damaged tile in a folder is refused, not ignored`() throws {
    var tile = FogOfWorldTile(number: 99_000)
    tile.set(x: 5, y: 5)
    try folder.write(Array(tile.bytes.prefix(40)), to: "Sync/" + tile.name)
    let report = try explorer().importTracks([folder.file("Sync")])
    #expect(report.count(.refused) == 1)
  }

  @Test func `tiles and tracks are imported together, in any batches`() throws {
    let tiles = (0..<150).map { number in
      var tile = FogOfWorldTile(number: 170 * 512 + 200 + number)
      tile.set(x: 4000..<4100, y: number..<number + 2)
      return tile
    }
    try write(tiles, to: "life")
    try folder.write(
      "<gpx><trk><trkseg><trkpt lat=\"48\" lon=\"11\"/></trkseg></trk></gpx>", to: "life/walk.gpx")
    let explorer = try explorer()
    let report = try explorer.importTracks([folder.file("life")])
    #expect(report.count(.imported) == 151)
    #expect(report.kept == 1)
    #expect(report.changes.regionsAdded == 1)
    let before = try coverage(explorer)
    #expect(before.isSuperset(ofCells: plainCells(tiles, grid: .standard)))
    _ = try explorer.rebuild()
    #expect(try coverage(explorer) == before)
    #expect(try explorer.check().isSound)
  }
}

extension GridHash.Coverage {
  fileprivate func isSuperset(ofCells cells: Set<Cell>) -> Bool {
    cells.allSatisfy { contains($0) }
  }
}
