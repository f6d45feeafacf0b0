import CSQLite
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Triggers and indexes that a user added to the store's tables and that reject a row in the middle
/// of an import.
@Suite struct UserTriggerTests {
  private func track(_ seed: UInt64) -> [KeptFix] {
    var random = SplitMix64(seed: seed)
    return wanderingTrack(count: 300, homes: [Coordinate(47.37, 8.54)], using: &random)
  }

  @Test(arguments: [
    """
    CREATE TRIGGER refusing BEFORE INSERT ON regions WHEN \
    (SELECT count(*) FROM regions) = 39 BEGIN \
    SELECT RAISE(ABORT, 'no'); END
    """,
    """
    CREATE TRIGGER refusing BEFORE INSERT ON regions WHEN \
    (SELECT count(*) FROM regions) = 39 BEGIN \
    SELECT RAISE(FAIL, 'no'); END
    """,
    """
    CREATE TRIGGER refusing BEFORE INSERT ON regions WHEN \
    (SELECT count(*) FROM regions) = 39 BEGIN \
    SELECT RAISE(ROLLBACK, 'no'); END
    """,
    """
    CREATE TRIGGER refusing BEFORE INSERT ON regions WHEN \
    (SELECT count(*) FROM regions) = 39 BEGIN \
    SELECT RAISE(IGNORE); END
    """,
    """
    CREATE TRIGGER refusing AFTER INSERT ON repeat_visits WHEN \
    new.region_id IN (SELECT id FROM regions WHERE made_by > 1) BEGIN \
    SELECT RAISE(FAIL, 'no'); END
    """,
    "CREATE UNIQUE INDEX refusing ON regions (visit_count, radius) WHERE made_by > 1",
  ])
  func `an import with a rejected row stores nothing, and the next one works`(sql: String) throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("store.sqlite"), creating: true)
    let whole = try Store(path: folder.file("whole.sqlite"), creating: true)
    try store.add(track(1).prefix(40).map { $0 }, as: "one")
    try whole.add(track(1).prefix(40).map { $0 }, as: "one")
    let before = try StoreContents(store)
    #expect(before.regions.count < 38)
    try store.withWriter { (writer) throws(DatabaseError) in
      // These are normally disabled. Here they represent anything that may reject a row.
      writer.soften()
      try writer.execute(sql)
    }

    // Once alone, and once as a failing part of a transaction that continues.
    let error = #expect(throws: DatabaseError.self) { try store.add(track(1), as: "two") }
    #expect((error?.sqliteFailure?.extendedCode ?? 0) & 0xFF == SQLITE_CONSTRAINT)
    #expect(error?.description.contains("\n") == false)
    try #expect(StoreContents(store) == before)
    let (refused, accepted) = (track(1), track(2).prefix(3).map { $0 })
    let end = Result {
      try store.write { session in
        let part: Void? = try? session.attempt {
          let writer = try session.beginSource()
          try writer.append(refused)
          _ = try writer.finish(.sample("two", of: refused))
        }
        #expect(part == nil)
        let writer = try session.beginSource()
        try writer.append(accepted)
        _ = try writer.finish(.sample("three", of: accepted))
      }
    }
    if case .success = end {
      try whole.add(accepted, as: "three")
    } else {
      // ROLLBACK undoes the whole transaction.
      #expect(sql.contains("ROLLBACK"))
    }
    try #expect(StoreContents(store) == StoreContents(whole))

    try store.withWriter { (writer) throws(DatabaseError) in
      try writer.execute(sql.contains("TRIGGER") ? "DROP TRIGGER refusing" : "DROP INDEX refusing")
    }
    for each in [store, whole] { try each.add(track(1), as: "two") }
    try #expect(StoreContents(store) == StoreContents(whole))
    #expect(try store.check().isSound)
  }
}
