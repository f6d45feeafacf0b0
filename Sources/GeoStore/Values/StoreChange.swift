import Geodesy

/// What committed transactions changed in a store.
///
/// ```swift
/// for await change in explorer.changes {
///   print(change.isIncomplete ? "draw the whole map" : "draw \(change.areas.count) areas")
/// }
/// ```
public struct StoreChange: Hashable, Sendable {
  /// Numbers of the sources that were added, or that a recording went on with.
  public var sourcesChanged: Set<StoredSource.ID> = []
  /// Numbers of the sources that were forgotten.
  public var sourcesForgotten: Set<StoredSource.ID> = []
  /// Regions that were added.
  public var regionsAdded = 0
  /// Regions that were there before and took a fix.
  public var regionsRevisited = 0
  /// Cells that were explored for the first time.
  public var cellsAdded = 0
  /// The geohash cells of 4 characters, 0.18° high and 0.35° wide, in which something changed on
  /// the map: a region was added or changed, or the tile of a cell that was explored lies in it.
  public var areas: Set<Geohash> = []
  /// Whether more may have changed than is listed: after a rebuild or a deletion, after changes by
  /// another process, and where so many changes came at once that their details were dropped.
  public var isIncomplete = false

  /// Nothing changed.
  public init() {}

  /// Whether nothing changed.
  public var isEmpty: Bool { self == StoreChange() }

  /// Adds what a source changed.
  mutating func add(_ changes: SourceChanges, ofSource id: StoredSource.ID) {
    sourcesChanged.insert(id)
    regionsAdded += changes.regionsAdded
    regionsRevisited += changes.regionsRevisited
    cellsAdded += changes.cellsAdded
  }

  /// Sources and areas that are listed at most.
  static let maximumCount = 1_000

  /// Adds what changed after this. Where more than ``maximumCount`` details come together they are
  /// dropped.
  mutating func merge(_ later: StoreChange) {
    sourcesChanged.formUnion(later.sourcesChanged)
    sourcesForgotten.formUnion(later.sourcesForgotten)
    sourcesChanged.subtract(later.sourcesForgotten)
    regionsAdded += later.regionsAdded
    regionsRevisited += later.regionsRevisited
    cellsAdded += later.cellsAdded
    areas.formUnion(later.areas)
    isIncomplete = isIncomplete || later.isIncomplete
    let count = max(sourcesChanged.count, sourcesForgotten.count, areas.count)
    guard count > Self.maximumCount else { return }
    (sourcesChanged, sourcesForgotten, areas, isIncomplete) = ([], [], [], true)
  }
}
