import ByteStreams
import GridHash
import TestSupport
import Testing

@testable import FogMap

@Suite struct TileArchiveTests {
  @Test func `numbers are those of PMTiles, and follow a curve without jumps`() throws {
    // From the reference implementation in Python: zoom, x, y and number.
    let known: [(Int, Int, Int, UInt64)] = [
      (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
      (3, 5, 6, 60), (9, 300, 170, 309_129), (12, 3_423, 1_763, 19_078_479),
    ]
    for (zoom, x, y, number) in known {
      #expect(try #require(MapTile(zoom: zoom, x: x, y: y)).number == number)
    }
    for zoom in 0...6 {
      var last: MapTile?
      for place in 0..<1 << (2 * UInt64(zoom)) as Range<UInt64> {
        let tile = try #require(MapTile(zoom: zoom, place: place))
        #expect(tile.place == place && MapTile(number: tile.number) == tile)
        if let last { #expect(abs(tile.x - last.x) + abs(tile.y - last.y) == 1) }
        if zoom > 0 {
          let above = try #require(MapTile(zoom: zoom - 1, x: tile.x / 2, y: tile.y / 2))
          #expect(above.place == place / 4)
        }
        last = tile
      }
      #expect(MapTile(zoom: zoom, place: 1 << (2 * UInt64(zoom))) == nil)
    }
  }

  @Test(arguments: Seeds.sample(16))
  func `every tile that shows something explored is among those that squares touch`(seed: UInt64)
    throws
  {
    let walk = try SampleWalk(seed: seed)
    let raster = FogRaster(walk.coverage, side: 16)
    for zoom in 0...5 {
      let touched = TilePlaces.touching(
        walk.coverage.tileKeys, of: walk.coverage.grid, zoom: zoom)
      #expect(touched == Array(Set(touched)).sorted())
      for place in 0..<1 << (2 * UInt64(zoom)) as Range<UInt64> where !touched.contains(place) {
        #expect(raster.render(try #require(MapTile(zoom: zoom, place: place))) == .fogged)
      }
    }
  }

  private static func tiles(
    _ coverage: Coverage, _ style: TileMaker.Style, _ zooms: ClosedRange<Int>
  ) throws -> [MapTile: [UInt8]] {
    var tiles: [MapTile: [UInt8]] = [:]
    var last: UInt64?
    let pyramid = TilePyramid(try TileMaker(coverage, style), grid: coverage.grid, zooms: zooms)
    pyramid.forEachTile(coverage.tileKeys) { tile, bytes in
      if let last { #expect(tile.number > last) }
      last = tile.number
      #expect(tiles.updateValue(bytes, forKey: tile) == nil)
    }
    return tiles
  }

  @Test(arguments: Seeds.sample(16))
  func `changing the changed tiles gives the tiles of the new coverage`(seed: UInt64) throws {
    let zooms = [0...9, 3...11, 8...13][Int(seed % 3)]
    let style = TileMaker.Style(format: seed % 2 == 0 ? .png : .mvt)
    let walk = try SampleWalk(seed: 6, radius: 150)
    var larger = walk.coverage
    larger.formUnion(try SampleWalk(seed: seed * 8 + seed % 8, radius: 150, steps: 30).coverage)
    // Once something is explored, and once something is forgotten.
    for (old, new) in [(walk.coverage, larger), (larger, walk.coverage), (larger, larger)] {
      var tiles = try Self.tiles(old, style, zooms)
      let before = SquareDigests(old, purpose: style.description)
      let now = SquareDigests(new, purpose: style.description)
      let changed = try #require(now.changes(since: before))
      #expect(Set(changed) == Set(new.symmetricDifference(old).tileKeys))
      let pyramid = TilePyramid(try TileMaker(new, style), grid: new.grid, zooms: zooms)
      pyramid.forEachChange(changed) { tile, change in
        switch change {
        case .write(let bytes): tiles[tile] = bytes
        case .keepOrWrite(let bytes): tiles[tile] = tiles[tile] ?? bytes
        case .remove: tiles[tile] = nil
        }
      }
      #expect(tiles == (try Self.tiles(new, style, zooms)))
    }
  }

  @Test func `a square that the grid does not have touches no tile`() {
    for key in [Int64.min, -1, Int64(Grid.standard.tileCount), .max] {
      #expect(TilePlaces.touching([key], of: .standard, zoom: 5, margin: 1) == [])
    }
  }

  @Test func `digests are read as they were written, and damage is noticed`() throws {
    let walk = try SampleWalk(seed: 6, radius: 150)
    let digests = SquareDigests(walk.coverage, purpose: "png")
    #expect(SquareDigests(digests.bytes) == digests)
    let others = SquareDigests(walk.coverage, purpose: "mvt")
    #expect(digests.changes(since: others) == nil)
    let grid = walk.coverage.grid
    #expect(digests.changes(since: others, orWithPurpose: ["gif", "mvt"], grid: grid) == [])
    #expect(digests.changes(since: others, orWithPurpose: ["gif"], grid: grid) == nil)
    for place in digests.bytes.indices {
      var bytes = digests.bytes
      bytes[place] ^= 1
      #expect(SquareDigests(bytes) == nil)
      #expect(SquareDigests(Array(digests.bytes[..<place])) == nil)
    }
  }
}

/// A slow reader of PMTiles, written from the specification.
struct PMTilesReader {
  let header: [UInt64]
  let tiles: [UInt64: [UInt8]]
  let metadata: String
  let entryCount: Int

  init(_ bytes: [UInt8]) throws {
    try #require(bytes.starts(with: Array("PMTiles".utf8) + [3]))
    let fields = (1..<12).map { field in
      (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[8 * field + $1]) << UInt64(8 * $1) }
    }
    func section(_ place: Int) -> [UInt8] {
      let start = Int(fields[2 * place])
      return Array(bytes[start..<start + Int(fields[2 * place + 1])])
    }
    func expand(_ bytes: [UInt8]) throws -> [UInt8] {
      var decompressor = Decompressor()
      var result: [UInt8] = []
      _ = bytes.withUnsafeBytes {
        decompressor.read($0) {
          result += $0; return true
        }
      }
      try #require(
        decompressor.finish {
          result += $0; return true
        } == StreamEnding())
      return result
    }
    header = fields
    try #require(fields[0] + fields[1] <= 16_384)
    let (leaves, data) = (section(2), section(3))
    metadata = String(decoding: try expand(section(1)), as: UTF8.self)
    var found: [UInt64: [UInt8]] = [:]
    var count = 0
    func read(_ bytes: [UInt8]) throws {
      var at = 0
      func number() -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        repeat {
          value |= UInt64(bytes[at] & 0x7F) << shift
          (at, shift) = (at + 1, shift + 7)
        } while bytes[at - 1] >= 0x80
        return value
      }
      let entries = Int(number())
      var last: UInt64 = 0
      let numbers = (0..<entries).map { _ in
        last += number()
        return last
      }
      let runs = (0..<entries).map { _ in number() }
      let lengths = (0..<entries).map { _ in Int(number()) }
      var end = 0
      for entry in 0..<entries {
        let stated = Int(number())
        let start = stated == 0 ? end : stated - 1
        end = start + lengths[entry]
        if runs[entry] == 0 {
          try read(try expand(Array(leaves[start..<end])))
        } else {
          count += 1
          for run in 0..<runs[entry] { found[numbers[entry] + run] = Array(data[start..<end]) }
        }
      }
      try #require(at == bytes.count)
    }
    try read(try expand(section(0)))
    tiles = found
    entryCount = count
  }
}

