import Geodesy
import TestSupport
import Testing

@testable import GridHash

/// A store of tiles whose writes can fail.
private final class Shelf {
  struct Full: Error {}

  var tiles: [Int64: [UInt8]] = [:]
  var loads: [Int64] = []
  var saves: [Int64] = []
  var savesLeft = Int.max

  func load(_ key: Int64) throws(CoverageFormatError) -> Tile? {
    loads.append(key)
    guard let bytes = tiles[key] else { return nil }
    return try Tile(serialized: bytes)
  }

  func save(_ key: Int64, _ tile: Tile) throws {
    if savesLeft == 0 { throw Full() }
    savesLeft -= 1
    saves.append(key)
    tiles[key] = tile.serialized()
  }

  var coverage: Coverage {
    get throws {
      var coverage = Coverage()
      for (key, bytes) in tiles { coverage.insert(try Tile(serialized: bytes), at: key) }
      return coverage
    }
  }
}

@Suite struct EditorTests {
  @Test(arguments: [1, 3, 5, 10_000])
  func `editing a store in parts gives the same result as editing all in memory`(maximumTiles: Int)
    throws
  {
    var random = SplitMix64(seed: UInt64(maximumTiles))
    let fixes = track(400, using: &random)
    let shelf = Shelf()
    var editor = CoverageEditor(grid: .standard, maximumTiles: maximumTiles)
    var new = Coverage()
    var flushes = 0
    for fix in fixes + fixes.reversed() {
      editor.mark(discAround: fix)
      if editor.needsFlush {
        let added = try editor.flush(load: shelf.load, save: shelf.save)
        #expect(new.intersection(added).isEmpty, "a cell is new once")
        new.formUnion(added)
        flushes += 1
        #expect(editor.pending.isEmpty)
      }
    }
    new.formUnion(try editor.flush(load: shelf.load, save: shelf.save))
    var expected = Coverage()
    expected.mark(contentsOf: fixes)
    #expect(new == expected)
    #expect(try shelf.coverage == expected)
    #expect((flushes > 0) == (maximumTiles < 100))
  }

  @Test func `only changed tiles are written, in the order of their keys`() throws {
    var random = SplitMix64(seed: 3)
    let fixes = track(300, using: &random)
    let shelf = Shelf()
    var editor = CoverageEditor(grid: .standard)
    fixes.withUnsafeBufferPointer { editor.mark(contentsOf: $0) }
    _ = try editor.flush(load: shelf.load, save: shelf.save)
    #expect(shelf.saves == shelf.saves.sorted() && shelf.saves == shelf.loads)
    shelf.saves = []
    var coverage = Coverage()
    coverage.mark(contentsOf: fixes)
    editor.add(coverage)
    #expect(try editor.flush(load: shelf.load, save: shelf.save).isEmpty)
    #expect(shelf.saves.isEmpty)
  }

  @Test func `a failed flush can be repeated`() throws {
    var random = SplitMix64(seed: 2)
    let fixes = track(300, using: &random)
    let shelf = Shelf()
    var editor = CoverageEditor(grid: .standard)
    fixes.withUnsafeBufferPointer { editor.mark(contentsOf: $0) }
    let pending = editor.pending
    shelf.savesLeft = 1
    #expect(throws: Shelf.Full.self) { _ = try editor.flush(load: shelf.load, save: shelf.save) }
    #expect(editor.pending == pending)
    shelf.tiles = [:]  // simulates a store that rolls back
    shelf.savesLeft = .max
    #expect(try editor.flush(load: shelf.load, save: shelf.save) == pending)
    #expect(try shelf.coverage == pending)
  }
}

@Suite struct NewlyExploredTests {
  @Test func `each cell counts for the period in which it was first explored`() throws {
    var random = SplitMix64(seed: 21)
    let one = track(120, using: &random)
    let two = track(80, using: &random)
    var ground = NewlyExplored<Int>(grid: .standard)
    for fix in one { ground.mark(discAround: fix, in: 2020) }
    for fix in one + two { ground.mark(discAround: fix, in: 2021) }
    for fix in two { ground.mark(discAround: fix, in: 2022) }
    let undated = track(10, using: &random)
    for fix in undated + one { ground.mark(discAround: fix, in: nil) }

    var first = Coverage()
    first.mark(contentsOf: one)
    var second = Coverage()
    second.mark(contentsOf: two)
    let secondOnly = second.subtracting(first)
    #expect(ground.gains.keys.count == 3, "no cell was first explored in 2022")
    #expect(ground.gains[2020]?.cells == first.count)
    #expect(ground.gains[2021]?.cells == secondOnly.count)
    #expect(ground.gains.values.reduce(0) { $0 + $1.cells } == ground.coverage.count)
    let area = ground.gains.values.reduce(0.0) { $0 + $1.areaSquareMeters }
    #expect(abs(area / ground.coverage.areaSquareMeters - 1) < 1e-12)
    #expect(abs((ground.gains[2020]?.areaSquareMeters ?? 0) / first.areaSquareMeters - 1) < 1e-12)
    #expect(ground.gains[nil].map { $0.cells > 0 } == true)

    var beyond = NewlyExplored<Int>(beyond: first)
    for fix in one + two { beyond.mark(discAround: fix, in: 1) }
    #expect(
      beyond.gains == [
        1: CoverageGain(
          cells: secondOnly.count, areaSquareMeters: beyond.gains[1]?.areaSquareMeters ?? 0)
      ])
  }

  @Test func `periods may alternate`() throws {
    var random = SplitMix64(seed: 22)
    let fixes = track(90, using: &random)
    var ground = NewlyExplored<Bool>(grid: .standard)
    for (index, fix) in fixes.enumerated() { ground.mark(discAround: fix, in: index % 2 == 0) }
    #expect(ground.gains.values.reduce(0) { $0 + $1.cells } == ground.coverage.count)
    #expect(ground.gains.count == 2)
  }
}
