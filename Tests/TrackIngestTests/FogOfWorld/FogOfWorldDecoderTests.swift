import ByteStreams
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct FogOfWorldDecoderTests {
  /// A tile of some blocks, one of them with a single pixel and one full.
  private static var tile: FogOfWorldTile {
    var tile = FogOfWorldTile(number: 300 * 512 + 17)
    tile.set(x: 0, y: 0)
    tile.set(x: 64..<128, y: 0..<64)
    tile.set(x: 100..<300, y: 700..<703)
    for step in 0..<500 { tile.set(x: 8191 - step, y: 8191 - step / 2) }
    return tile
  }

  private func decode(_ bytes: [UInt8], name: String) -> TrackRecorder {
    TrackRecorder(bytes, with: FogOfWorldDecoder(path: "Sync/" + name))
  }

  private func decode(_ tile: FogOfWorldTile) -> TrackRecorder {
    decode(tile.bytes, name: tile.name)
  }

  /// Pixels by number of row and column in the world, as a set.
  private func pixels(_ recorder: TrackRecorder) -> Set<Int> {
    var found: Set<Int> = []
    for block in recorder.blocks {
      for (line, bits) in block.rows.enumerated() {
        for bit in 0..<64 where bits >> UInt64(63 - bit) & 1 == 1 {
          found.insert((block.row * 64 + line) << 22 | (block.column * 64 + bit))
        }
      }
    }
    return found
  }

  private func pixels(_ tile: FogOfWorldTile) -> Set<Int> {
    Set(tile.pixels.map { $0.y << 22 | $0.x })
  }

  @Test func `every pixel is reported at its place, in pieces of any size`() {
    let tile = Self.tile
    let recorder = expectSame(tile.bytes, inAnyPiecesWith: FogOfWorldDecoder(path: tile.name))
    #expect(recorder.error == nil)
    #expect(recorder.warnings.isEmpty)
    #expect(pixels(recorder) == pixels(tile))
    #expect(recorder.blocks.reduce(0) { $0 + $1.count } == tile.pixelCount)
    #expect(recorder.fixes.isEmpty)
  }

  @Test(arguments: Seeds.sample(30))
  func `random tiles keep their pixels`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var tile = FogOfWorldTile(number: Int.random(in: 0..<512 * 512, using: &random))
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      let x = Int.random(in: 0..<8192, using: &random)
      let y = Int.random(in: 0..<8192, using: &random)
      tile.set(x: x..<min(8192, x + 70), y: y..<min(8192, y + Int(seed)))
    }
    let recorder = decode(tile)
    #expect(recorder.error == nil)
    #expect(pixels(recorder) == pixels(tile))
  }

  @Test func `a tile with all blocks is read`() {
    var tile = FogOfWorldTile(number: 0)
    for place in 0..<128 * 128 { tile.set(x: place % 128 * 64 + 5, y: place / 128 * 64 + 9) }
    let recorder = decode(tile)
    #expect(recorder.error == nil)
    #expect(recorder.blocks.count == 16_384)
  }

  @Test func `a file cut at any byte gives complete blocks and a warning, or is refused`() {
    let tile = Self.tile
    let whole = decode(tile).blocks
    var counts: Set<Int> = []
    for length in 0..<tile.bytes.count {
      let recorder = decode(Array(tile.bytes.prefix(length)), name: tile.name)
      let blocks = recorder.blocks
      #expect(Array(whole.prefix(blocks.count)) == blocks)
      #expect((recorder.error != nil) == blocks.isEmpty, "\(length) bytes")
      if recorder.error == nil { #expect(recorder.codes == [.truncated]) }
      counts.insert(blocks.count)
    }
    #expect(counts.contains(0) && counts.contains(whole.count) && counts.count > 5)
  }

  @Test func `contents cut at any byte give complete blocks and a warning, or are refused`() {
    var tile = FogOfWorldTile(number: 5)
    for place in 0..<4 { tile.set(x: 64 * place, y: 7) }
    let expanded = tile.expanded
    for length in [0, 1, 1000, 32_767] + Array(32_768..<expanded.count) {
      let recorder = decode(Deflate.zlib(Array(expanded.prefix(length))), name: tile.name)
      let complete = max(0, length - 32_768) / 515
      #expect(recorder.blocks.count == complete)
      #expect((recorder.error?.code == .malformed) == (complete == 0))
      #expect(recorder.codes == (complete == 0 ? [] : [.truncated]))
    }
  }

  @Test func `a tile with a damaged byte is refused, or read without its end`() {
    let bytes = Self.tile.bytes
    let whole = Set(decode(Self.tile).blocks)
    var refused = 0
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x55
      let recorder = decode(damaged, name: Self.tile.name)
      if recorder.error != nil {
        refused += 1
        continue
      }
      // Without an end there is no checksum; blocks whose pixels have the stated number are taken.
      #expect(recorder.codes.contains(.truncated), "byte \(index)")
      if index > bytes.count / 2 { #expect(whole.isSuperset(of: recorder.blocks)) }
    }
    #expect(refused > bytes.count / 2)
  }

  @Test func `an endless stream behind the last block is not expanded`() {
    let tile = Self.tile
    let blanks = [UInt8](repeating: 0, count: 40_000_000)
    let recorder = decode(Deflate.zlib(tile.expanded + blanks), name: tile.name)
    #expect(recorder.codes == [.trailingJunk])
    #expect(decode(Deflate.zlib(blanks), name: tile.name).error?.code == .empty)
  }

  @Test func `a table with a block that no tile can have is refused`() {
    var bytes = Self.tile.expanded
    (bytes[0], bytes[1]) = (0x60, 0xEA)
    let error = decode(Deflate.zlib(bytes), name: Self.tile.name).error
    #expect(error?.code == .malformed)
    #expect(error?.message.contains("block 60000") == true)
  }

  @Test func `a table that names a block twice is refused`() {
    var bytes = Self.tile.expanded
    bytes[10] = 1
    #expect(decode(Deflate.zlib(bytes), name: Self.tile.name).error?.code == .malformed)
  }

  @Test func `a block without a place is skipped`() {
    var bytes = Self.tile.expanded
    let blocks = decode(Self.tile).blocks
    (bytes[0], bytes[1]) = (0, 0)  // the first block is in the northwest corner
    let recorder = decode(Deflate.zlib(bytes), name: Self.tile.name)
    #expect(recorder.error == nil)
    #expect(recorder.blocks == Array(blocks.dropFirst()))
  }

  @Test func `a tile without blocks is refused as empty`() {
    let tile = FogOfWorldTile(number: 9)
    #expect(decode(tile).error?.code == .empty)
  }

  @Test func `a wrong number of pixels is a warning`() {
    var tile = Self.tile
    tile.miscountedPlaces = [0]
    #expect(
      decode(tile).warnings.map(\.message) == [
        "A block states another number of pixels than it has; the pixels were read."
      ])
    tile.miscountedPlaces = [0, 1]
    let recorder = decode(tile)
    #expect(recorder.codes == [.malformed])
    #expect(recorder.error == nil)
    #expect(pixels(recorder) == pixels(tile))
  }

  @Test func `bytes behind the last block are ignored with a warning`() {
    let tile = Self.tile
    for bytes in [Deflate.zlib(tile.expanded + [1, 2, 3]), tile.bytes + [1, 2, 3]] {
      let recorder = expectSame(bytes, inAnyPiecesWith: FogOfWorldDecoder(path: tile.name))
      #expect(recorder.codes == [.trailingJunk])
      #expect(pixels(recorder) == pixels(tile))
    }
  }

  @Test func `a name that says nothing is a refusal that names the remedy`() {
    for name in ["tile", "a1d0jhde", "-"] {
      let recorder = decode(Self.tile.bytes, name: name)
      #expect(recorder.blocks.isEmpty)
      #expect(recorder.error?.message.contains("restore that name") == true)
    }
    #expect(decode(Self.tile.bytes, name: "4a1dhkhljjdd").error?.code == .malformed)
    let summary = TrackRecorder(
      Self.tile.bytes, with: FogOfWorldDecoder(path: "Model/~/" + Self.tile.name))
    #expect(summary.error?.message.contains("summary") == true)
  }

  @Test func `a name with a wrong beginning is a warning`() {
    var name = Self.tile.name
    name.replaceSubrange(name.startIndex...name.startIndex, with: name.hasPrefix("0") ? "1" : "0")
    let recorder = decode(Self.tile.bytes, name: name)
    #expect(recorder.codes == [.malformed])
    #expect(pixels(recorder) == pixels(Self.tile))
  }

  @Test func `the reader detects tiles by content, and damaged ones by name`() {
    let tile = Self.tile
    #expect(report(tile.bytes, path: tile.name).pixels == tile.pixelCount)
    #expect(report(tile.bytes, path: tile.name).format == .fogOfWorld)
    let damaged = Deflate.zlib([1, 2, 3])
    #expect(report(damaged, path: tile.name).format == .fogOfWorld)
    #expect(report(damaged, path: tile.name).error?.code == .malformed)
    #expect(report(damaged, path: "notes").format == nil)
    #expect(report(Array("no zlib stream".utf8), path: tile.name).format == nil)
  }

  private func report(_ bytes: [UInt8], path: String) -> TrackReport {
    var reader = TrackReader(path: path, now: readingTime)
    bytes.withUnsafeBytes { reader.read($0) }
    return reader.finish()
  }
}
