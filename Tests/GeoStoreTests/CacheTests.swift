import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct CacheTests {
  @Test func `a large transaction frees its page cache and can still be rolled back`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("store.sqlite"), creating: true)
    try store.write { session in
      let connection = session.connection
      try connection.execute(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
        INSERT INTO kept_fixes (source_id, count, payload) SELECT 1, 1, randomblob(3900) FROM n
        """)
      #expect(connection.cacheBytes > Connection.writerCacheBytes)
      try connection.trimCache()
      #expect(connection.cacheBytes < 1 << 20)
      #expect(try connection.integer("SELECT count(*) FROM kept_fixes") == 6_000)
      let other = try store.read { snapshot in
        try snapshot.connection.integer("SELECT count(*) FROM kept_fixes")
      }
      #expect(other == 0, "flushed pages in the log are not committed")
      session.cancel()
    }
    let left = try store.read { snapshot in
      try snapshot.connection.integer("SELECT count(*) FROM kept_fixes")
    }
    #expect(left == 0)
  }

  @Test(arguments: [
    (0, 4), (100, 4), (128, 4), (256, 8), (512, 16), (100_000, 16),
  ])
  func `a cache is a 32nd of the file, within limits`(fileMegabytes: Int, expected: Int) {
    let limit = Connection.cacheLimit(
      fileBytes: Int64(fileMegabytes) << 20, least: Connection.writerCacheBytes)
    #expect(limit == expected << 20)
  }

  @Test func `a temporary database has its cache trimmed before it has a file, and after`() throws {
    let connection = try Connection.temporary(for: "temporary", format: Schema.format)
    for round in 1...2 {
      try connection.execute(
        """
        BEGIN;
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO kept_fixes (source_id, count, payload) SELECT 1, 1, randomblob(3900) FROM n
        """)
      #expect(connection.cacheBytes > Connection.writerCacheBytes)
      try connection.trimCache()
      #expect(connection.cacheBytes < 1 << 20)
      try connection.execute("COMMIT")
      #expect(try connection.integer("SELECT count(*) FROM kept_fixes") == Int64(2_000 * round))
    }
  }

  /// As for a store of a hundred thousand regions with a cache of the usual size.
  @Test func `a store larger than the cache is checked`() throws {
    let folder = try TemporaryFolder()
    var options = StoreOptions()
    options.writerCacheBytes = 0
    let store = try Store(path: folder.file("store.sqlite"), creating: true, options: options)
    var random = SplitMix64(seed: 3)
    let track = wanderingTrack(count: 300, homes: Array(awkwardHomes.prefix(2)), using: &random)
    try store.add(track, as: "track")
    let check = try store.check()
    #expect(check.isSound && !check.steps.isEmpty)
    #expect(try store.rebuild().after.visitedRegions > 10)
  }

  @Test func `trimming a small cache changes nothing`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("store.sqlite"), creating: true)
    try store.write { session in
      let before = session.connection.cacheBytes
      try session.connection.trimCache()
      #expect(before > 0)
      #expect(session.connection.cacheBytes == before)
    }
  }
}
