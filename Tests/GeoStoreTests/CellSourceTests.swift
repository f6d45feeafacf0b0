import CSQLite
import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct CellSourceTests {
  private func track(_ seed: UInt64) -> [KeptFix] {
    var random = SplitMix64(seed: seed)
    return wanderingTrack(count: 150, homes: awkwardHomes, using: &random)
  }

  private func coverage(of fixes: [KeptFix], grid: Grid = .standard) -> Coverage {
    var coverage = Coverage(grid: grid)
    coverage.mark(contentsOf: fixes.map(\.coordinate))
    return coverage
  }

  @Test func `a source of cells adds its cells once`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    try store.add(track(1), as: "one")
    let (mine, theirs) = (coverage(of: track(1)), coverage(of: track(2)))
    let changes = try store.add(theirs, as: "cells")
    let new = theirs.subtracting(mine)
    #expect(changes.cellsAdded == new.count && changes.kept == 0 && changes.regionsAdded == 0)
    #expect(abs(changes.areaAddedSquareKilometers - new.areaSquareKilometers) < 1e-9)
    #expect(try store.coverage() == mine.union(theirs))
    let own = try store.read { snapshot in try snapshot.ownCellsOfSources() }
    #expect(own == theirs)
    #expect(try store.add(theirs, as: "the same again").cellsAdded == 0)
    // The SHA-256 is unique.
    #expect(throws: DatabaseError.self) { try store.add(theirs, as: "cells") }
    #expect(try store.coverage() == mine.union(theirs))
  }

  @Test func `a rebuild keeps the cells of sources and adds those of the kept fixes`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    try store.add(coverage(of: track(2)), as: "cells")
    try store.add(track(1), as: "one")
    try store.add(coverage(of: track(3)), as: "more cells")
    let before = try store.coverage()
    let regions = try store.regions().map(\.coordinate)
    try store.write { session in try session.rebuild() }
    #expect(try store.coverage() == before)
    #expect(try store.regions().map(\.coordinate) == regions)
    // Changing a setting that affects regions also rebuilds.
    try store.write { session in try session.set(.clusteringRadiusMeters, to: 60) }
    #expect(try store.coverage() == before)
  }

  @Test
  func `cells of another radius are refused, and the radius is fixed while a source has cells`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    let store = try Store(path: path, creating: true)
    let coarse = coverage(of: track(1), grid: try Grid(explorationRadiusMeters: 200))
    let error = StoreError.gridMismatch(path: path, radiusMeters: 200, storeRadiusMeters: 150)
    #expect(throws: error) { try store.add(coarse, as: "coarse") }
    #expect(error.description.contains("150 m") && error.description.contains("200 m"))
    #expect(try store.read { snapshot in try snapshot.counts().sources } == 0)

    try store.write { session in try session.set(.explorationRadiusMeters, to: 200) }
    try store.add(coarse, as: "coarse")
    try store.add(track(2), as: "one")
    let before = try store.coverage()
    let refusal = #expect(throws: StoreError.self) {
      try store.write { session in try session.set(.explorationRadiusMeters, to: 150) }
    }
    #expect(
      refusal?.description.contains("forget those sources") == true, "the error names a solution")
    try store.write { session in try session.set(.explorationRadiusMeters, to: 200) }
    #expect(try store.coverage() == before)
  }

  @Test func `a source of cells that fails halfway leaves nothing`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    try store.add(track(1), as: "one")
    let before = try store.coverage()
    #expect(throws: DatabaseError.busy(path: "made up")) {
      try store.write { session in
        let writer = try session.beginCellSource(grid: .standard)
        for (key, tile) in coverage(of: track(2)).tiles { try writer.append(tile, at: key) }
        throw DatabaseError.busy(path: "made up")
      }
    }
    #expect(try store.coverage() == before)
    #expect(try store.read { snapshot in try snapshot.ownCellsOfSources() }.isEmpty)
  }

  @Test func `a coverage, or a part of it in a box, is serialized in pieces`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    var random = SplitMix64(seed: 9)
    // More tiles than one piece holds.
    let fixes = (0..<400).map { _ in
      let coordinate = Coordinate(
        .random(in: -80...80, using: &random), .random(in: -180...180, using: &random))
      return KeptFix(coordinate: coordinate, time: nil, accuracyMeters: nil, startsSegment: true)
    }
    try store.add(fixes, as: "one")
    let all = try store.coverage()
    let south = try BoundingBox(south: -90, west: 170, north: 0, east: -20)
    for box in [nil, south] {
      var bytes: [UInt8] = []
      var pieces = 0
      let counts = try store.read { snapshot in
        try snapshot.serializeCoverage(in: box) {
          bytes += $0
          pieces += 1
          return true
        }
      }
      let expected = box.map { all.intersection(CellBox(grid: .standard, box: $0)) } ?? all
      #expect(bytes == expected.serialized() && !expected.isEmpty)
      #expect(counts.cells == expected.count && counts.tiles == expected.tileCount)
      #expect(pieces > 1 || box != nil)
      #expect(try store.read { snapshot in try snapshot.coverage(in: box) } == expected)
    }
    // Nothing more is written after the reader stops.
    var pieces = 0
    _ = try store.read { snapshot in
      try snapshot.serializeCoverage { _ in
        pieces += 1
        return false
      }
    }
    #expect(pieces == 1)
  }

}

extension Store {
  /// Stores cells as one source.
  @discardableResult
  func add(_ coverage: Coverage, as name: String) throws -> SourceChanges {
    try write { session in
      let writer = try session.beginCellSource(grid: coverage.grid)
      for (key, tile) in coverage.tiles { try writer.append(tile, at: key) }
      return try writer.finish(.sample(name))
    }
  }
}
