import ByteStreams
import Foundation
import GeoStore
import SQLiteLayer

/// One push: makes the rows of a person those of a store, in one transaction.
struct PushRun {
  let store: Store
  let connection: PostgresConnection
  let options: PushOptions

  /// How often a push is tried.
  private static let mostAttempts = 20
  /// The SQLSTATE of a push that waited for another one of the same person on a foreign partition:
  /// it cannot see there what the other one wrote, and must begin again.
  private static let serializationFailure = "40001"

  /// Pushes.
  ///
  /// - Parameter name: the name of the person.
  /// - Throws: ``PostgresError``, `DatabaseError`, `CancellationError`. Nothing has changed then,
  ///   except that a connection which is lost while the server commits does not say whether it
  ///   did; the next push finds out.
  func run(as name: String) throws -> PushReport {
    for _ in 1..<Self.mostAttempts {
      do {
        return try attempt(as: name)
      } catch PostgresError.refused(code: Self.serializationFailure, _) {
        try connection.run("ROLLBACK")
      }
    }
    return try attempt(as: name)
  }

  private func attempt(as name: String) throws -> PushReport {
    // Whatever the server's defaults are: the second of two pushes must see what the first one did.
    try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE")
    let tables = RemoteTables(connection: connection)
    let madeTables = try tables.makeIfMissing()
    let person = try RemotePerson(name, on: connection)
    let known = try person.lock()
    var report = PushReport(person: name, key: person.key)
    (report.madeTables, report.isNewPerson) = (madeTables, known == nil)
    let (state, content) = try store.read { snapshot in
      let state = try PushedStore(
        snapshot: snapshot, person: person.key,
        hasFixRows: options.fixRows ?? known?.hasFixRows ?? false)
      let content = try state.content()
      let last = try known.flatMap { try snapshot.history.pushedContent($0.mark) }
      if last == nil { try checkSources(of: person, in: snapshot) }
      if last != content || options.replacesOthers { try push(state, to: person, &report) }
      return (state, content)
    }
    let mark = PushMark.random()
    let row = try connection.run(
      """
      UPDATE roqua.people SET grid_mm = $2::integer, mark = $3::uuid, pushed_at = now(),
        fix_rows = $4::boolean, nearby = coalesce($5::boolean, nearby),
        public = coalesce($6::boolean, public)
      WHERE person = $1::bigint RETURNING nearby, public, fix_rows
      """,
      [
        "\(person.key)", "\(state.gridMillimeters)", mark, "\(state.hasFixRows)",
        options.nearby.map { "\($0)" }, options.isPublic.map { "\($0)" },
      ])
    (report.isNearby, report.isPublic) = (row[0, 0] == "t", row[0, 1] == "t")
    report.hasFixRows = row[0, 2] == "t"
    // Before the server commits, so that a push whose end nobody saw is known as this store's. A
    // store that cannot be written can be pushed too; the next push then compares the sources.
    try? store.write { session in try session.notePush(mark, content: content) }
    _ = try InterruptHook.reach(.committed) { try connection.run("COMMIT") }
    if let last = known?.mark { try? store.write { session in try session.forgetPush(last) } }
    return report
  }

  private func push(
    _ state: PushedStore, to person: RemotePerson, _ report: inout PushReport
  ) throws {
    let meter = WorkMeter.current
    meter?.begin(.pushing, of: PushedTable.all.count)
    for table in PushedTable.all {
      let changed = try TablePush(table, of: state, to: person).run()
      if changed.written + changed.deleted > 0 { report.tables.append(changed) }
      meter?.add(1)
    }
  }

  /// Throws an error if the server has sources that the store does not have, or less of one because
  /// a part of it was deleted. If this store made the last push, that was undone or forgotten here,
  /// and this is not called.
  private func checkSources(of person: RemotePerson, in snapshot: Snapshot) throws {
    if options.replacesOthers { return }
    var others = try person.sources()
    var reduced = 0
    for (_, own) in try snapshot.history.sourceRecords() {
      guard let other = others.removeValue(forKey: own.sha256) else { continue }
      if other.withheld > own.withheld || other.forgotten > own.forgotten { reduced += 1 }
    }
    if !others.isEmpty {
      throw PostgresError.otherSources(name: person.name, count: others.count)
    }
    if reduced > 0 { throw PostgresError.deletedElsewhere(name: person.name, count: reduced) }
  }
}

/// What identifies a push.
enum PushMark {
  /// A random `uuid`.
  static func random() -> String { UUID().uuidString.lowercased() }
}
