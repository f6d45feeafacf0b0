import ByteStreams
import CSQLite
import FogMap
import Foundation
import Geodesy
import GridHash
import SQLiteLayer
import TestSupport
import Testing

@testable import Roqua

@Suite struct MapTileTests {
  private typealias Tiles = [MapTile: [UInt8]]

  private static func coverage(seed: UInt64, around latitude: Double = 48) throws -> Coverage {
    var random = SplitMix64(seed: seed)
    var coverage = Coverage()
    for _ in 0..<40 {
      coverage.mark(
        discAround: try Coordinate(
          latitudeDegrees: latitude + .random(in: 0...0.1, using: &random),
          longitudeDegrees: 11 + .random(in: 0...0.2, using: &random)))
    }
    return coverage
  }

  /// The tiles by SQLite's own functions, without Roqua's connection; rows count from the south.
  private static func mbtiles(_ path: String) throws -> (tiles: Tiles, metadata: [String: String]) {
    var handle: OpaquePointer?
    try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
    defer { sqlite3_close_v2(handle) }
    func rows(_ sql: String, _ body: (OpaquePointer) throws -> Void) throws {
      var statement: OpaquePointer?
      try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
      defer { sqlite3_finalize(statement) }
      while sqlite3_step(statement) == SQLITE_ROW { try body(try #require(statement)) }
    }
    var tiles: Tiles = [:]
    try rows("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles") { row in
      let zoom = Int(sqlite3_column_int(row, 0))
      let y = 1 << zoom - 1 - Int(sqlite3_column_int(row, 2))
      let tile = try #require(MapTile(zoom: zoom, x: Int(sqlite3_column_int(row, 1)), y: y))
      // Sound: SQLite states the count of its blob, which is valid until the next step.
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(row, 3), count: Int(sqlite3_column_bytes(row, 3)))
      #expect(tiles.updateValue(Array(bytes), forKey: tile) == nil)
    }
    var metadata: [String: String] = [:]
    try rows("SELECT name, value FROM metadata") { row in
      metadata[String(cString: sqlite3_column_text(row, 0))] = String(
        cString: sqlite3_column_text(row, 1))
    }
    try rows("PRAGMA integrity_check") { row in
      #expect(String(cString: sqlite3_column_text(row, 0)) == "ok")
    }
    return (tiles, metadata)
  }

  private static func folder(_ path: String) throws -> Tiles {
    var tiles: Tiles = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      let parts = name.split(whereSeparator: { "/.".contains($0) }).compactMap { Int($0) }
      guard parts.count == 3, let tile = MapTile(zoom: parts[0], x: parts[1], y: parts[2]) else {
        continue
      }
      tiles[tile] = try FilePath(path + "/" + name).contents()
    }
    return tiles
  }

  private static func expected(_ coverage: Coverage, _ options: MapTileOptions, packed: Bool)
    throws -> Tiles
  {
    var tiles: Tiles = [:]
    let style = TileMaker.Style(format: options.format == .png ? .png : .mvt, isCompressed: packed)
    let pyramid = TilePyramid(
      try TileMaker(coverage, style), grid: coverage.grid, zooms: options.zooms)
    pyramid.forEachTile(coverage.tileKeys) { tiles[$0] = $1 }
    return tiles
  }

