import Geodesy
import TestSupport
import Testing

@testable import GridHash

/// Reading a serialized coverage as its bytes arrive.
@Suite struct CoverageStreamTests {
  /// Reads a stream in pieces. Returns the result and the number of bytes read before the end or an
  /// error.
  private func read(
    _ bytes: [UInt8], pieces: Int = .max
  ) -> (result: Result<Coverage, CoverageFormatError>, given: Int) {
    var reader = CoverageStreamReader()
    var coverage: Coverage?
    var given = 0
    do throws(CoverageFormatError) {
      while given < bytes.count {
        let piece = Array(bytes[given...].prefix(pieces))
        given += piece.count
        piece.withUnsafeBytes { reader.append($0) }
        while let (key, tile) = try reader.next() {
          if coverage == nil { coverage = reader.grid.map { Coverage(grid: $0) } }
          coverage?.insert(tile, at: key)
        }
      }
      try reader.finish()
      #expect(reader.cellCount == coverage?.count ?? 0)
      return (.success(coverage ?? Coverage(grid: reader.grid ?? .standard)), given)
    } catch {
      return (.failure(error), given)
    }
  }

  private func sample(_ seed: UInt64, fixes: Int = 60) throws -> Coverage {
    var random = SplitMix64(seed: seed)
    var coverage = Coverage(grid: try Grid(explorationRadiusMeters: seed % 2 == 0 ? 150 : 5_000))
    coverage.mark(contentsOf: track(fixes, using: &random))
    // Noise is stored uncompressed, in the long form.
    let noise = Tile(rows: (0..<64).map { _ in random.next() })
    coverage.insert(noise, at: 3)
    return coverage
  }

  @Test(arguments: Seeds.sample(8), [1, 3, 17, 600, .max])
  func `a stream in pieces of any size returns the coverage`(seed: UInt64, pieces: Int) throws {
    let coverage = try sample(seed)
    #expect(read(coverage.serialized(), pieces: pieces).result == .success(coverage))
    #expect(read(Coverage().serialized(), pieces: pieces).result == .success(Coverage()))
  }

  @Test func `a stream that ends early is reported as truncated, wherever it ends`() throws {
    let bytes = try sample(1, fixes: 5).serialized()
    #expect(read([]).result == .failure(.notACoverage))
    for length in 1..<bytes.count {
      #expect(
        read(Array(bytes[..<length]), pieces: 64).result == .failure(.truncated), "\(length)")
    }
  }

  @Test func `any flipped bit and any extra byte is refused`() throws {
    let bytes = try sample(2, fixes: 5).serialized()
    for bit in 0..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: CoverageFormatError.self, "bit \(bit)") {
        try read(changed, pieces: 100).result.get()
      }
    }
    for pieces in [1, .max] {
      #expect(
        read(bytes + [0], pieces: pieces).result == .failure(.malformed(offset: bytes.count)))
    }
  }

  @Test func `the first wrong byte is refused, and nothing after it is read`() throws {
    let bytes = Coverage([Cell(row: 100, column: 100), Cell(row: 100, column: 1000)]).serialized()
    // At each place a byte that is never valid there, followed by many more.
    let cases: [(place: Int, byte: UInt8, error: CoverageFormatError)] = [
      (0, 0x50, .notACoverage), (2, 0x50, .notACoverage),
      (5, 1, .unsupportedVersion(257)),
      (9, 255, .malformed(offset: 6)),  // a radius of 4,000 km
      (12, 3, .malformed(offset: 12)),  // no such kind of tile
      (22, 0xA4, .malformed(offset: 22)),  // the same place twice
      (25, 3, .malformed(offset: 25)),
      (38, 3, .malformed(offset: 37)),  // three tiles
      (43, 0xFF, .checksumMismatch),
    ]
    for (place, byte, error) in cases {
      var stream = bytes
      stream[place] = byte
      stream += [UInt8](repeating: 0, count: 10_000)
      let (result, given) = read(stream, pieces: 1)
      #expect(result == .failure(error), "byte \(place)")
      #expect(given <= max(6, place + 1), "byte \(place) was known at \(given)")
    }
    // An empty tile, and a tile outside the grid.
    for insertion in [[1, 1, 0, 0, 0, 0, 0, 0, 0, 0], [255, 255, 255, 255, 127]] as [[UInt8]] {
      var stream = Coverage().serialized()
      stream.insert(contentsOf: insertion, at: 10)
      let (result, given) = read(stream + [UInt8](repeating: 0, count: 10_000), pieces: 1)
      #expect(throws: CoverageFormatError.malformed(offset: 10)) { try result.get() }
      #expect(given <= 10 + insertion.count)
    }
  }

  @Test(arguments: Seeds.sample(200))
  func `the stream reader and the whole-file reader accept the same bytes`(
    seed: UInt64
  )
    throws
  {
    var random = SplitMix64(seed: seed)
    var coverage = Coverage(grid: try Grid(explorationRadiusMeters: 90_000))
    for _ in 0..<6 { coverage.mark(discAround: .random(using: &random)) }
    var body = Array(coverage.serialized().dropLast(4))
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      body[.random(in: 10..<body.count, using: &random)] = .random(in: 0...255, using: &random)
    }
    let bytes = body + withUnsafeBytes(of: CRC32C.checksum(body).littleEndian) { Array($0) }
    let whole = try? Coverage(serialized: bytes)
    let streamed = try? read(bytes, pieces: .random(in: 1...300, using: &random)).result.get()
    #expect(whole == streamed)
  }
}
