import Geodesy
import GridHash
import Synchronization
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Several sources in one transaction, which share their state in memory, compared with one
/// transaction per source.
@Suite struct SeveralSourcesTests {
  /// Tracks around the same homes: each meets regions and tiles of the previous ones.
  private func tracks(_ seed: UInt64, count: Int = 6) -> [[KeptFix]] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      wanderingTrack(
        count: .random(in: 0...120, using: &random), homes: awkwardHomes, using: &random)
    }
  }

  private func add(_ fixes: [KeptFix], as name: String, to session: WriteSession)
    throws(DatabaseError)
    -> SourceChanges
  {
    let writer = try session.beginSource()
    try writer.append(fixes)
    return try writer.finish(.sample(name, of: fixes))
  }

  private func options(seed: UInt64) -> StoreOptions {
    // A clock that advances by a second with each call.
    let seconds = Mutex<Int64>(1_700_000_000)
    var options = StoreOptions(now: {
      Timestamp(
        millisecondsSince1970: seconds.withLock {
          $0 += 1
          return $0 * 1_000
        })
    })
    // Windows that are emptied within a source, at its end, and never.
    options.regionWindowCapacity = [7, 60, RegionWriter.windowCapacity][Int(seed % 3)]
    return options
  }

  /// The sources that created and last changed each region of a store.
  private func moments(_ store: Store) throws -> [[String?]] {
    try store.read { snapshot in
      let select = try Statement(
        "SELECT made_by, changed_by FROM regions ORDER BY id", on: snapshot.connection)
      var moments: [[String?]] = []
      while try select.step() { moments.append([select.text(at: 0), select.text(at: 1)]) }
      return moments
    }
  }

  @Test(arguments: Seeds.sample(6))
  func `importing sources in one transaction equals importing them one by one`(seed: UInt64)
    throws
  {
    let folder = try TemporaryFolder()
    let alone = try Store(
      path: folder.file("alone.sqlite"), creating: true, options: options(seed: seed))
    let together = try Store(
      path: folder.file("together.sqlite"), creating: true, options: options(seed: seed))
    let tracks = tracks(seed)
    var expected: [SourceChanges] = []
    for (index, track) in tracks.enumerated() {
      try alone.write { session in
        expected.append(try add(track, as: "\(index)", to: session))
      }
    }
    let changes = try together.write { session in
      var changes: [SourceChanges] = []
      for (index, track) in tracks.enumerated() {
        changes.append(try add(track, as: "\(index)", to: session))
      }
      return changes
    }
    #expect(changes == expected)
    #expect(expected.contains { $0.regionsRevisited > 0 })
    try #expect(StoreContents(together) == StoreContents(alone))
    #expect(try together.regions() == alone.regions())
    #expect(try moments(together) == moments(alone))
    try #expect(moments(alone).count == alone.regions().count)
    #expect(try together.check().isSound)
  }

  @Test func `sources of one transaction share their tables`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("store.sqlite"), creating: true)
    let tracks = tracks(3).filter { !$0.isEmpty }
    func tables(_ number: Int, _ session: WriteSession) throws(DatabaseError) -> DerivedTables? {
      let writer = try session.beginSource()
      try writer.append(tracks[number])
      _ = try writer.finish(.sample("\(number)", of: tracks[number]))
      return writer.tables
    }
    try store.write { session in
      let first = try tables(0, session)
      let second = try tables(1, session)
      #expect(first != nil && second === first)
    }
  }

  /// An operation between two sources of a transaction.
  enum Between: CaseIterable {
    case forgotten, anotherGap, anotherRadius, rebuilt, undoneSource, openSource, ownCells
  }

  private func step(_ between: Between, _ session: WriteSession) throws {
    switch between {
    case .forgotten: _ = try session.forget(sources: ["1"])
    case .anotherGap: try session.set(.visitGapMinutes, to: 5)
    case .anotherRadius: try session.set(.clusteringRadiusMeters, to: 120)
    case .rebuilt: try session.rebuild()
    case .openSource: _ = try session.beginSource()
    case .ownCells:
      var cells = Coverage(grid: session.settings.grid)
      let writer = try session.beginCellSource(grid: cells.grid)
      for fix in tracks(4)[2] { cells.mark(discAround: fix.coordinate) }
      for (key, tile) in cells.tiles { try writer.append(tile, at: key) }
      _ = try writer.finish(.sample("cells"))
    case .undoneSource:
      let fixes = tracks(4)[2]
      do {
        try session.attempt {
          _ = try add(fixes, as: "undone", to: session)
          throw DatabaseError.busy(path: "made up")
        }
      } catch {
        #expect(error as? DatabaseError == .busy(path: "made up"))
      }
    }
  }

  @Test(arguments: Between.allCases, Seeds.sample(3))
  func `a source sees what happened before it in the same transaction`(
    between: Between, seed: UInt64
  )
    throws
  {
    // Run the operation before the second source begins, and before it writes. A source of cells
    // cannot end inside another source.
    for isBegun in between == .ownCells ? [false] : [false, true] {
      try compare(between, seed, isBegun: isBegun)
    }
  }

  private func compare(_ between: Between, _ seed: UInt64, isBegun: Bool) throws {
    let folder = try TemporaryFolder()
    let alone = try Store(
      path: folder.file("alone.sqlite"), creating: true, options: options(seed: seed))
    let together = try Store(
      path: folder.file("together.sqlite"), creating: true, options: options(seed: seed))
    // The last source covers the area of the first two and of one that was rolled back.
    let new = tracks(4)[2]
    let (one, two) = (tracks(seed, count: 3)[1] + tracks(4)[1], tracks(seed, count: 3)[2])
    func take(_ number: Int, _ session: WriteSession) throws {
      switch number {
      case 0: _ = try add(one, as: "one", to: session)
      case 1: _ = try add(two, as: "two", to: session)
      case 2 where isBegun:
        let writer = try session.beginSource()
        try step(between, session)
        try writer.append(two + one + new)
        _ = try writer.finish(.sample("three", of: two + one + new))
      case 2: try step(between, session)
      case 3 where isBegun: break
      default: _ = try add(two + one + new, as: "three", to: session)
      }
    }
    for number in 0..<4 { try alone.write { session in try take(number, session) } }
    try together.write { session in
      for number in 0..<4 { try take(number, session) }
    }
    try #expect(StoreContents(together) == StoreContents(alone))
    // Erasing forgotten data is still pending.
    #expect(together.erase(isRewriting: true))
    #expect(try together.check().isSound)
  }
}
