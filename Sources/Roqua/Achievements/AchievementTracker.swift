import Achievements
import GeoStore
import Geocode
import Geodesy

/// Follows the achievements of a recording, fix by fix.
///
/// A value without a store: it begins with what the store contains
/// (`Explorer.achievementTracker(_:)`), takes kept fixes, and returns the tiers that they reach.
/// Pass those to `Explorer.give(_:)`, which stores them and returns the ones that are new.
///
/// ```swift
/// var tracker = try explorer.achievementTracker()
/// let kept = KeptFix(coordinate: here, time: now, accuracyMeters: 8, startsSegment: true)
/// for unlock in tracker.push(kept, ofSource: 7, areaAddedSquareKilometers: 0.02) {
///   print(unlock.achievementID, unlock.tier)
/// }
/// for progress in tracker.takeProgress() { print(progress.achievementID, progress.share) }
/// ```
///
/// It does not learn of data that is deleted from the store: get another one then. The shares of
/// countries and cities are not followed: they are known after the next
/// `Explorer.achievements(_:custom:)`.
package struct AchievementTracker: Sendable {
  /// The fixes with a time.
  private var dated: Chronicle
  /// The same fixes and those without a time; nil if all have one.
  private var present: Chronicle?
  private var watch: UnlockWatch
  private var progressWatch = ProgressWatch()
  private var finder: FactFinder
  /// The achievements of height and of explored area, with the tiers that are not reached.
  private var heights: [(achievement: Achievement, tiers: ArraySlice<Double>)] = []
  private var areas: [(achievement: Achievement, tiers: ArraySlice<Double>)] = []
  private let kinds: [Achievement.ID: AchievementMetric.Kind]
  private var areaSquareKilometers: Double
  private var highestMeters: Double?
  private var lowestMeters: Double?
  /// Whether all explored area has a time, so that the fix with which it reaches a tier is known.
  private var isAreaDated: Bool
  private var orders: [StoredSource.ID: UInt32] = [:]
  private let flightsExplore: Bool
  /// The number of transactions that had deleted data when the tracker began.
  let deletions: Int64
  /// Whether a fix was earlier than one before it, or at the time of one of another source. It
  /// counts with the next `Explorer.achievements(_:custom:)`.
  package private(set) var hasLateFix = false

  init(
    _ folded: FoldedFixes, of evaluation: AchievementEvaluation, report: AchievementReport,
    areaSquareKilometers: Double, geocoder: Geocoder
  ) {
    dated = folded.dated
    present = folded.undated.isEmpty ? nil : folded.present
    let achievements = report.catalog.achievements
    watch = UnlockWatch(achievements, after: dated)
    finder = FactFinder(geocoder: geocoder)
    orders[evaluation.content.lastSource] = UInt32(clamping: evaluation.content.lastFixes)
    (flightsExplore, deletions) = (evaluation.flightsExplore, evaluation.basis.deletions)
    self.areaSquareKilometers = areaSquareKilometers
    isAreaDated = !evaluation.hasSourceTiles && folded.undated.isEmpty
    kinds = Dictionary(achievements.map { ($0.id, $0.metric.kind) }) { first, _ in first }
    for item in report.items {
      let achievement = item.achievement
      var open = achievement.tiers.drop { tier in item.unlocks.contains { $0.tier == tier } }
      switch achievement.metric.kind {
      case .highest:
        heights.append((achievement, open))
        highestMeters = item.value
      case .lowest:
        heights.append((achievement, open))
        lowestMeters = item.value.map { -$0 }
      case .exploredArea:
        // An evaluation finds the fixes that earned tiers before the recording.
        open = open.drop { $0 <= areaSquareKilometers }
        areas.append((achievement, open))
      default: break
      }
      progressWatch.watch(achievement, tiers: open, value: value(of: achievement.metric))
    }
  }

  /// Takes the next kept fix of a recording, and returns the tiers that it reaches.
  ///
  /// - Parameters:
  ///   - fix: the fix as it is stored.
  ///   - source: the number of the recording's source.
  ///   - elevationMeters: its height above sea level; nil if unknown.
  ///   - areaAddedSquareKilometers: the newly explored area that it added to the store.
  /// - Complexity: O(1), and a lookup of its place.
  package mutating func push(
    _ fix: KeptFix, ofSource source: StoredSource.ID, elevationMeters: Double? = nil,
    areaAddedSquareKilometers: Double = 0
  ) -> [AchievementUnlock] {
    let order = orders[source] ?? dated.nextOrder(ofSource: source)
    orders[source] = order &+ 1
    guard flightsExplore || !fix.isInFlight else { return [] }
    var unlocks: [AchievementUnlock] = []
    if let time = fix.time?.millisecondsSince1970 {
      if dated.isLate(time, ofSource: source) {
        hasLateFix = true
      } else {
        let found = finder.fix(
          fix.coordinate, time: time, source: source, order: order,
          isJoined: !fix.startsSegment && (flightsExplore || !fix.endsFlightLeg))
        let changed = dated.take(found)
        _ = present?.take(found)
        unlocks = watch.unlocks(of: dated, changed: changed)
        progressWatch.note(changed)
      }
    } else {
      if present == nil { present = dated }
      present?.takeUndated(fix.coordinate, finder.facts(at: fix.coordinate))
      progressWatch.note(.undated)
      isAreaDated = false
    }
    if let elevationMeters { climb(to: elevationMeters, at: fix.time, &unlocks) }
    for unlock in unlocks { note(unlock) }
    return unlocks + explore(areaAddedSquareKilometers, at: fix.time)
  }

  /// Adds newly explored area, and returns the tiers that it reaches.
  ///
  /// - Parameter time: the time of the fix that explored it; nil if it was several, or is unknown.
  ///   The tiers have no time then, until `Explorer.achievements(_:custom:)` finds it.
  mutating func explore(
    _ squareKilometers: Double, at time: Timestamp?
  ) -> [AchievementUnlock] {
    guard squareKilometers > 0 else { return [] }
    areaSquareKilometers += squareKilometers
    progressWatch.note(MetricSet(.exploredArea))
    let isLate = time.flatMap { time in dated.lastTime.map { time.millisecondsSince1970 < $0 } }
    return reachAreas(at: isAreaDated && !hasLateFix && isLate != true ? time : nil)
  }

  /// Replaces the explored area, after it has become smaller, and returns the tiers that it
  /// reaches, without a time.
  mutating func setExploredArea(_ squareKilometers: Double) -> [AchievementUnlock] {
    areaSquareKilometers = squareKilometers
    progressWatch.note(MetricSet(.exploredArea))
    return reachAreas(at: nil)
  }

  private mutating func reachAreas(at time: Timestamp?) -> [AchievementUnlock] {
    var unlocks: [AchievementUnlock] = []
    let area = areaSquareKilometers
    Self.reach(&areas, at: time, &unlocks) { _ in area }
    for unlock in unlocks { note(unlock) }
    return unlocks
  }

  private mutating func climb(
    to elevationMeters: Double, at time: Timestamp?, _ unlocks: inout [AchievementUnlock]
  ) {
    guard HeightProfile.plausibleMeters.contains(elevationMeters) else { return }
    highestMeters = max(highestMeters ?? elevationMeters, elevationMeters)
    lowestMeters = min(lowestMeters ?? elevationMeters, elevationMeters)
    progressWatch.note([MetricSet(.highest), MetricSet(.lowest)])
    Self.reach(&heights, at: time, &unlocks) {
      $0.metric.kind == .highest ? elevationMeters : -elevationMeters
    }
  }

  private mutating func note(_ unlock: AchievementUnlock) {
    guard let kind = kinds[unlock.achievementID] else { return }
    progressWatch.note(unlock, of: kind)
  }

  private static func reach(
    _ pending: inout [(achievement: Achievement, tiers: ArraySlice<Double>)], at time: Timestamp?,
    _ unlocks: inout [AchievementUnlock], _ value: (Achievement) -> Double
  ) {
    for index in pending.indices {
      let value = value(pending[index].achievement)
      while let tier = pending[index].tiers.first, tier <= value {
        unlocks.append(
          AchievementUnlock(achievementID: pending[index].achievement.id, tier: tier, time: time))
        pending[index].tiers.removeFirst()
      }
    }
  }

  /// Returns the achievements that advanced since the last call without reaching a tier: at most
  /// one step for each, where a step is a whole unit of what is counted, or a whole percent of the
  /// next tier.
  ///
  /// - Complexity: O(achievements).
  package mutating func takeProgress() -> [AchievementProgress] {
    var watch = progressWatch
    let progress = watch.take { value(of: $0) }
    progressWatch = watch
    return progress
  }

  /// The value of a metric that comes from fixes or heights, or is the explored area; nil for
  /// others.
  package func value(of metric: AchievementMetric) -> Double? {
    switch metric.kind {
    case .exploredArea: areaSquareKilometers
    case .highest: highestMeters
    case .lowest: lowestMeters.map { -$0 }
    default: (present ?? dated).value(of: metric)
    }
  }
}

