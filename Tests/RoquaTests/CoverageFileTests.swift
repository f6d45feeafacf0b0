import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import Roqua

/// Reading coverage files.
@Suite struct CoverageFileTests {
  /// A coverage of `tiles` tiles, half of them noise; a tile takes about 280 bytes in the file.
  private func coverage(tiles: Int) -> Coverage {
    var random = SplitMix64(seed: 5)
    var coverage = Coverage()
    for index in 0..<tiles {
      let isNoise = index % 2 == 0
      let tile = Tile(
        rows: (0..<64).map { row in isNoise ? random.next() : row == 7 ? 0xFF00 : 0 })
      coverage.insert(tile, at: Int64(index * 3 + 1))
    }
    return coverage
  }

  @Test(arguments: [0, 1, 900, 2_500])
  func `a coverage file of any length returns its tiles in order`(count: Int) throws {
    let folder = try TemporaryFolder()
    let coverage = coverage(tiles: count)
    let bytes = coverage.serialized()
    let file = try CoverageFile(path: folder.write(bytes, to: "a"))
    #expect(file.byteCount == bytes.count && file.cells == coverage.count)
    #expect(file.grid == coverage.grid)
    var found = Coverage()
    var keys: [Int64] = []
    file.forEachTile { key, tile in
      keys.append(key)
      found.insert(tile, at: key)
    }
    #expect(found == coverage && keys == coverage.tileKeys)
  }

  @Test func `a coverage file at the size limit is read, a larger one is refused`() throws {
    let folder = try TemporaryFolder()
    let bytes = coverage(tiles: 8_000).serialized()
    let path = try folder.write(bytes, to: "a")
    #expect(try CoverageFile(path: path, largestSize: bytes.count).byteCount == bytes.count)
    let error = #expect(throws: ExplorerError.self) {
      try CoverageFile(path: path, largestSize: 2 << 20)
    }
    #expect(error?.description.contains("larger than 2 MiB") == true)
    // Invalid content is reported before excessive size.
    let junk = try folder.write([UInt8](repeating: 7, count: 3 << 20), to: "b")
    let other = #expect(throws: ExplorerError.self) {
      try CoverageFile(path: junk, largestSize: 2 << 20)
    }
    #expect(other?.description.contains("not a coverage") == true)
  }
}
