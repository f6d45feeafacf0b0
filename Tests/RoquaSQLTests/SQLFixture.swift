import CSQLite
import CSQLiteCalls
import GeoStore
import Roqua
import RoquaSQL
import TestSupport
import Testing

@testable import SQLiteLayer

/// A store with the sample track from Strasbourg to Kehl, with its flights and times, and one
/// across ±180°.
final class SQLFixture {
  let folder: TemporaryFolder
  let explorer: Explorer

  init() throws {
    folder = try TemporaryFolder()
    explorer = try Explorer(storePath: folder.file("s.sqlite"))
    let samples = ["2024-09-14-strasbourg-kehl.gpx", "2024-03-20-taveuni-boat.gpx"]
    let report = try explorer.importTracks(samples.map(PackageFolder.sample))
    try #require(report.kept > 100)
  }

  /// The rows of all statements of a text.
  func rows(
    _ sql: String, _ parameters: [String: SQLValue] = [:]
  ) throws -> [[SQLValue]] {
    var rows: [[SQLValue]] = []
    var columns = 0
    try SQLSession.run(on: explorer.store, parameters: parameters) {
      (session) throws(SQLFailure) in
      try session.run(
        sql, begin: { columns = $0.columns.count },
        row: { statement in rows.append((0..<columns).map { statement.value(at: Int32($0)) }) })
    }
    return rows
  }

  /// The only value of the only row.
  func value(_ sql: String, _ parameters: [String: SQLValue] = [:]) throws -> SQLValue {
    let rows = try rows(sql, parameters)
    try #require(rows.count == 1 && rows[0].count == 1, "\(sql): \(rows.count) rows")
    return rows[0][0]
  }

  /// The message with which a text is refused; nil if it is not.
  func failure(_ sql: String, _ parameters: [String: SQLValue] = [:]) throws -> String? {
    do {
      _ = try rows(sql, parameters)
      return nil
    } catch let error as SQLFailure {
      return "\(error)"
    }
  }

  /// All kept fixes with their sources: sources in order, fixes in file order.
  func keptFixes() throws -> [(source: Int64, fix: KeptFix)] {
    var kept: [(Int64, KeptFix)] = []
    try explorer.store.read { snapshot in
      try snapshot.forEachChunkBySource { _, source, fixes in
        kept += fixes.map { (source, $0) }
      }
    }
    return kept
  }
}

extension SQLValue {
  /// The number, if it is one.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
