import Achievements
import Geodesy
import TrackIngest

/// Something that happened while a history grew. The events of one recording or import come in the
/// order in which it was stored.
///
/// Every event is published after the transaction that it is about: whoever hears of it finds it in
/// the store. The exception is a dropped fix, of which nothing is stored.
///
/// ```swift
/// for await event in explorer.events {
///   switch event {
///   case .regionDiscovered(let region): print("new region at \(region.center)")
///   case .areaGrown(_, let squareKilometers): print("+\(squareKilometers) km²")
///   case .missed(let count): print("\(count) events lost")
///   default: break
///   }
/// }
/// ```
public enum ExplorationEvent: Hashable, Sendable {
  /// A fix of a recording was kept.
  case fixKept(JudgedFix)
  /// A fix of a recording was dropped. In a privacy zone, the fix is not reported.
  case fixDropped(Fix?, DropReason)
  /// A recording made a visited region.
  case regionDiscovered(VisitedPlace)
  /// A recording came into a region that was there before, from another one.
  case regionRevisited(VisitedPlace)
  /// Cells were explored for the first time: their number, and their area in square kilometers.
  case areaGrown(cells: Int, squareKilometers: Double)
  /// A place was reached for the first time.
  case placeReached(ReachedPlace)
  /// A tier of an achievement was reached for the first time.
  case achievementUnlocked(AchievementUnlock)
  /// A recording brought an achievement closer to its next tier: by a whole unit of what it counts,
  /// or by a whole percent of the tier. A call that stores fixes publishes at most one for each
  /// achievement, and none for one that reaches a tier.
  case achievementProgressed(AchievementProgress)
  /// An import went on.
  case importProgressed(ImportStep)
  /// Events were lost because the listener was slow: their number.
  case missed(Int)

  /// A visited region, as events report it.
  public struct VisitedPlace: Hashable, Sendable {
    /// The number of the region in the store.
    public let id: Int64
    /// Its center.
    public let center: Coordinate

    /// Creates the description of a region.
    public init(id: Int64, center: Coordinate) {
      self.id = id
      self.center = center
    }
  }

  /// How far an import is.
  public struct ImportStep: Hashable, Sendable {
    /// The number of files that are begun or finished; an archive is one.
    public let filesDone: Int
    /// The number of files found so far.
    public let filesFound: Int
    /// The number of fixes that were kept.
    public let kept: Int

    /// Creates a step.
    public init(filesDone: Int, filesFound: Int, kept: Int) {
      self.filesDone = filesDone
      self.filesFound = filesFound
      self.kept = kept
    }
  }
}
