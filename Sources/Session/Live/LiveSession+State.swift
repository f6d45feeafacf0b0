import Achievements
import Geodesy
import TrackIngest

extension LiveSession {
  /// What a live session is doing.
  public enum Phase: Hashable, Sendable {
    /// Fixes are taken.
    case recording
    /// Fixes are ignored until the session is resumed.
    case paused
    /// The session has ended; nothing changes it any more.
    case finished
  }

  /// Everything that a live session remembers between two actions.
  public struct State: Hashable, Sendable {
    /// What the session is doing.
    public var phase = Phase.recording
    /// The rules for fixes.
    public var rules: LiveRules
    /// The totals of the session: points, kept and dropped fixes, times, extent. Kept and dropped
    /// fixes count once they are stored.
    public var report = TrackReport()
    /// The last fix that arrived, kept or not; nil before the first one, and in a privacy zone.
    public var latestFix: Fix?
    /// The names of the place around the last kept fix; nil until they were found.
    public var place: PlaceNames?
    /// The number of visited regions that the session made.
    public var regionsDiscovered = 0
    /// The number of times that the session came into a region that was there before.
    public var regionsRevisited = 0
    /// The number of cells that the session explored first.
    public var cellsAdded = 0
    /// The area of these cells, in square kilometers.
    public var squareKilometersAdded = 0.0
    /// What is to be stored, oldest first: the first was handed over and has not been answered.
    public var unstored: [StoreRequest] = []
    /// Whether the store failed at the first of them, which is handed over again when the timer
    /// ends.
    public var isRetrying = false
    /// The seconds after which the clock must tick, counted from the last fix; nil if there is no
    /// timer.
    public var timerSeconds: Double?
    /// Whether a time was earlier than one before it.
    public var hasBackwardTime = false

    /// The number of the next request.
    var nextRequest = 1
    /// The memory of the rules.
    var judge: FixJudge

    /// Creates the state of a session that has seen no fix.
    public init(rules: LiveRules = LiveRules()) {
      self.rules = rules
      judge = FixJudge(rules: rules)
    }

    /// Compares everything but the memory of the rules, which follows from the fixes before.
    public static func == (left: State, right: State) -> Bool {
      left.phase == right.phase && left.rules == right.rules && left.report == right.report
        && left.latestFix == right.latestFix && left.place == right.place
        && left.regionsDiscovered == right.regionsDiscovered
        && left.regionsRevisited == right.regionsRevisited && left.cellsAdded == right.cellsAdded
        && left.squareKilometersAdded == right.squareKilometersAdded
        && left.unstored == right.unstored && left.isRetrying == right.isRetrying
        && left.timerSeconds == right.timerSeconds
        && left.hasBackwardTime == right.hasBackwardTime
    }

    /// Hashes the totals.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(phase)
      hasher.combine(report)
    }
  }

  /// Fixes to be stored together, in one transaction.
  public struct StoreRequest: Hashable, Sendable {
    /// Its number in the session, from 1.
    public let id: Int
    /// The verdicts, in the order of the fixes. The kept ones are to be stored.
    public var verdicts: [JudgedFix]
    /// The number of positions that arrived since the request before, kept or not.
    public var points: Int
    /// What must be changed in fixes that were stored before, first of all.
    public var corrections: [FlightCorrection]
    /// The kept fixes about which everything is certain, flights included, in order, each in one
    /// request: in this one or an earlier one they are stored. None of them is in a privacy zone.
    public var settled: [JudgedFix] = []

    /// Creates a request.
    public init(
      id: Int, verdicts: [JudgedFix], points: Int = 0, corrections: [FlightCorrection] = []
    ) {
      self.id = id
      self.verdicts = verdicts
      self.points = points
      self.corrections = corrections
    }
  }

  /// What storing a request changed.
  public struct StoreOutcome: Hashable, Sendable {
    /// The store's privacy zones in the transaction. Fixes in them were left out.
    public var zones = PrivacyZones()
    /// The number of fixes that were left out because they lie in a zone that the rules did not
    /// know.
    public var withheld = 0
    /// The regions that the fixes came into, in order.
    public var entered: [Entered] = []
    /// The number of cells that were explored first.
    public var cellsAdded = 0
    /// Their area in square kilometers.
    public var squareKilometersAdded = 0.0
    /// The places that were reached for the first time, large ones first.
    public var reached: [ReachedPlace] = []
    /// The tiers of achievements that were reached for the first time.
    public var unlocks: [AchievementUnlock] = []
    /// The achievements that came closer to their next tier, at most once each.
    public var progress: [AchievementProgress] = []

    /// A region that a fix came into.
    public struct Entered: Hashable, Sendable {
      /// The region.
      public let region: ExplorationEvent.VisitedPlace
      /// Whether the fix made it; otherwise it was there before.
      public let isNew: Bool

      /// Creates the description.
      public init(_ region: ExplorationEvent.VisitedPlace, isNew: Bool) {
        (self.region, self.isNew) = (region, isNew)
      }
    }

    /// Creates an outcome that changed nothing.
    public init() {}
  }
}
