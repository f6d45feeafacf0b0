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
    defer { busy.resume() }
    try store.write { session in
      let before = try StoreBefore(session, on: busy)
      defer { before.stop() }
      #expect(try before.size.value() == session.connection.derivedSize())
      // The uses of places are not worth it.
      #expect(try before.placeUses.valueIfBegun() == nil)
      let unwanted = try StoreBefore(session, on: busy)
      unwanted.stop()
    }
    #expect(try store.check().isSound)
  }

  /// A value that takes forever, as soon as a thread computes it.
  private func endless(_ session: WriteSession) -> ValueBefore<Int64?> {
    let begun = DispatchSemaphore(value: 0)
    let value = ValueBefore(
      session.readers, on: DispatchQueue(label: "endless")
    ) { (reader) throws(DatabaseError) in
      begun.signal()
      return try reader.integer(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT count(*) FROM n
        """)
    }
    begun.wait()
    return value
  }

  @Test(.timeLimit(.minutes(60)))
  func `what is computed is broken off once nobody wants it`() throws {
    try store.write { session in endless(session).stop() }
    let cancellation = Cancellation()
    #expect(throws: DatabaseError.interrupted(path: store.path)) {
      try Cancellation.$current.withValue(cancellation) {
        try store.write { session in
          let value = endless(session)
          defer { value.stop() }
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { cancellation.cancel() }
          _ = try value.value()
        }
      }
    }
  }

  /// Regions so far apart that only the counts, or the numbers of added regions, tell.
  @Test func `a place stays if a region elsewhere has it, or an added one`() throws {
    let (gone, far, added) = (Int64(1) << 50, Int64(2) << 50, Int64(3) << 50)
    for (others, isAdded) in [([], false), ([], true), ([far], false)] as [([Int64], Bool)] {
      try store.write { session in
        session.cancel()
        let connection = session.connection
        func insert(_ region: Int64) throws {
          try connection.execute(
            """
            INSERT INTO regions (id, latitude_e7, longitude_e7, place_id, radius, visit_count,
              made_by, changed_by) VALUES (\(region), 0, 0, 77, 150, 1, 1, 1)
            """)
        }
        try connection.execute("INSERT INTO places (id, city) VALUES (77, 'A')")
        for region in [gone] + others { try insert(region) }
        let uses = try PlaceUses(in: connection)
        try connection.execute("DELETE FROM regions WHERE id = \(gone)")
        if isAdded { try insert(added) }
        var lost = LostPlaces()
        lost.add(77, of: gone)
        try lost.delete(in: connection, added: isAdded ? [added] : []) { uses }
        let left = try connection.integer("SELECT count(*) FROM places WHERE id = 77")
        #expect((left == 1) == (isAdded || !others.isEmpty))
      }
    }
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
