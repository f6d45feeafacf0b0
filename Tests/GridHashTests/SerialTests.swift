import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GridHash

@Suite struct SerialTests {
  /// Tiles of all kinds: empty, full, one cell, a track, noise of all densities, stripes.
  static func tiles(using random: inout SplitMix64) -> [Tile] {
    var tiles = [Tile(), Tile(rows: [UInt64](repeating: ~0, count: 64))]
    for _ in 0..<40 {
      var tile = Tile()
      tile[row: .random(in: 0..<64, using: &random)] =
        1 << UInt64.random(in: 0..<64, using: &random)
      tiles.append(tile)
    }
    for density in 0...8 {
      tiles.append(
        Tile(
          rows: (0..<64).map { _ in
            (0..<8).reduce(density < 4 ? ~0 : 0) { bits, round in
              round >= density ? bits : density < 4 ? bits & random.next() : bits | random.next()
            }
          }))
    }
    tiles.append(
      Tile(rows: (0..<64).map { $0 % 2 == 0 ? 0xAAAA_AAAA_AAAA_AAAA : 0x5555_5555_5555_5555 }))
    tiles.append(Tile(rows: (0..<64).map { $0 % 2 == 0 ? ~0 : 0 }))
    tiles.append(Tile(rows: (0..<64).map { 0x1F << UInt64($0) }))
    return tiles
  }

