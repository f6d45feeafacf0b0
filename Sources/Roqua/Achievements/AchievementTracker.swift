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
/// var tracker = try await explorer.achievementTracker()
/// let kept = KeptFix(coordinate: here, time: now, accuracyMeters: 8, startsSegment: true)
/// for unlock in tracker.push(kept, ofSource: 7, areaAddedSquareKilometers: 0.02) {
///   print(unlock.achievementID, unlock.tier)
/// }
/// ```
///
/// The shares of countries and cities are not followed: they are known after the next
/// `Explorer.achievements(_:custom:)`.
public struct AchievementTracker: Sendable {
  private var chronicle: Chronicle
  private var watch: UnlockWatch
  private var finder: FactFinder
  /// The achievements of height and of explored area, with the tiers that are not reached.
  private var heights: [(achievement: Achievement, tiers: ArraySlice<Double>)] = []
  private var areas: [(achievement: Achievement, tiers: ArraySlice<Double>)] = []
  private var areaSquareKilometers: Double
  private var orders: [StoredSource.ID: UInt32] = [:]
  private let flightsExplore: Bool
  /// Whether a fix was earlier than one before it. It counts with the next
  /// `Explorer.achievements(_:custom:)`.
  public private(set) var hasLateFix = false

  init(
    _ folded: FoldedFixes, content: StoreContent, report: AchievementReport, geocoder: Geocoder,
    flightsExplore: Bool
  ) {
    chronicle = folded.present
    let achievements = report.catalog.achievements
    watch = UnlockWatch(achievements, after: chronicle)
    finder = FactFinder(geocoder: geocoder)
    orders[content.lastSource] = UInt32(clamping: content.lastFixes)
    self.flightsExplore = flightsExplore
    areaSquareKilometers =
      report.items.first { $0.achievement.metric.kind == .exploredArea }?
      .value ?? 0
    for item in report.items {
      let tiers = item.achievement.tiers.drop { tier in item.unlocks.contains { $0.tier == tier } }
      switch item.achievement.metric.kind {
      case .highest, .lowest: heights.append((item.achievement, tiers))
      case .exploredArea: areas.append((item.achievement, tiers))
      default: break
      }
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
  public mutating func push(
    _ fix: KeptFix, ofSource source: StoredSource.ID, elevationMeters: Double? = nil,
    areaAddedSquareKilometers: Double = 0
  ) -> [AchievementUnlock] {
    let order = orders[source] ?? 0
    orders[source] = order &+ 1
    guard flightsExplore || !fix.isInFlight else { return [] }
    var unlocks: [AchievementUnlock] = []
    if let time = fix.time?.millisecondsSince1970 {
      if chronicle.lastTime.map({ time < $0 }) ?? false {
        hasLateFix = true
      } else {
        let changed = chronicle.take(
          finder.fix(
            fix.coordinate, time: time, source: source, order: order,
            isJoined: !fix.startsSegment && (flightsExplore || !fix.endsFlightLeg)))
        unlocks = watch.unlocks(of: chronicle, changed: changed)
      }
    } else {
      chronicle.takeUndated(fix.coordinate, finder.facts(at: fix.coordinate))
    }
    areaSquareKilometers += areaAddedSquareKilometers
    if areaAddedSquareKilometers > 0 {
      let area = areaSquareKilometers
      Self.reach(&areas, at: fix.time, &unlocks) { _ in area }
    }
    if let elevationMeters, HeightProfile.plausibleMeters.contains(elevationMeters) {
      Self.reach(&heights, at: fix.time, &unlocks) {
        $0.metric.kind == .highest ? elevationMeters : -elevationMeters
      }
    }
    return unlocks
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

  /// The value of a metric that comes from fixes or is the explored area; nil for others.
  public func value(of metric: AchievementMetric) -> Double? {
    metric.kind == .exploredArea ? areaSquareKilometers : chronicle.value(of: metric)
  }
}

extension Explorer {
  /// A tracker that begins with what the store contains now. Evaluates the achievements first.
  ///
  /// - Complexity: that of ``achievements(_:custom:)``.
  public func achievementTracker(
    _ catalog: AchievementCatalog = .bundled
  ) throws -> AchievementTracker {
    let report = try achievements(catalog)
    return try read { snapshot in
      var evaluation = AchievementEvaluation(catalog: catalog)
      _ = try evaluation.run(self, snapshot, isCheap: false)
      guard let folded = evaluation.folded else {
        throw DatabaseError.interrupted(path: store.path)
      }
      return AchievementTracker(
        folded, content: evaluation.content, report: report, geocoder: geocoder,
        flightsExplore: snapshot.settings.flightsExplore)
    }
  }

  /// A tracker that begins with what the store contains now, for async code.
  public func achievementTracker(
    _ catalog: AchievementCatalog = .bundled
  ) async throws -> AchievementTracker {
    try await blocking { try $0.achievementTracker(catalog) }
  }
}
