import Geodesy

/// The changes that committed transactions made in a store.
///
/// ```swift
/// for await change in explorer.changes {
///   print(change.isIncomplete ? "draw the whole map" : "draw \(change.areas.count) areas")
/// }
/// ```
public struct StoreChange: Hashable, Sendable {
  /// Numbers of the sources that were added, or extended by a recording.
  public var sourcesChanged: Set<StoredSource.ID> = []
  /// Numbers of the sources that were forgotten.
  public var sourcesForgotten: Set<StoredSource.ID> = []
  /// Number of regions that were added.
  public var regionsAdded = 0
  /// Number of existing regions that took a fix.
  public var regionsRevisited = 0
  /// Number of cells that were explored for the first time.
  public var cellsAdded = 0
  /// The geohash cells of 4 characters, 0.18° high and 0.35° wide, in which the map changed: a
  /// region was added or changed there, or the tile of a newly explored cell touches the cell.
  public var areas: Set<Geohash> = []
  /// How the settings changed; nil if they did not.
  public var settings: SettingsChange?
  /// Whether more may have changed than is listed: after a rebuild, a deletion or changes by
  /// another process, and if the details were dropped because too many changes came at once.
  public var isIncomplete = false

  /// Creates an empty change.
  package init() {}

  /// Whether nothing changed.
  package var isEmpty: Bool { self == StoreChange() }

  /// Adds the changes made by a source.
  mutating func add(_ changes: SourceChanges, ofSource id: StoredSource.ID) {
    sourcesChanged.insert(id)
    regionsAdded += changes.regionsAdded
    regionsRevisited += changes.regionsRevisited
    cellsAdded += changes.cellsAdded
  }

  /// Maximum number of sources, and of areas, that are listed.
  static let maximumCount = 1_000

  /// Adds a later change. If any list grows beyond ``maximumCount``, the details are dropped.
  mutating func merge(_ later: StoreChange) {
    sourcesChanged.formUnion(later.sourcesChanged)
    sourcesForgotten.formUnion(later.sourcesForgotten)
    sourcesChanged.subtract(later.sourcesForgotten)
    regionsAdded += later.regionsAdded
    regionsRevisited += later.regionsRevisited
    cellsAdded += later.cellsAdded
    areas.formUnion(later.areas)
    settings.merge(later.settings)
    isIncomplete = isIncomplete || later.isIncomplete
    let count = max(sourcesChanged.count, sourcesForgotten.count, areas.count)
    guard count > Self.maximumCount else { return }
    (sourcesChanged, sourcesForgotten, areas, isIncomplete) = ([], [], [], true)
  }
}
