import SQLiteLayer

/// The result of verifying a store.
///
/// ```swift
/// let check = try await explorer.check()
/// for step in check.steps where step.differenceCount > 0 {
///   print(step.subject, step.differences.first ?? "")
/// }
/// print(check.isSound ? "sound" : check.canBeRepaired ? "can be repaired" : "damaged")
/// ```
public struct StoreCheck: Hashable, Sendable {
  /// The subject of a check.
  public enum Subject: String, CaseIterable, Sendable {
    /// The file: SQLite's `integrity_check`.
    case database
    /// References from rows to rows of other tables: SQLite's `foreign_key_check`, and the regions
    /// of visits and of adopted times.
    case references
    /// Tables, indexes and views, and triggers and unique indexes added by another program.
    case schema
    /// Whether deleted data is still in the file, because a program ended too soon or a reader was
    /// active.
    case erasure
    /// Privacy zones: whether each can be read.
    case zones
    /// The sources' rows compared with their kept fixes, regions, cells and reports, and whether
    /// each of these can be read.
    case sources
    /// Achievements: whether each row can be read.
    case achievements
    /// Tiles of explored cells: whether each can be read, lies on the grid and has the number of
    /// cells in its row.
    case tiles
    /// Visited regions compared with those rebuilt from the sources.
    case regions
    /// Visits, and the visits stated by adopted regions, compared with those rebuilt from the
    /// sources.
    case visits
    /// Place names compared with those that ``StoreOptions/placeNames`` returns.
    case places
    /// Explored cells compared with those rebuilt from the sources.
    case coverage
  }

  /// The check of one subject.
  public struct Step: Hashable, Sendable {
    /// The subject.
    public let subject: Subject
    /// Number of items checked: pages, sources, regions and so on.
    package internal(set) var count = 0
    /// The differences found, one line each, at most 20 of them.
    public private(set) var differences: [String] = []
    /// Number of differences found.
    public private(set) var differenceCount = 0
    /// Number of differences that ``Store/repair()`` fixes: those in derived data and in the form
    /// of the tables.
    package private(set) var mendableCount = 0
    /// Whether the subject was skipped because there is nothing to compare with: place names in a
    /// store that was opened without ``StoreOptions/placeNames``.
    package internal(set) var isSkipped = false

    init(_ subject: Subject) { self.subject = subject }

    mutating func add(_ difference: String, isMendable: Bool) {
      differenceCount += 1
      if isMendable { mendableCount += 1 }
      if differences.count < StoreCheck.differenceLimit { differences.append(difference) }
    }

    /// Whether a repair fixes all differences, or there are none.
    var canBeRepaired: Bool { differenceCount == mendableCount }
  }

  /// Maximum number of differences that a step lists; further ones are only counted.
  package static let differenceLimit = 20

  /// The checks in the order of ``Subject``. If the file is damaged, a table is missing, or the
  /// sources' data cannot be read, the checks that depend on it are left out.
  public internal(set) var steps: [Step] = []
  /// Whether only the file was checked, and not whether its tables are consistent.
  package let isQuick: Bool

  /// Whether no differences were found.
  public var isSound: Bool { steps.allSatisfy { $0.differenceCount == 0 } }
  /// Whether `Explorer.repair()` fixes all differences that were found.
  public var canBeRepaired: Bool { steps.allSatisfy(\.canBeRepaired) }
  /// Whether all damage that a rebuild cannot fix is in single sources, so that forgetting them
  /// removes it.
  package var liesInSources: Bool {
    steps.allSatisfy { $0.canBeRepaired || $0.subject == .sources || $0.subject == .tiles }
  }
}