@Suite struct PMTilesWriterTests {
  @Test(arguments: [0, 1, 50, 30_000])
  func `a reader written from the specification finds the tiles`(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    var writer = PMTilesWriter(.png, zooms: 0...9)
    var (data, expected): ([UInt8], [UInt64: [UInt8]]) = ([], [:])
    var number: UInt64 = 0
    for place in 0..<count {
      // Few contents, so that some come again; many numbers without a tile.
      let content = Array("tile \(Int.random(in: 0...count / 2 + place % 3, using: &random))".utf8)
      let run = Bool.random(using: &random) ? 1 : UInt64.random(in: 1...4, using: &random)
      number += UInt64.random(in: 0...3, using: &random)
      writer.append(content, number: number, count: run) { data += $0 }
      for tile in number..<number + run { expected[tile] = content }
      number += run
      #expect(writer.nextNumber == number)
    }
    let head = try writer.finish(metadata: "{\"name\":\"fog\"}", bounds: .world)
    let read = try PMTilesReader(head + data)
    #expect(read.tiles == expected)
    #expect(read.metadata == "{\"name\":\"fog\"}")
    #expect(read.header[8] == UInt64(expected.count))
    #expect(read.header[9] == UInt64(read.entryCount))
    #expect(read.header[10] == UInt64(Set(expected.values).count))
    #expect(Array(head[96..<102]) == [1, 2, 1, 2, 0, 9])
    #expect((read.header[5] > 0) == (count > 20_000))
  }
}
