import ByteStreams
import Geodesy
import SQLiteLayer

/// A row of `sources` to be checked: its columns, and the corresponding members of the report.
struct SourceRow {
  /// Selects the rows.
  static let sql = """
    SELECT id, sha256, path, format, bytes, points, kept, first_time, \
    last_time, imported_at, report,
      (SELECT coalesce(sum(cells), 0) FROM source_tiles t WHERE t.source_id = s.id
        AND \(Connection.condition("cells", StoredRange.tileCells))), forgotten, withheld,
      highest_m, lowest_m, height_steps
    FROM sources s ORDER BY id
    """

  /// Members of a report that repeat a column, in the order of ``columns``.
  private static let reported =
    ["sha256", "path", "format", "bytes", "points", "kept", "firstTime", "lastTime"]

  let id: Int64
  private let columns: [(name: String, text: String?)]
  private let importedAt: String?
  private let hasReport: Bool
  /// The members of the report by name; the inner nil stands for null.
  private let report: [String: String?]
  private let ownCells: Int
  private let forgotten: Int64
  private let withheld: Int64
  private let hasPossibleHeights: Bool

  /// Reads a row.
  ///
  /// - Parameter reportMembers: reads a report (``StoreOptions/reportMembers``).
  init(_ row: borrowing Statement, reportMembers: ((String) -> [String: String?]?)?) {
    id = row.int64(at: 0)
    let names = ["sha256", "path", "format", "bytes", "points", "kept", "first_time", "last_time"]
    columns = names.enumerated().map { ($1, row.text(at: Int32($0) + 1)) }
    importedAt = row.text(at: 9)
    let members = reportMembers?(row.text(at: 10) ?? "")
    hasReport = members != nil || reportMembers == nil
    report = members ?? [:]
    ownCells = row.int(at: 11)
    forgotten = row.int64(at: 12)
    withheld = row.int64(at: 13)
    hasPossibleHeights = row.heights(at: 14) != nil
  }

  private func text(_ column: String) -> String? { columns.first { $0.name == column }?.text }
  private func number(_ column: String) -> Int { text(column).flatMap { Int($0) } ?? -1 }

  /// Returns the problems of the row, given the source's data in other tables: each a text that
  /// follows the source's number.
  func problems(with found: StoreChecker.Found) -> [String] {
    var problems: [String] = []
    let kept = number("kept")
    if found.fixes != kept {
      problems.append("has \(found.fixes) kept fixes, but its row says \(kept)")
    }
    let hash = text("sha256") ?? ""
    if hash.utf8.count != 64 || !hash.utf8.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil }) {
      problems.append("has no SHA-256 of 64 hexadecimal digits")
    }
    if !StoredRange.rowID.contains(id) { problems.append("has an impossible number") }
    let ranges = [
      ("bytes", StoredRange.byteCount), ("points", StoredRange.sourceCount),
      ("kept", StoredRange.sourceCount),
    ]
    for (name, range) in ranges where !range.contains(Int64(number(name))) {
      problems.append("has an impossible count: \(name) is \(text(name) ?? "NULL")")
    }
    if kept > number("points") { problems.append("has more kept fixes than points") }
    if !(0...4).contains(withheld) {
      problems.append("has an impossible mark: withheld is \(withheld)")
    }
    if !hasPossibleHeights { problems.append("has impossible heights") }
    problems += timeProblems(found.times)
    if importedAt.flatMap(Timestamp.init(iso8601:)) == nil {
      problems.append("has no valid import time")
    }
    guard hasReport else { return problems + ["has a report that is not a JSON object"] }
    for (column, member) in zip(columns, Self.reported) {
      guard let said = report[member], said ?? "" != column.text ?? "" else { continue }
      problems.append(
        "has \(column.name) \(column.text ?? "NULL"), but its report says \(said ?? "null")")
    }
    if let said = report["cells"] ?? nil, said != String(ownCells) {
      problems.append("has \(ownCells) cells of its own, but its report says \(said)")
    }
    if !StoredRange.sourceCount.contains(forgotten) {
      problems.append("has an impossible count: forgotten is \(forgotten)")
    }
    return problems
  }

  /// Checks the times of the row, which are those of all points and so must include those found.
  private func timeProblems(_ found: ClosedRange<Timestamp>?) -> [String] {
    var problems: [String] = []
    let times = ["first_time", "last_time"].map { name in
      text(name).flatMap(Timestamp.init(iso8601:))
    }
    for (name, time) in zip(["first_time", "last_time"], times)
    where time == nil && text(name) != nil {
      problems.append("has a \(name) that is not a time")
    }
    if let first = times[0], let last = times[1], first > last {
      problems.append("has a first_time after its last_time")
    }
    guard let found else { return problems }
    if times[0].map({ $0 > found.lowerBound }) ?? true {
      problems.append(
        "has first_time \(text("first_time") ?? "NULL"), but data from "
          + "\(found.lowerBound.iso8601)"
      )
    }
    if times[1].map({ $0 < found.upperBound }) ?? true {
      problems.append(
        "has last_time \(text("last_time") ?? "NULL"), but data from \(found.upperBound.iso8601)"
      )
    }
    return problems
  }
}