  @Test(arguments: MapTileOptions.Format.allCases)
  func `a file and a folder have all tiles, and are renewed after a change`(
    format: MapTileOptions.Format
  ) throws {
    let temporary = try TemporaryFolder()
    let options = MapTileOptions(format: format, zooms: 0...11)
    let (file, folder) = (temporary.file("a.mbtiles"), temporary.file("tiles"))
    let first = try Self.coverage(seed: 1)
    let second = first.union(try Self.coverage(seed: 2, around: 47.9))
    for (coverage, isRenewal) in [(first, false), (first, true), (second, true), (first, true)] {
      for path in [file, folder] {
        let report = try MapTiles.write(coverage, to: path, options)
        #expect(report.isRenewal == isRenewal)
        let isFile = path == file
        let found = isFile ? try Self.mbtiles(path).tiles : try Self.folder(path)
        let expected = try Self.expected(coverage, options, packed: isFile)
        #expect(found == expected)
        if !isRenewal { #expect(report.written == expected.count) }
        if isRenewal { #expect(report.written <= expected.count) }
        let again = try MapTiles.write(coverage, to: path, options)
        #expect(again.written == 0 && again.removed == 0 && again.isRenewal)
      }
    }
    let metadata = try Self.mbtiles(file).metadata
    #expect(metadata["format"] == (format == .png ? "png" : "pbf"))
    #expect(metadata["minzoom"] == "0" && metadata["maxzoom"] == "11")
    #expect(metadata["name"] == "Explored")
    #expect((metadata["json"] != nil) == (format == .mvt))
    #expect(metadata["attribution"]?.hasPrefix("© OpenStreetMap contributors") == true)
    func numbers(_ name: String) throws -> [Double] {
      try #require(metadata[name]).split(separator: ",").compactMap { Double($0) }
    }
    let bounds = try numbers("bounds")
    if format == .png {
      // Fog covers the world; the map begins where something is explored.
      #expect(bounds == [-180, -85.051_128_7, 180, 85.051_128_7])
      let center = try numbers("center")
      #expect(11...11.2 ~= center[0] && 48...48.1 ~= center[1] && center[2] == 0)
      return
    }
    let box = try #require(first.bounds)
    // Not more exact than the pixels of zoom 11, and never smaller.
    let pixel = 360.0 / Double(256 << 11)
    let slack = [box.west, box.south, box.east, box.north].enumerated().map { index, edge in
      index < 2 ? edge - bounds[index] : bounds[index] - edge
    }
    #expect(bounds.count == 4 && slack.allSatisfy { (-1e-6..<pixel + 1e-6).contains($0) })
  }

  @Test func `a renewal leaves the files of unchanged tiles alone`() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.file("tiles")
    let options = MapTileOptions(zooms: 6...11)
    let first = try Self.coverage(seed: 1)
    _ = try MapTiles.write(first, to: folder, options)
    func identities() throws -> [MapTile: FileIdentity] {
      try Self.folder(folder).keys.reduce(into: [:]) { result, tile in
        result[tile] = FileIdentity(path: "\(folder)/\(tile.zoom)/\(tile.x)/\(tile.y).png")
      }
    }
    let (before, tiles) = (try identities(), try Self.folder(folder))
    let report = try MapTiles.write(
      first.union(try Self.coverage(seed: 3, around: 48.3)), to: folder, options)
    let (after, newTiles) = (try identities(), try Self.folder(folder))
    let rewritten = after.count { before[$0.key] != $0.value }
    #expect(rewritten == report.written && report.written > 0)
    for (tile, identity) in before where after[tile] == identity {
      #expect(tiles[tile] == newTiles[tile])
    }
    for (tile, bytes) in tiles where newTiles[tile] == bytes {
      #expect(before[tile] == after[tile])
    }
  }

  @Test func `other options write everything, and remove the tiles of before`() throws {
    let temporary = try TemporaryFolder()
    let coverage = try Self.coverage(seed: 1)
    let folder = temporary.file("tiles")
    _ = try MapTiles.write(coverage, to: folder, MapTileOptions(zooms: 0...10))
    let note = try temporary.write("mine", to: "tiles/9/note.png")
    let options = MapTileOptions(format: .mvt, zooms: 2...8)
    #expect(throws: DatabaseError.self) { try MapTiles.write(coverage, to: folder, options) }
    let report = try MapTiles.write(coverage, to: folder, options, replacing: true)
    #expect(!report.isRenewal && report.removed > 0)
    #expect(try Self.folder(folder) == (try Self.expected(coverage, options, packed: false)))
    #expect(FileManager.default.fileExists(atPath: note))
    let file = temporary.file("a.mbtiles")
    _ = try MapTiles.write(coverage, to: file, MapTileOptions(zooms: 0...10))
    #expect(throws: DatabaseError.self) { try MapTiles.write(coverage, to: file, options) }
    #expect(try Self.mbtiles(file).metadata["maxzoom"] == "10")
    #expect(try !MapTiles.write(coverage, to: file, options, replacing: true).isRenewal)
    #expect(try Self.mbtiles(file).metadata["maxzoom"] == "8")
  }

  @Test func `a folder that a killed run left incomplete is written again as a whole`() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.file("tiles")
    let coverage = try Self.coverage(seed: 1)
    let options = MapTileOptions(zooms: 0...9)
    Self.leaveIncomplete(folder, coverage, options)
    for tile in try Self.expected(coverage, options, packed: true).keys where tile.zoom > 5 {
      try temporary.write([1], to: "tiles/\(tile.zoom)/\(tile.x)/\(tile.y).png")
    }
    #expect(try !MapTiles.write(coverage, to: folder, options).isRenewal)
    #expect(try Self.folder(folder) == (try Self.expected(coverage, options, packed: true)))
  }

