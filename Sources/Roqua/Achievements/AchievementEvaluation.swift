import Achievements
import GeoStore
import Geocode
import Geodesy
import GridHash
import SQLiteLayer

/// Evaluates the achievements in one state of a store.
///
/// - The metrics of fixes go on after the state in the store if only later fixes were added;
///   otherwise all fixes are taken in order of time.
/// - The heights are those of the sources.
/// - The explored area is that of `roqua stats`. If a tier was reached, a replay of all fixes finds
///   out when.
struct AchievementEvaluation {
  /// The fixes up to which an evaluation is cheap enough for the end of an import.
  static let cheapFixes: Int64 = 20_000

  let catalog: AchievementCatalog
  /// The values that an app computes, by the name of the metric.
  var custom: [String: AchievementValue] = [:]

  /// Whether to measure ``areaSquareKilometers`` in any case.
  var measuresArea = false

  /// The values of the metrics in the store's present state.
  private(set) var values: [AchievementMetric: Double] = [:]
  /// The tiers that were reached. A tier that was reached before is among them only if its time
  /// may have changed.
  private(set) var reached: [AchievementUnlock] = []
  /// What the store had before.
  private(set) var stored: AchievementStateRow?
  private(set) var storedProgress: [String: AchievementProgressRow] = [:]
  private(set) var storedRows: [AchievementRow] = []
  /// What was evaluated.
  private(set) var content = StoreContent()
  /// What it began with: if the store's is another one, the results are outdated.
  private(set) var basis = EvaluationBasis()
  /// Whether the store's settings count flights as ground.
  private(set) var flightsExplore = false
  private(set) var rules = ""
  private(set) var folded: FoldedFixes?
  /// Whether any source came with cells.
  private(set) var hasSourceTiles = false
  /// All explored area, if it was asked for.
  private(set) var areaSquareKilometers = 0.0
  /// Whether the explored area was measured.
  private(set) var area = AreaState.outdated

  /// What an evaluation knows of the explored area. Raw values are the first byte of a state.
  enum AreaState: UInt8 {
    /// Earlier fixes, or others than fixes, were added since it was measured.
    case outdated
    /// It was measured.
    case measured
    /// Only later fixes were added since it was measured, so the tiers that were reached have their
    /// times.
    case continued
  }

  init(catalog: AchievementCatalog, custom: [String: AchievementValue] = [:]) {
    (self.catalog, self.custom) = (catalog, custom)
  }

  private func achievements(_ origin: AchievementMetric.Origin) -> [Achievement] {
    catalog.achievements.filter { $0.metric.origin == origin }
  }

  /// Evaluates what a snapshot contains.
  ///
  /// - Parameter isCheap: whether to do nothing if that takes long, and to leave the explored area
  ///   as it was.
  /// - Returns: false if nothing was done.
  mutating func run(
    _ explorer: Explorer, _ snapshot: Snapshot, isCheap: Bool
  ) throws(DatabaseError) -> Bool {
    content = try snapshot.content()
    basis = try snapshot.evaluationBasis()
    flightsExplore = snapshot.settings.flightsExplore
    hasSourceTiles = try snapshot.hasSourceTiles()
    stored = try snapshot.achievementState()
    storedProgress = try snapshot.achievementProgress()
    storedRows = try snapshot.achievementRows()
    rules = AchievementRules(snapshot.settings).text(vintage: explorer.geocoder.vintage)
    guard let folded = try fold(explorer, snapshot, isCheap: isCheap) else { return false }
    self.folded = folded
    if measuresArea { areaSquareKilometers = try snapshot.exploredSquareKilometers() }
    takeFixes(folded)
    try takeHeights(snapshot)
    takeCustom()
    try takeCells(explorer, snapshot, isWhole: folded.isWhole, isCheap: isCheap)
    return true
  }

  /// Whether the stored evaluation is one of the same content and rules.
  var isSame: Bool { stored?.content == content && stored?.rules == rules }

  /// What the stored evaluation knows of the explored area.
  private var storedArea: AreaState {
    stored?.state.first.flatMap(AreaState.init(rawValue:)) ?? .outdated
  }

  /// The state to store.
  var stateBytes: [UInt8] {
    [area.rawValue] + (folded?.encoded ?? [])
  }

  // MARK: Fixes

  private func fold(
    _ explorer: Explorer, _ snapshot: Snapshot, isCheap: Bool
  ) throws(DatabaseError) -> FoldedFixes? {
    let achievements = achievements(.fixes)
    if let stored, stored.rules == rules, try isContinued(stored.content, in: snapshot),
      var folded = FoldedFixes(encoded: stored.state.dropFirst()), isDated(folded, achievements)
    {
      if isCheap, content.fixes - stored.content.fixes > Self.cheapFixes { return nil }
      let isResumed = try folded.resume(
        in: snapshot, after: stored.content, achievements, geocoder: explorer.geocoder)
      if isResumed { return folded }
    }
    if isCheap, content.fixes > Self.cheapFixes { return nil }
    let gap = Int64(snapshot.settings.visitGapMinutes * 60_000)
    return try FoldedFixes(
      of: snapshot, rules: Chronicle.Rules(longestGapMilliseconds: gap), achievements,
      geocoder: explorer.geocoder)
  }

  /// Whether the store still begins with this content.
  private func isContinued(
    _ content: StoreContent, in snapshot: Snapshot
  ) throws(DatabaseError) -> Bool {
    let now = try snapshot.content(upTo: content.lastSource)
    return now.lastSource == content.lastSource && now.earlierSources == content.earlierSources
      && now.earlierFixes == content.earlierFixes && now.lastFixes >= content.lastFixes
  }

