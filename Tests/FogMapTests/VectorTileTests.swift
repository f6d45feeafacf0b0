import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import FogMap

/// A slow reader of vector tiles, written from the specification.
struct VectorTileReader {
  var name = ""
  var version: UInt64 = 0
  var extent: UInt64 = 0
  var types: [UInt64] = []
  var rings: [[RingCorner]] = []
  /// The number of the value of each feature, and the number of its first ring.
  var features: [(value: Int, firstRing: Int)] = []
  var keys: [String] = []
  var values: [UInt64] = []

  private enum Field { case number(UInt64), bytes([UInt8]) }

  private static func number(_ bytes: [UInt8], _ at: inout Int) throws -> UInt64 {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while true {
      try #require(at < bytes.count)
      value |= UInt64(bytes[at] & 0x7F) << shift
      at += 1
      shift += 7
      if bytes[at - 1] < 0x80 { return value }
    }
  }

  private static func fields(_ bytes: [UInt8]) throws -> [(UInt64, Field)] {
    var fields: [(UInt64, Field)] = []
    var at = 0
    while at < bytes.count {
      let key = try number(bytes, &at)
      let value = try number(bytes, &at)
      if key & 7 == 0 {
        fields.append((key >> 3, .number(value)))
      } else {
        try #require(key & 7 == 2 && at + Int(value) <= bytes.count)
        fields.append((key >> 3, .bytes(Array(bytes[at..<at + Int(value)]))))
        at += Int(value)
      }
    }
    return fields
  }

  init(_ bytes: [UInt8]) throws {
    let layers = try Self.fields(bytes)
    try #require(layers.count == 1 && layers[0].0 == 3)
    guard case .bytes(let layer) = layers[0].1 else { return }
    for (field, value) in try Self.fields(layer) {
      switch (field, value) {
      case (1, .bytes(let name)): self.name = String(decoding: name, as: UTF8.self)
      case (5, .number(let extent)): self.extent = extent
      case (15, .number(let version)): self.version = version
      case (2, .bytes(let feature)):
        for (field, value) in try Self.fields(feature) {
          switch (field, value) {
          case (2, .bytes(let tags)):
            try #require(tags.count == 2 && tags[0] == 0)
            features.append((Int(tags[1]), rings.count))
          case (3, .number(let type)): types.append(type)
          case (4, .bytes(let geometry)): try readRings(geometry)
          default: Issue.record("field \(field) of a feature")
          }
        }
      case (3, .bytes(let key)): keys.append(String(decoding: key, as: UTF8.self))
      case (4, .bytes(let value)):
        for case (5, .number(let number)) in try Self.fields(value) { values.append(number) }
      default: Issue.record("field \(field) of a layer")
      }
    }
  }

  private mutating func readRings(_ bytes: [UInt8]) throws {
    var (at, cursor, ring) = (0, RingCorner(x: 0, y: 0), [RingCorner]())
    while at < bytes.count {
      let command = try Self.number(bytes, &at)
      for _ in 0..<command >> 3 where command & 7 != 7 {
        let (x, y) = (try Self.number(bytes, &at), try Self.number(bytes, &at))
        cursor.x += Int(x >> 1) * (x & 1 == 1 ? -1 : 1) - (x & 1 == 1 ? 1 : 0)
        cursor.y += Int(y >> 1) * (y & 1 == 1 ? -1 : 1) - (y & 1 == 1 ? 1 : 0)
        if command & 7 == 1 { try #require(ring.isEmpty && command >> 3 == 1) }
        ring.append(cursor)
      }
      if command & 7 == 7 {
        rings.append(ring)
        ring = []
      }
    }
    try #require(ring.isEmpty)
  }
}

@Suite struct VectorTileTests {
  @Test(arguments: Seeds.sample(16))
  func `near tiles have the exact cells`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let walk = try SampleWalk(seed: seed, radius: seed % 2 == 0 ? 150 : 1_000)
    let encoder = VectorTileEncoder(walk.coverage)
    for zoom in 11...16 {
      let tile = try walk.tile(zoom: zoom, using: &random)
      let read = try encoder.encode(tile).map { try VectorTileReader($0) }
      if let read {
        #expect(read.name == "explored" && read.version == 2 && read.extent == 4_096)
        #expect(read.types == [3])
        #expect(read.keys == ["share"] && read.values == [100])
        #expect(
          read.rings.joined().allSatisfy { -64...4_160 ~= $0.x && -64...4_160 ~= $0.y })
      }
      for _ in 0..<200 {
        let x = Double(Int.random(in: 0..<4_096, using: &random)) + 0.5
        let y = Double(Int.random(in: 0..<4_096, using: &random)) + 0.5
        let found = read?.rings.reduce(0) { $0 + winding($1, around: x, y) } ?? 0
        #expect((0...1).contains(found))
        // Edges are rounded to units, so a point next to an edge may be on either side.
        let around = [(-0.6, -0.6), (0.6, -0.6), (-0.6, 0.6), (0.6, 0.6)].map { dx, dy in
          Self.isExplored(walk.coverage, tile, x + dx, y + dy)
        }
        if Set(around).count == 1 { #expect((found == 1) == around[0], "zoom \(zoom) \(x) \(y)") }
      }
    }
  }

