import GeoStore

/// What is to be taken over from the Roqua app: any of its three stores.
///
/// ```swift
/// let request = AdoptRequest(database: "roqua.db", exploredCircles: "circles.json")
/// let report = try explorer.adopt(request)
/// print("\(report.after.cells - report.before.cells) cells added")
/// ```
public struct AdoptRequest: Sendable {
  /// The app's database.
  public var database: String?
  /// Its list of explored circles: JSON, `[{"latitude": …, "longitude": …}, …]`.
  public var exploredCircles: String?
  /// Its list of visited grid hashes: JSON, `["row_column", …]`.
  public var gridHashes: String?

  /// Nothing, unless given.
  public init(database: String? = nil, exploredCircles: String? = nil, gridHashes: String? = nil) {
    (self.database, self.exploredCircles, self.gridHashes) = (database, exploredCircles, gridHashes)
  }
}

/// What taking over the app's stores came to.
///
/// ```swift
/// let report = try explorer.adopt(AdoptRequest(gridHashes: "hashes.json"))
/// for part in report.parts where part.leftOutCount > 0 {
///   print("\(part.path): \(part.leftOutCount) of \(part.entries) entries left out")
/// }
/// ```
public struct AdoptReport: Sendable {
  /// Something that is not as it should be.
  public struct Problem: Hashable, Sendable {
    /// The row's number, or the entry's in its list, counted from 0.
    public let index: Int64
    /// What is wrong, and what becomes of it.
    public let message: String
    /// Whether the row or entry was left out.
    public let isLeftOut: Bool
  }

  /// One of the stores.
  public struct Part: Sendable {
    /// The path as given.
    public let path: String
    /// `roqua-app`, `explored-circles` or `grid-hashes`.
    package let format: String
    /// SHA-256 by which it is known when it comes again: of a list the file's bytes; of a database
    /// what is in its rows, since SQLite may write the same rows in other bytes.
    package internal(set) var sha256 = ""
    /// Whether it was in the store already: then nothing of it was taken.
    public internal(set) var isDuplicate = false
    /// Rows or entries.
    public internal(set) var entries = 0
    /// Those of them that were taken.
    public internal(set) var taken = 0
    /// How many problems there are.
    public internal(set) var problemCount = 0
    /// How many rows or entries were left out.
    public internal(set) var leftOutCount = 0
    /// The first of the problems, at most `problemLimit`.
    public internal(set) var problems: [Problem] = []

    mutating func add(_ index: Int64, _ message: String, isLeftOut: Bool) {
      problemCount += 1
      if isLeftOut { leftOutCount += 1 }
      guard problems.count < AdoptReport.problemLimit else { return }
      problems.append(Problem(index: index, message: message, isLeftOut: isLeftOut))
    }
  }

  /// Problems that a part lists; more are only counted.
  package static let problemLimit = 100

  /// The stores that were given: database, circles, hashes.
  public internal(set) var parts: [Part] = []
  /// The store before.
  public let before: MaintenanceReport.Size
  /// The store after.
  public internal(set) var after: MaintenanceReport.Size

  init(before: MaintenanceReport.Size) {
    self.before = before
    after = before
  }

  /// Whether some row or entry was left out.
  public var isPartial: Bool { parts.contains { $0.leftOutCount > 0 } }
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
