import SQLiteLayer

/// What a look over a whole store came to.
///
/// ```swift
/// let check = try await explorer.check()
/// for step in check.steps where step.differenceCount > 0 {
///   print(step.subject, step.differences.first ?? "")
/// }
/// print(check.isSound ? "sound" : check.canBeRepaired ? "can be repaired" : "damaged")
/// ```
public struct StoreCheck: Hashable, Sendable {
  /// What was looked at.
  public enum Subject: String, CaseIterable, Sendable {
    /// The file: SQLite's `integrity_check`.
    case database
    /// Rows that name a row of another table: SQLite's `foreign_key_check`.
    case references
    /// Tables, indexes and views, and triggers and unique indexes that another program added.
    case schema
    /// Whether deleted data is still in the file, because a program ended too soon or a reader
    /// was active.
    case erasure
    /// The sources' rows against their kept fixes, regions, cells and reports, and whether each of
    /// these can be read.
    case sources
    /// Tiles of explored cells: whether each can be read, lies on the grid and has as many cells as
    /// its row says.
    case tiles
    /// Visited regions against those that the sources give.
    case regions
    /// Visits, and what adopted regions state of visits, against those that the sources give.
    case visits
    /// Names of places against those that the options' ``StoreOptions/placeNames`` give.
    case places
    /// Explored cells against those that the sources give.
    case coverage
  }

  /// One subject.
  public struct Step: Hashable, Sendable {
    /// What was looked at.
    public let subject: Subject
    /// How many of its things: pages, sources, regions.
    public internal(set) var count = 0
    /// What is not as it should be, a line each, at most `differenceLimit` of them.
    public private(set) var differences: [String] = []
    /// How much is not as it should be.
    public private(set) var differenceCount = 0
    /// How much of that ``Store/repair()`` puts right: what follows from the sources, and the form
    /// of the tables.
    package private(set) var mendableCount = 0
    /// Whether it was not looked at, since there is nothing to compare with: names of places in a
    /// store that was opened without ``StoreOptions/placeNames``.
    package internal(set) var isSkipped = false

    init(_ subject: Subject) { self.subject = subject }

    mutating func add(_ difference: String, isMendable: Bool) {
      differenceCount += 1
      if isMendable { mendableCount += 1 }
      if differences.count < StoreCheck.differenceLimit { differences.append(difference) }
    }

    /// Whether a repair puts all right that is wrong, or nothing is.
    var canBeRepaired: Bool { differenceCount == mendableCount }
  }

  /// Differences that a step lists; more are only counted.
  package static let differenceLimit = 20

  /// What was looked at, in the order of ``Subject``. Where the file is damaged, a table is
  /// missing, or what the sources hold cannot be read, what would follow from it is not looked at.
  public internal(set) var steps: [Step] = []
  /// Whether only the file was looked at, and not whether its tables agree.
  public let isQuick: Bool

  /// Whether all is as it should be.
  public var isSound: Bool { steps.allSatisfy { $0.differenceCount == 0 } }
  /// Whether `Store.repair()` puts all right that is wrong, as far as was looked.
  public var canBeRepaired: Bool { steps.allSatisfy(\.canBeRepaired) }
  /// Whether what a rebuild does not mend lies in single sources, so that it ends when they are
  /// forgotten.
  package var liesInSources: Bool {
    steps.allSatisfy { $0.canBeRepaired || $0.subject == .sources || $0.subject == .tiles }
  }
}