  @Test func `an incomplete folder is completed for its own tiles only`() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.file("tiles")
    let coverage = try Self.coverage(seed: 1)
    var left = MapTileOptions(zooms: 0...4)
    left.zones = ["2", "5"]
    Self.leaveIncomplete(folder, coverage, left)
    func write(_ zones: [String], zooms: ClosedRange<Int> = 0...4) throws -> MapTileReport {
      var options = MapTileOptions(zooms: zooms)
      options.zones = zones
      return try MapTiles.write(coverage, to: folder, options)
    }
    // Ground that a removed zone hid would appear in tiles that hid it.
    for zones in [["2"], ["5"], [], ["2", "7"]] {
      #expect(throws: DatabaseError.self, "\(zones)") { try write(zones) }
    }
    #expect(throws: DatabaseError.self) { try write(["2", "5"], zooms: 0...3) }
    var hidden = left
    hidden.subject = "hidden"
    #expect(throws: DatabaseError.self) { try MapTiles.write(coverage, to: folder, hidden) }
    #expect(try !write(["2", "5", "7"]).isRenewal)
    #expect(try write(["2", "5", "7"]).isRenewal)
  }

  /// Leaves the folder of tiles as a run that is interrupted before its first tile.
  private static func leaveIncomplete(
    _ folder: String, _ coverage: Coverage, _ options: MapTileOptions
  ) {
    let cancellation = Cancellation()
    cancellation.cancel()
    Cancellation.$current.withValue(cancellation) {
      #expect(throws: DatabaseError.interrupted(path: folder)) {
        try MapTiles.write(coverage, to: folder, options, replacing: true)
      }
    }
  }

  @Test func `tiles are renewed after a zone was added, not after one was removed`() throws {
    let temporary = try TemporaryFolder()
    let coverage = try Self.coverage(seed: 1)
    for path in [temporary.file("a.mbtiles"), temporary.file("tiles")] {
      func write(_ zones: [String], replacing: Bool = false) throws -> MapTileReport {
        var options = MapTileOptions(zooms: 0...6)
        options.zones = zones
        return try MapTiles.write(coverage, to: path, options, replacing: replacing)
      }
      #expect(try !write(["2"]).isRenewal)
      // Even if a new zone hides nothing, the tiles remember it.
      #expect(try write(["2", "5"]).isRenewal)
      for zones in [["2"], ["5"], [], ["2", "7"]] {
        #expect(throws: DatabaseError.self, "\(zones)") { try write(zones) }
      }
      #expect(try write(["2", "5", "7"]).isRenewal)
      #expect(try !write(["5"], replacing: true).isRenewal)
      #expect(try write(["5"]).isRenewal)
    }
  }

  @Test func `nothing that Roqua has not written is replaced`() throws {
    let temporary = try TemporaryFolder()
    let coverage = try Self.coverage(seed: 1)
    let options = MapTileOptions(zooms: 0...2)
    for name in ["a.mbtiles", "a.pmtiles"] {
      let path = try temporary.write("mine", to: name)
      #expect(throws: DatabaseError.self) { try MapTiles.write(coverage, to: path, options) }
      #expect(try FilePath(path).contents() == Array("mine".utf8))
    }
    try temporary.write("mine", to: "tiles/notes.txt")
    let folder = temporary.file("tiles")
    #expect(throws: DatabaseError.self) { try MapTiles.write(coverage, to: folder, options) }
    #expect(try Self.folder(folder).isEmpty)
    let kept = try #require(FileIdentity(path: temporary.file("a.mbtiles")))
    #expect(throws: DatabaseError.self) {
      try MapTiles.write(
        coverage, to: temporary.file("a.mbtiles"), options, keeping: [kept: "the store"],
        replacing: true)
    }
  }

  @Test func `an archive of pictures has a tile for every number`() throws {
    let temporary = try TemporaryFolder()
    let coverage = try Self.coverage(seed: 1)
    let path = temporary.file("a.pmtiles")
    let report = try MapTiles.write(coverage, to: path, MapTileOptions(zooms: 1...8))
    let bytes = try FilePath(path).contents()
    #expect(report.written > 20 && bytes.starts(with: Array("PMTiles".utf8)))
    let addressed = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[72 + $1]) << UInt64(8 * $1) }
    #expect(
      addressed == MapTile.firstNumber(ofZoom: 9) - MapTile.firstNumber(ofZoom: 1))
    // Shapes: only the tiles that show something.
    let shapes = try MapTiles.write(
      coverage, to: temporary.file("b.pmtiles"), MapTileOptions(format: .mvt, zooms: 1...8))
    let packed = try FilePath(temporary.file("b.pmtiles")).contents()
    #expect(
      (0..<8).reduce(0) { $0 | Int(packed[72 + $1]) << (8 * $1) } == shapes.written)
  }
}