  @Test(arguments: Seeds.sample(10))
  func `a tile is read back unchanged from its bytes`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for tile in SerialTests.tiles(using: &random) {
      let bytes = tile.serialized()
      #expect(try Tile(serialized: bytes) == tile)
      #expect(bytes.count <= 517)
    }
  }

  @Test func `a tile that is truncated, extended or changed by a bit is refused`() throws {
    var random = SplitMix64(seed: 1)
    for tile in SerialTests.tiles(using: &random).suffix(14) {
      let bytes = tile.serialized()
      for length in 0..<bytes.count {
        #expect(throws: CoverageFormatError.self) { try Tile(serialized: Array(bytes[..<length])) }
      }
      for bit in 0..<bytes.count * 8 where bytes.count < 200 || bit % 7 == 0 {
        var changed = bytes
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(throws: CoverageFormatError.checksumMismatch) { try Tile(serialized: changed) }
      }
      #expect(throws: CoverageFormatError.self) { try Tile(serialized: bytes + [0]) }
    }
  }

  /// With a valid checksum, only the canonical form of a tile is accepted.
  @Test(
    arguments: [
      ([], .truncated),
      ([0], .malformed(offset: 0)),  // no such kind
      ([3], .malformed(offset: 0)),
      ([1, 1, 0, 0, 0, 0, 0, 0], .truncated),  // half a mask
      ([1, 1, 0, 0, 0, 0, 0, 0, 0], .truncated),  // no row
      ([1, 1, 0, 0, 0, 0, 0, 0, 0, 5], .truncated),  // no last place
      ([1, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0x85], .malformed(offset: 10)),  // the same place twice
      ([1, 1, 0, 0, 0, 0, 0, 0, 0, 6, 0x85], .malformed(offset: 10)),  // falling
      ([1, 1, 0, 0, 0, 0, 0, 0, 0, 64, 0x85], .malformed(offset: 9)),  // not a place
      // The empty mark after a place.
      ([1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0xC0], .malformed(offset: 10)),
      // A first row that is empty anyway.
      ([1, 1, 0, 0, 0, 0, 0, 0, 0, 0xC0], .malformed(offset: 9)),
      // A row without a difference.
      ([1, 3, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x80], .malformed(offset: 10)),
      ([1, 1, 0, 0, 0, 0, 0, 0, 0, 0x80, 0], .malformed(offset: 10)),  // more bytes
      ([2] + [UInt8](repeating: 0, count: 512), .malformed(offset: 0)),  // longer than needed
      ([2] + [UInt8](repeating: 0, count: 511), .truncated),
    ] as [([UInt8], CoverageFormatError)])
  func `bytes that no writer produces are refused`(body: [UInt8], error: CoverageFormatError) {
    let checksum = CRC32C.checksum(body).littleEndian
    #expect(throws: error) {
      try Tile(serialized: body + withUnsafeBytes(of: checksum) { Array($0) })
    }
  }

  @Test func `the checksum is CRC-32C`() {
    #expect(CRC32C.checksum(Array("123456789".utf8)) == 0xE306_9283)
    #expect(CRC32C.checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)  // RFC 3720, B.4
    #expect(CRC32C.checksum([UInt8](0..<32)) == 0x46DD_794E)
    var parts = CRC32C()
    for part in [Array(0..<5), Array(5..<21), Array(21..<32)] as [[UInt8]] {
      part.withUnsafeBytes { parts.update($0) }
    }
    #expect(parts.value == 0x46DD_794E)
  }

  @Test func `along tracks a cell takes at most 0.6 bytes in stored tiles`() throws {
    var random = SplitMix64(seed: 2)
    var coverage = Coverage()
    for _ in 0..<8 { coverage.mark(contentsOf: track(2000, latitude: -60...60, using: &random)) }
    let bytes = coverage.tiles.reduce(0) { $0 + $1.tile.serialized().count }
    #expect(Double(bytes) / Double(coverage.count) < 0.6)
    #expect(Double(coverage.serialized().count) / Double(coverage.count) < 0.6)
  }

  @Test(arguments: Seeds.sample(6))
  func `a coverage is read back unchanged, and its bytes do not depend on the order`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let grid = try Grid(
      explorationRadiusMeters: [150, 1, 5000, 99_999].randomElement(using: &random) ?? 150)
    var fixes = track(300, using: &random) + track(50, using: &random)
    fixes.append(Coordinate(3, 180))
    var coverage = Coverage(grid: grid)
    coverage.mark(contentsOf: fixes)
    let bytes = coverage.serialized()
    let back = try Coverage(serialized: bytes)
    #expect(back == coverage && back.grid == grid && back.count == coverage.count)

    var shuffled = Coverage(grid: grid)
    for fix in (fixes + fixes).shuffled(using: &random) { shuffled.mark(discAround: fix) }
    #expect(shuffled.serialized() == bytes)

    // Split into two coverages and merged.
    var parts = [Coverage(grid: grid), Coverage(grid: grid)]
    for fix in fixes { parts[Int.random(in: 0...1, using: &random)].mark(discAround: fix) }
    #expect(parts[0].union(parts[1]).serialized() == bytes)

    var writer = CoverageWriter(grid: grid)
    var written: [UInt8] = []
    for (key, tile) in coverage.tiles {
      writer.append(tile, at: key)
      if Bool.random(using: &random) { written += writer.takeBytes() }
    }
    writer.finish()
    #expect(written + writer.takeBytes() == bytes)

    try bytes.withUnsafeBytes { raw in
      var reader = try CoverageReader(raw)
      var tiles = coverage.tiles.makeIterator()
      while let (key, tile) = try reader.next() {
        let expected = tiles.next()
        #expect(expected?.key == key && expected?.tile == tile)
      }
      #expect(tiles.next() == nil)
      #expect(try reader.next() == nil)
    }
  }

  @Test func `the examples in the documentation of the format are right`() {
    let coverage = Coverage([Cell(row: 100, column: 100), Cell(row: 100, column: 1000)])
    let bytes = coverage.serialized().map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }
    #expect(
      bytes.joined(separator: " ") == """
        52 51 43 56 01 00 f0 49 02 00 87 41 01 00 00 00 00 30 00 00 00 24 a5 c0 \
        0e 01 00 00 00 00 30 00 00 00 28 a9 c0 00 02 02 bb 20 0d 73
        """)
    var tile = Tile()
    tile[row: 36] = 3 << 36
    #expect(tile.serialized().dropLast(4) == [1, 0, 0, 0, 0, 0x30, 0, 0, 0, 0x24, 0xA6, 0xC0])
  }

  @Test func `an empty coverage is read back unchanged`() throws {
    let bytes = Coverage().serialized()
    #expect(bytes.count == 17)
    #expect(try Coverage(serialized: bytes) == Coverage())
  }

  @Test func `a coverage that is truncated or changed by a bit is refused`() throws {
    var random = SplitMix64(seed: 8)
    var coverage = Coverage()
    coverage.mark(contentsOf: track(40, using: &random))
    let bytes = coverage.serialized()
    for length in 0..<bytes.count {
      #expect(throws: CoverageFormatError.self) {
        try Coverage(serialized: Array(bytes[..<length]))
      }
    }
    for bit in 0..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: CoverageFormatError.self) { try Coverage(serialized: changed) }
    }
    #expect(throws: CoverageFormatError.checksumMismatch) { try Coverage(serialized: bytes + [0]) }
  }

  /// Changes bytes and corrects the checksum, so that the reader has to detect the error itself.
  private func mended(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var body = Array(bytes.dropLast(4))
    change(&body)
    return body + withUnsafeBytes(of: CRC32C.checksum(body).littleEndian) { Array($0) }
  }

  @Test func `a malformed coverage with a valid checksum is refused`() throws {
    let coverage = Coverage([Cell(row: 100, column: 100), Cell(row: 100, column: 1000)])
    let bytes = coverage.serialized()
    #expect(try Coverage(serialized: mended(bytes) { _ in }) == coverage)
    let cases: [(String, CoverageFormatError, (inout [UInt8]) -> Void)] = [
      ("other magic", .notACoverage, { $0[0] = 0x50 }),
      ("newer", .unsupportedVersion(2), { $0[4] = 2 }),
      ("version 0", .malformed(offset: 4), { $0[4] = 0 }),
      ("radius 0", .malformed(offset: 6), { $0.replaceSubrange(6..<10, with: [0, 0, 0, 0]) }),
      (
        "radius beyond", .malformed(offset: 6),
        { $0.replaceSubrange(6..<10, with: [255, 255, 255, 255]) }
      ),
      ("one tile fewer", .malformed(offset: bytes.count - 7), { $0[$0.count - 2] -= 1 }),
    ]
    for (name, error, change) in cases {
      #expect(throws: error, "\(name)") { try Coverage(serialized: mended(bytes, change)) }
    }
    // The number of tiles in two bytes where one is enough.
    #expect(throws: CoverageFormatError.self) {
      try Coverage(
        serialized: mended(bytes) {
          $0.replaceSubrange($0.count - 2..<$0.count - 1, with: [0x82, 0])
        })
    }
    // A tile outside the grid: nine bytes of key.
    #expect(throws: CoverageFormatError.malformed(offset: 10)) {
      try Coverage(
        serialized: mended(Coverage().serialized()) {
          $0.insert(contentsOf: [255, 255, 255, 255, 127], at: 10)
        })
    }
    // An empty tile.
    #expect(throws: CoverageFormatError.malformed(offset: 10)) {
      try Coverage(
        serialized: mended(Coverage().serialized()) {
          $0.insert(contentsOf: [1, 1, 0, 0, 0, 0, 0, 0, 0, 0], at: 10)
        })
    }
  }

  @Test(arguments: Seeds.sample(300))
  func `damage with a valid checksum never causes a crash`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var coverage = Coverage(grid: try Grid(explorationRadiusMeters: 90_000))
    for _ in 0..<6 { coverage.mark(discAround: .random(using: &random)) }
    let bytes = mended(coverage.serialized()) { body in
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        body[.random(in: 10..<body.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
    }
    do {
      let back = try Coverage(serialized: bytes)
      #expect(back.serialized() == bytes, "the bytes are the canonical form of their cells")
    } catch {
      #expect(error != .checksumMismatch)
    }
  }
}