  /// Whether the store has the time of each tier that a state has reached. It has not if an app
  /// has added achievements since.
  private func isDated(_ folded: FoldedFixes, _ achievements: [Achievement]) -> Bool {
    let known = Set(storedRows.map { TierKey(id: $0.id, tier: $0.tier) })
    return achievements.allSatisfy { achievement in
      let value = folded.dated.value(of: achievement.metric) ?? -.infinity
      return achievement.tiers.allSatisfy {
        $0 > value || known.contains(TierKey(id: achievement.id, tier: $0))
      }
    }
  }

  private struct TierKey: Hashable {
    let id: String
    let tier: Double
  }

  private mutating func takeFixes(_ folded: FoldedFixes) {
    reached += folded.unlocks
    let present = folded.present
    for achievement in achievements(.fixes) {
      guard let value = present.value(of: achievement.metric) else { continue }
      values[achievement.metric] = value
      let dated = folded.dated.value(of: achievement.metric) ?? -.infinity
      for tier in achievement.tiers where tier <= value && tier > dated {
        reached.append(AchievementUnlock(achievementID: achievement.id, tier: tier, time: nil))
      }
    }
  }

  // MARK: Heights and values of apps

  private mutating func takeHeights(_ snapshot: Snapshot) throws(DatabaseError) {
    let achievements = achievements(.heights)
    var profiles: [HeightProfile] = []
    try snapshot.forEachHeightProfile { profiles.append($0) }
    guard let highest = profiles.compactMap(\.highestMeters).max(),
      let lowest = profiles.compactMap(\.lowestMeters).min()
    else { return }
    for achievement in achievements {
      let isHeight = achievement.metric.kind == .highest
      let value = isHeight ? highest : -lowest
      values[achievement.metric] = value
      for tier in achievement.tiers where tier <= value {
        let times = profiles.compactMap {
          isHeight ? $0.firstTime(at: tier) : $0.firstTime(below: -tier)
        }
        reached.append(
          AchievementUnlock(achievementID: achievement.id, tier: tier, time: times.min()))
      }
    }
  }

  private mutating func takeCustom() {
    for achievement in achievements(.app) {
      guard let value = achievement.metric.argument.flatMap({ custom[$0] }) else { continue }
      values[achievement.metric] = value.value
      for tier in achievement.tiers where tier <= value.value {
        reached.append(
          AchievementUnlock(achievementID: achievement.id, tier: tier, time: value.time))
      }
    }
  }

  // MARK: Explored area

  private mutating func takeCells(
    _ explorer: Explorer, _ snapshot: Snapshot, isWhole: Bool, isCheap: Bool
  ) throws(DatabaseError) {
    let achievements = achievements(.cells)
    let isKnown = isSame && storedArea == .measured
    let isContinued = !isWhole && storedArea != .outdated
    if isCheap || isKnown {
      for achievement in achievements {
        values[achievement.metric] = storedProgress[achievement.id]?.value
      }
      area = isKnown ? .measured : isContinued ? .continued : .outdated
      // An app may have added an achievement.
      if isCheap || achievements.allSatisfy({ storedProgress[$0.id] != nil }) { return }
    }
    area = .measured
    let shares = try ExploredShares(explorer, snapshot)
    var dates: [AreaReplay.Subject: Set<Double>] = [:]
    var pending: [(Achievement, Double, [AreaReplay.Subject], [Double])] = []
    let dated = Set(
      storedRows.lazy.filter { $0.time != nil }.map { TierKey(id: $0.id, tier: $0.tier) })
    for achievement in achievements {
      values[achievement.metric] = shares.value(of: achievement.metric)
      for tier in achievement.tiers where tier <= values[achievement.metric] ?? 0 {
        // Where earlier history may have arrived, every tier is dated again.
        if isContinued, dated.contains(TierKey(id: achievement.id, tier: tier)) { continue }
        let subjects = shares.subjects(of: achievement.metric, reaching: tier)
        for (subject, limit) in subjects { dates[subject, default: []].insert(limit) }
        pending.append((achievement, tier, subjects.map(\.0), subjects.map(\.1)))
      }
    }
    guard !pending.isEmpty else { return }
    var replay = shares.replay(dates)
    try replay.run(on: snapshot, isComplete: !hasSourceTiles && folded?.undated.isEmpty == true)
    for (achievement, tier, subjects, limits) in pending {
      let times = zip(subjects, limits).compactMap { replay.times[$0]?[$1] }
      reached.append(
        AchievementUnlock(achievementID: achievement.id, tier: tier, time: times.min()))
    }
  }
}

/// A value that an app computes for one of its metrics, and when it was reached.
///
/// ```swift
/// let metric = AchievementMetric(.custom, argument: "photos")
/// let collector = Achievement(
///   id: "collector", category: "photos", icon: "📷", metric: metric, tiers: [10, 100])
/// var catalog = AchievementCatalog.bundled
/// try catalog.add(collector, title: ["en": "Collector"], description: ["en": "Take photos."])
/// let photos = AchievementValue(value: 12, time: now)
/// let report = try await explorer.achievements(catalog, custom: ["photos": photos])
/// for unlock in report.newlyUnlocked { print(unlock.achievementID, unlock.tier) }
/// ```
public struct AchievementValue: Hashable, Sendable {
  /// The value.
  package var value: Double
  /// When it was reached; nil if unknown.
  package var time: Timestamp?

  /// Creates a value.
  public init(value: Double, time: Timestamp? = nil) { (self.value, self.time) = (value, time) }
}
