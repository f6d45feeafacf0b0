import Dispatch
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Counting the store on another thread before a deletion.
@Suite struct StoreBeforeTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(path: folder.file("s.sqlite"), creating: true, options: StoreOptions())
    var random = SplitMix64(seed: 7)
    let track = wanderingTrack(count: 200, homes: Array(awkwardHomes.prefix(1)), using: &random)
    try store.add(track, as: "track")
  }

  @Test func `the count is that of the session`() throws {
    try store.write { session in
      let before = try StoreBefore(session)
      defer { before.stop() }
      let expected = try session.connection.derivedSize()
      #expect(expected.visitedRegions > 10 && expected.cells > 100)
      #expect(try before.size.value() == expected)
      // Asked again, it is the same, also when the session has changed the store since.
      _ = try session.forget(ids: [1])
      #expect(try before.size.value() == expected)
      #expect(try StoreBefore(session).size.value().visitedRegions == 0)
    }
  }

  @Test func `the uses of each place are those of the rows`() throws {
    let store = try storeOfSmallPlaces(seed: 3)
    try store.write { session in
      let before = try StoreBefore(session)
      defer { before.stop() }
      let uses = try #require(try before.placeUses.value())
      let select = try Statement(
        "SELECT id, (SELECT count(*) FROM regions WHERE place_id = p.id) FROM places p",
        on: session.connection)
      var places = 0
      while try select.step() {
        #expect(uses[select.int64(at: 0)] == Int(select.int64(at: 1)))
        places += 1
      }
      #expect(places > 10)
      #expect(uses[0] == 0 && uses[-1] == 0 && uses[Int64.max] == 0)
      // Numbers that no store has are not counted.
      try session.connection.execute("INSERT INTO places (id) VALUES (-5)")
      #expect(try PlaceUses(in: session.connection) == nil)
      session.cancel()
    }
  }

  /// In a session that has changed something, nobody knows the uses of places, and the regions are
  /// searched instead.
  @Test(arguments: Seeds.sample(4, of: 16))
  func `the same places stay whether or not their uses are known`(seed: UInt64) throws {
    let store = try storeOfSmallPlaces(seed: seed)
    for source in [[1], [2], [3], [1, 3]] as [[Int64]] {
      var left: [[String]] = []
      for isChanged in [false, true] {
        try store.write { session in
          session.cancel()
          if isChanged { try session.connection.execute("UPDATE revision SET only = only") }
          let before = try StoreBefore(session)
          defer { before.stop() }
          #expect(try (before.placeUses.value() == nil) == isChanged)
          _ = try session.forget(ids: source)
          let select = try Statement(
            "SELECT json_array(id, city) FROM places ORDER BY id", on: session.connection)
          var places: [String] = []
          while try select.step() { places.append(select.text(at: 0) ?? "") }
          left.append(places)
          #expect(
            try session.connection.integer(
              "SELECT count(*) FROM places WHERE id NOT IN (SELECT place_id FROM regions)") == 0)
        }
      }
      #expect(left[0] == left[1] && !left[0].isEmpty)
    }
  }

  /// Three sources that cross, with a place for every 400 m, many of which only one source has.
  private func storeOfSmallPlaces(seed: UInt64) throws -> Store {
    let options = StoreOptions(placeNames: {
      PlaceNames(country: "X", city: "\($0.latitudeE7 / 40_000) \($0.longitudeE7 / 40_000)")
    })
    let store = try Store(path: folder.file("\(seed).sqlite"), creating: true, options: options)
    var random = SplitMix64(seed: seed)
    for index in 0..<3 {
      let track = wanderingTrack(
        count: 90, homes: Array(awkwardHomes.prefix(2)), strideMeters: 150, using: &random)
      try store.add(track, as: "\(index)")
    }
    return store
  }

  @Test func `if no thread is free, the one that asks counts`() throws {
    let busy = DispatchQueue(label: "busy")
    busy.suspend()
    try store.write { session in
      let before = try StoreBefore(session, on: busy)
      #expect(try before.size.value() == session.connection.derivedSize())
      let unwanted = try StoreBefore(session, on: busy)
      unwanted.stop()
    }
    busy.resume()
    busy.sync {}
    #expect(try store.check().isSound)
  }

  @Test func `a canceled count is an error, and a deletion then changes nothing`() throws {
    let before = try StoreContents(store)
    let cancellation = Cancellation()
    #expect(throws: (any Error).self) {
      try Cancellation.$current.withValue(cancellation) {
        try store.write { session in
          cancellation.cancel()
          _ = try session.forget(ids: [1])
        }
      }
    }
    #expect(try StoreContents(store) == before)
  }
}
