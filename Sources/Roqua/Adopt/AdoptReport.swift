import GeoStore

/// The stores of the Roqua app to adopt: any of its three.
///
/// ```swift
/// let request = AdoptRequest(database: "roqua.db", exploredCircles: "circles.json")
/// let report = try await explorer.adopt(request)
/// print("\(report.after.cells - report.before.cells) cells added")
/// ```
public struct AdoptRequest: Sendable {
  /// The app's database.
  package var database: String?
  /// The app's list of explored circles: JSON, `[{"latitude": …, "longitude": …}, …]`.
  package var exploredCircles: String?
  /// The app's list of visited grid hashes: JSON, `["row_column", …]`.
  package var gridHashes: String?

  /// Creates a request for the given stores.
  public init(database: String? = nil, exploredCircles: String? = nil, gridHashes: String? = nil) {
    (self.database, self.exploredCircles, self.gridHashes) = (database, exploredCircles, gridHashes)
  }
}

/// The result of adopting the app's stores.
///
/// ```swift
/// let report = try await explorer.adopt(AdoptRequest(gridHashes: "hashes.json"))
/// for part in report.parts where part.leftOutCount > 0 {
///   print("\(part.path): \(part.leftOutCount) of \(part.entries) entries left out")
/// }
/// ```
public struct AdoptReport: Sendable {
  /// A problem with a row or entry.
  package struct Problem: Hashable, Sendable {
    /// The number of the row, or the index of the entry in its list, counted from 0.
    package let index: Int64
    /// What is wrong, and how it was handled.
    package let message: String
    /// True if the row or entry was left out.
    package let isLeftOut: Bool
  }

  /// The result for one of the stores.
  public struct Part: Sendable {
    /// The path as given.
    public let path: String
    /// `roqua-app`, `explored-circles` or `grid-hashes`.
    package let format: String
    /// SHA-256 that identifies the store when it is adopted again. For a list, of the file's bytes;
    /// for a database, of the contents of its rows, since SQLite may write the same rows as
    /// different bytes.
    package internal(set) var sha256 = ""
    /// True if the store was adopted before, in which case nothing of it was taken.
    public internal(set) var isDuplicate = false
    /// The number of rows or entries.
    public internal(set) var entries = 0
    /// The number of rows or entries that were taken.
    public internal(set) var taken = 0
    /// The number of rows, entries or cells that were left out because they lie in a privacy zone.
    public internal(set) var withheld = 0
    /// The number of problems.
    package internal(set) var problemCount = 0
    /// The number of rows or entries that were left out.
    public internal(set) var leftOutCount = 0
    /// The first problems, at most `problemLimit`.
    package internal(set) var problems: [Problem] = []

    mutating func add(_ index: Int64, _ message: String, isLeftOut: Bool) {
      problemCount += 1
      if isLeftOut { leftOutCount += 1 }
      guard problems.count < AdoptReport.problemLimit else { return }
      problems.append(Problem(index: index, message: message, isLeftOut: isLeftOut))
    }
  }

  /// The maximum number of problems that a part lists; further ones are only counted.
  package static let problemLimit = 100

  /// The given stores, in this order: database, circles, hashes.
  public internal(set) var parts: [Part] = []
  /// The size of the store before.
  public let before: MaintenanceReport.Size
  /// The size of the store after.
  public internal(set) var after: MaintenanceReport.Size

  init(before: MaintenanceReport.Size) {
    self.before = before
    after = before
  }

  /// True if any row or entry was left out.
  package var isPartial: Bool { parts.contains { $0.leftOutCount > 0 } }
}

extension AdoptReport {
  /// The document that `roqua adopt --json` prints.
  package var json: JSONValue {
    ["sources": .array(parts.map(\.json)), "before": before.json, "after": after.json]
  }
}

extension AdoptReport.Part {
  var json: JSONValue {
    [
      "path": .string(path), "format": .string(format),
      "status": isDuplicate ? "duplicate" : "imported",
      "sha256": .string(sha256), "entries": .integer(entries), "taken": .integer(taken),
      "withheld": .integer(withheld),
      "leftOut": .integer(leftOutCount), "problemCount": .integer(problemCount),
      "problems": .array(
        problems.map {
          [
            "index": .integer($0.index), "message": .string($0.message),
            "leftOut": .bool($0.isLeftOut),
          ]
        }),
    ]
  }
}