extension Explorer {
  /// A tracker that begins with what the store contains now. Evaluates the achievements first.
  ///
  /// - Complexity: that of `achievements(_:custom:)`.
  package func achievementTracker(
    _ catalog: AchievementCatalog = .bundled
  ) throws -> AchievementTracker {
    guard let (tracker, _) = try tracker(catalog, isCheap: false) else {
      throw DatabaseError.interrupted(path: store.path)
    }
    return tracker
  }

  /// A tracker that begins with what the store contains now.
  ///
  /// - Parameter isCheap: whether to do nothing if the evaluation would take long.
  /// - Returns: the tracker, and the tiers that the evaluation gave; nil if it would take long.
  /// - Complexity: that of the evaluation, and O(explored tiles).
  func tracker(
    _ catalog: AchievementCatalog, isCheap: Bool
  ) throws -> (tracker: AchievementTracker, given: [AchievementUnlock])? {
    var evaluation = AchievementEvaluation(catalog: catalog)
    evaluation.measuresArea = true
    guard let (done, report) = try evaluate(evaluation, isCheap: isCheap),
      let folded = done.folded
    else { return nil }
    let tracker = AchievementTracker(
      folded, of: done, report: report, areaSquareKilometers: done.areaSquareKilometers,
      geocoder: geocoder)
    return (tracker, report.newlyUnlocked)
  }
}
