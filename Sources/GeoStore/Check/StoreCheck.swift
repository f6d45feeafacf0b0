/// What a look over a whole store came to.
public struct StoreCheck: Hashable, Sendable {
  /// What was looked at.
  public enum Subject: String, CaseIterable, Sendable {
    /// The file: SQLite's `integrity_check`.
    case database
    /// Rows that name a row of another table: SQLite's `foreign_key_check`.
    case references
    /// Tables and indexes, those of the Roqua app among them.
    case schema
    /// The sources' counts against their kept fixes, and whether each chunk can be read.
    case sources
    /// Tiles of explored cells: whether each can be read, lies on the grid and has as many cells as its row says.
    case tiles
    /// Visited regions against those that the sources give.
    case regions
    /// Visits against those that the sources give.
    case visits
    /// Explored cells against those that the sources give.
    case coverage

    /// Whether ``WriteSession/rebuild()`` mends what is wrong.
    public var isDerived: Bool { self == .regions || self == .visits || self == .coverage }
  }

  /// One subject.
  public struct Step: Hashable, Sendable {
    /// What was looked at.
    public let subject: Subject
    /// How many of its things: pages, sources, regions.
    public internal(set) var count = 0
    /// What is not as it should be, a line each, at most ``differenceLimit`` of them.
    public private(set) var differences: [String] = []
    /// How much is not as it should be.
    public private(set) var differenceCount = 0

    init(_ subject: Subject) { self.subject = subject }

    mutating func add(_ difference: String) {
      differenceCount += 1
      if differences.count < StoreCheck.differenceLimit { differences.append(difference) }
    }
  }

  /// Differences that a step lists; more are only counted.
  public static let differenceLimit = 20

  /// What was looked at, in the order of ``Subject``. Where the file is damaged, or what the sources hold cannot be
  /// read, what would follow from it is not looked at.
  public internal(set) var steps: [Step] = []
  /// Whether only the file was looked at, and not whether its tables agree.
  public let isQuick: Bool

  /// Whether all is as it should be.
  public var isSound: Bool { steps.allSatisfy { $0.differenceCount == 0 } }
  /// Whether all that is wrong follows from the sources, so that a rebuild mends it.
  public var canBeRebuilt: Bool { steps.allSatisfy { $0.differenceCount == 0 || $0.subject.isDerived } }
}

extension Store {
  /// Looks over the whole store, in one unchanging state of it, and changes nothing.
  ///
  /// Regions, visits and coverage are built anew in a temporary database, which SQLite keeps in a file without a name and
  /// deletes, and compared. Names of places are not: they are those of the data that were bundled when a region was
  /// made.
  ///
  /// - Parameter isQuick: whether to leave out all but SQLite's own checks and the tables' form.
  /// - Complexity: O(store). Other programs may read and write meanwhile; the write-ahead log cannot be emptied.
  /// - Throws: ``StoreError`` where the store cannot be read at all; damage that SQLite meets is a difference.
  public func check(isQuick: Bool = false) throws(StoreError) -> StoreCheck {
    try read { (snapshot) throws(StoreError) in
      try StoreChecker(snapshot: snapshot, options: options, isQuick: isQuick).run()
    }
  }
}