  private static func isExplored(
    _ coverage: Coverage, _ tile: MapTile, _ x: Double, _ y: Double
  ) -> Bool {
    let count = pow(2, Double(tile.zoom))
    let east = (Double(tile.x) + x / 4_096) / count * 360
    let north = atan(sinh(.pi * (1 - 2 * (Double(tile.y) + y / 4_096) / count))) * 180 / .pi + 90
    let step = coverage.grid.stepDegrees
    guard east >= 0, north >= 0 else { return false }
    return coverage.contains(Cell(row: Int32(north / step), column: Int32(east / step)))
  }

  @Test(arguments: Seeds.sample(8))
  func `far tiles have every explored pixel, by steps of its share`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let walk = try SampleWalk(seed: seed, radius: 1_000, steps: 200)
    let encoder = VectorTileEncoder(walk.coverage)
    let raster = FogRaster(walk.coverage)
    for zoom in [0, 5, 7] {
      let tile = try walk.tile(zoom: zoom, using: &random)
      _ = raster.render(tile)
      let read = try encoder.encode(tile).map { try VectorTileReader($0) }
      #expect((read != nil) == raster.shares.contains { $0 != 0 })
      let features = read?.features ?? []
      let steps = TileOutline.steps(tile, step: walk.coverage.grid.stepDegrees)
      for (place, share) in raster.shares.enumerated() where share > 0 || place % 97 == 0 {
        let (x, y) = (Double(place % 256) * 16 + 8.5, Double(place / 256) * 16 + 8.5)
        let found = features.enumerated().compactMap { number, feature -> UInt64? in
          let end = number + 1 < features.count ? features[number + 1].firstRing : nil
          let rings = read.map { $0.rings[feature.firstRing..<(end ?? $0.rings.count)] } ?? []
          let isInside = rings.reduce(0) { $0 + winding($1, around: x, y) } == 1
          return isInside ? read?.values[feature.value] : nil
        }
        let step = steps.last { $0.byte <= share }?.percent
        #expect(found == (step.map { [$0] } ?? []))
      }
    }
  }

  @Test func `a tile that is all explored is one square with its buffer, and none shows nothing`()
    throws
  {
    var coverage = Coverage()
    for place in 0..<400 {
      coverage.mark(
        discAround: try Coordinate(
          latitudeDegrees: 10 + Double(place / 20) * 0.001,
          longitudeDegrees: 20 + Double(place % 20) * 0.001))
    }
    let tile = try SampleWalk.tile(zoom: 17, latitudeDegrees: 10.01, longitudeDegrees: 20.01)
    let encoder = VectorTileEncoder(coverage)
    let bytes = try #require(encoder.encode(tile))
    let rings = try VectorTileReader(bytes).rings
    #expect(rings.count == 1)
    #expect(
      Set(try #require(rings.first)) == [
        RingCorner(x: -64, y: -64), RingCorner(x: 4_160, y: -64), RingCorner(x: 4_160, y: 4_160),
        RingCorner(x: -64, y: 4_160),
      ])
    #expect(encoder.encode(try #require(MapTile(zoom: 17, x: 5, y: 5))) == nil)
    #expect(encoder.encode(try #require(MapTile(zoom: 0, x: 0, y: 0))) != nil)
  }
}

@Suite struct TileOutlineTests {
  @Test(arguments: Seeds.sample(40))
  func `all columns and rows have a width, so rings stay apart after rounding`(seed: UInt64) throws
  {
    var random = SplitMix64(seed: seed)
    let walk = try SampleWalk(seed: seed, radius: [150.0, 300, 1_000, 777][Int(seed % 4)])
    let index = SquareIndex(walk.coverage)
    for zoom in 8...16 {
      let tile = try walk.tile(zoom: zoom, using: &random)
      guard TileOutline.hasCells(tile, step: index.step) else { continue }
      let outline = TileOutline(tile, index, buffer: .random(in: 0...200, using: &random))
      let mask = outline.mask
      if mask.isEmpty { continue }
      #expect(outline.xs.count == mask.width + 1 && outline.ys.count == mask.height + 1)
      #expect(zip(outline.xs, outline.xs.dropFirst()).allSatisfy { $0 < $1 })
      #expect(zip(outline.ys, outline.ys.dropFirst()).allSatisfy { $0 < $1 })
      // So every ring keeps its corners, and no two corners fall together.
      let corners = RingTracer.polygons(of: mask).flatMap { [$0.outer] + $0.holes }.map(\.count)
      let rings = outline.polygons.joined()
      #expect(corners.sorted() == rings.map(\.count).sorted())
      #expect(rings.allSatisfy { Set($0).count == $0.count })
    }
  }
}
