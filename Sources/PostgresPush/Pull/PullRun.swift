import GeoStore
import SQLiteLayer

/// One pull: fills a new store with what a database has of a person.
struct PullRun {
  let connection: PostgresConnection
  let store: Store

  /// Fills the store in one transaction. Regions, visits and coverage are derived again.
  ///
  /// - Parameter name: the name of the person.
  /// - Throws: ``PostgresError``, `DatabaseError`, `CancellationError`; the store is then as
  ///   before.
  func run(as name: String) throws -> PullReport {
    try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    try RemoteTables(connection: connection).check()
    let person = PulledPerson(connection: connection, key: try key(of: name))
    var report = PullReport(person: name)
    try store.write { session in
      guard try session.history.sourceRecords().isEmpty, try session.history.zoneRecords().isEmpty
      else {
        throw PostgresError.storeNotEmpty(path: store.path)
      }
      _ = try session.set(person.settings())
      let sources = try person.sources()
      var ids: [String: Int64] = [:]
      for source in sources { ids[source.sha256] = try session.insert(source) }
      let achievements = try person.achievements()
      let brought = try person.broughtData()
      var mustRebuild = try arrange(person, ids, session)
      // All is read: a server that ends idle transactions must not end this one meanwhile.
      try connection.run("COMMIT")
      for (sha256, data) in brought.sorted(by: { $0.key < $1.key }) {
        guard let id = ids[sha256] else { throw PostgresError.strayRow(of: sha256) }
        _ = try session.replaceBrought(data, ofSource: id)
        mustRebuild = true
      }
      try session.recount(ids.values.sorted())
      let inOrder = sources.compactMap { ids[$0.sha256] }
      if try session.orderBroughtRegions(bySources: inOrder) { mustRebuild = true }
      if mustRebuild { try session.rebuild() }
      try session.merge(achievements)
      report.sources = sources.count
      report.fixes = try session.history.chunks().reduce(0) { $0 + $1.count }
    }
    return report
  }

  /// The key of a person.
  private func key(of name: String) throws(PostgresError) -> Int64 {
    let found = try connection.run("SELECT person FROM roqua.people WHERE name = $1", [name])
    if let key = found[safe: 0].flatMap({ Int64($0) }) { return key }
    let known = try connection.run("SELECT name FROM roqua.people ORDER BY name LIMIT 10")
    throw .unknownPerson(name: name, known: (0..<known.count).compactMap { known[$0, 0] })
  }

  /// Stores the kept fixes. Returns whether all else must be rebuilt.
  private func arrange(
    _ person: PulledPerson, _ ids: [String: Int64], _ session: WriteSession
  ) throws -> Bool {
    var runs: [(source: Int64, chunks: Range<Int>)] = []
    for (number, sha256) in try person.chunkSources().enumerated() {
      guard let id = ids[sha256] else { throw PostgresError.strayRow(of: sha256) }
      if let last = runs.last, last.source == id {
        runs[runs.count - 1].chunks = last.chunks.lowerBound..<number + 1
      } else {
        runs.append((id, number..<number + 1))
      }
    }
    var window = ChunkWindow(person: person, end: runs.last?.chunks.upperBound ?? 0)
    return try session.arrange(
      after: 0, runs.map { ArrangedRun(source: $0.source, content: .new) }
    ) { try window.chunks(runs[$0].chunks) }.mustRebuild
  }
}

/// Fetches chunks some hundred at a time, because each question takes a way to the server and
/// back.
private struct ChunkWindow {
  let person: PulledPerson
  let end: Int
  private var start = 0
  private var held: [PackedFixes] = []

  init(person: PulledPerson, end: Int) { (self.person, self.end) = (person, end) }

  mutating func chunks(_ range: Range<Int>) throws -> [PackedFixes] {
    if range.lowerBound < start || range.upperBound > start + held.count {
      start = range.lowerBound
      held = try person.chunks(start..<max(range.upperBound, min(end, start + 512)))
      guard held.count >= range.count else { throw PostgresError.missingChunks }
    }
    return Array(held[range.lowerBound - start..<range.upperBound - start])
  }
}

extension PostgresResult {
  /// The first value of a row; nil if there is no such row.
  fileprivate subscript(safe row: Int) -> String? { row < count ? self[row, 0] : nil }
}

extension PostgresError {
  fileprivate static func strayRow(of sha256: String) -> PostgresError {
    .damaged(table: "roqua.sources", reason: "the source \(sha256.prefix(12)) is missing")
  }
  static var missingChunks: PostgresError {
    .damaged(table: "roqua.kept_fixes", reason: "chunks are missing")
  }
}
