import Achievements
import GeoStore
import Geodesy
import Session
import Synchronization
import TrackIngest

/// What a recording keeps besides its session: the heights of its fixes, and its achievements.
final class RecordingFollower: Sendable {
  /// A stored fix of which it is not certain whether it is part of a flight.
  private struct Unsettled {
    let fix: KeptFix
    /// The newly explored area up to this fix, and the time at which it was explored, if a single
    /// fix did it.
    var squareKilometers = 0.0
    var explorationTime: Timestamp?
    /// Whether the tracker has taken it from the store.
    var isTaken = false
  }

  private struct State {
    var heights = HeightProfile()
    var tracker: AchievementTracker?
    /// The number of transactions that had deleted data when the tracker was last right.
    var deletions: Int64 = 0
    /// The settings with which the tracker began.
    var rules: AchievementRules?
    /// The stored fixes that are not settled, in order.
    var unsettled: [Unsettled] = []
    /// Whether fixes became part of a flight, so that the explored area is smaller.
    var hasLostArea = false
    /// Tiers that were reached and could not be stored.
    var ungiven: [AchievementUnlock] = []
    /// Tiers that were given and not yet reported.
    var unreported: [AchievementUnlock] = []
  }

  /// What a request changed in the achievements.
  struct Following {
    var unlocks: [AchievementUnlock] = []
    var progress: [AchievementProgress] = []
  }

  private let explorer: Explorer
  private let source: StoredSource.ID
  private let state = Mutex(State())

  /// Begins with what the store contains. If that takes long, because achievements were never
  /// evaluated or old tracks were imported since, they are evaluated when they are asked for.
  init(explorer: Explorer, source: StoredSource.ID) {
    (self.explorer, self.source) = (explorer, source)
    state.withLock { state in
      state.rules = (try? explorer.settings()).map(AchievementRules.init)
      begin(&state)
    }
  }

  private func begin(_ state: inout State) {
    let found = (try? explorer.tracker(.bundled, isCheap: true)) ?? nil
    state.tracker = found?.tracker
    state.deletions = found?.tracker.deletions ?? 0
    state.unreported += found?.given ?? []
    state.hasLostArea = false
    for index in state.unsettled.indices {
      (state.unsettled[index].isTaken, state.unsettled[index].squareKilometers) = (true, 0)
    }
  }

  // MARK: Heights

  /// The heights with those of more fixes; nil if they do not change.
  func heights(after fixes: [JudgedFix]) -> HeightProfile? {
    let known = state.withLock { $0.heights }
    var heights = known
    for judged in fixes where !judged.isInFlight {
      heights.take(judged.fix.elevationMeters, at: judged.fix.time)
    }
    return heights == known ? nil : heights
  }

  /// Notes that heights are stored, or that zones have changed: what is known may be of deleted
  /// fixes then.
  func note(_ heights: HeightProfile?, isValid: Bool) {
    state.withLock { state in
      if !isValid {
        state.heights = HeightProfile()
      } else if let heights {
        state.heights = heights
      }
    }
  }

  // MARK: Achievements

  /// Notes that the recording's own fixes became part of a flight, or stopped to be, in a
  /// transaction that may count as a deletion. A tracker that knows only settled fixes is still
  /// right, but for the explored area; another one begins again.
  func noteMarks(_ deletions: (before: Int64, after: Int64)) {
    state.withLock { state in
      state.hasLostArea = true
      if state.unsettled.contains(where: \.isTaken) { return }
      if state.deletions == deletions.before { state.deletions = deletions.after }
    }
  }

  /// Follows a request that was stored. Only settled fixes count: flights are certain by then, so
  /// that a climb earns nothing. If data was deleted from the store meanwhile, or other settings
  /// count, begins again with what the store contains now.
  ///
  /// - Parameters:
  ///   - appended: what storing it changed; nil if it had nothing to store.
  ///   - zones: the store's privacy zones: nothing in them counts.
  func follow(
    _ request: LiveSession.StoreRequest, _ appended: RecordingWriter.Appended?,
    zones: PrivacyZones
  ) -> Following {
    state.withLock { state in
      guard state.tracker != nil else { return Following(unlocks: state.unreported.takeAll()) }
      if let appended { note(appended, of: request, &state) }
      state.ungiven += request.settled.filter { !zones.contains($0.fix.coordinate) }
        .flatMap { settle($0, &state) }
      if state.hasLostArea { state.ungiven += measureArea(&state) }
      var following = Following(unlocks: state.unreported.takeAll())
      following.unlocks += give(&state)
      following.progress = state.tracker?.takeProgress() ?? []
      return following
    }
  }

  /// Takes note of the fixes that were stored, and begins again if the tracker is not right any
  /// more. Where fixes were withheld, the store has cut the track.
  private func note(
    _ appended: RecordingWriter.Appended, of request: LiveSession.StoreRequest,
    _ state: inout State
  ) {
    var kept = request.verdicts
      .filter { $0.verdict == .kept && !appended.zones.contains($0.fix.coordinate) }
      .map { Unsettled(fix: KeptFix($0)) }
    if let last = kept.indices.last {
      kept[last].squareKilometers = appended.changes.areaAddedSquareKilometers
      kept[last].explorationTime = last == 0 ? kept[last].fix.time : nil
    }
    state.unsettled += kept
    let rules = AchievementRules(appended.settings)
    let isRight = state.deletions == appended.deletions && state.rules == rules
    state.rules = rules
    if !isRight || appended.changes.withheld > 0 { begin(&state) }
  }

  /// Stores the tiers that were reached. If that fails, they wait for the next time.
  private func give(_ state: inout State) -> [AchievementUnlock] {
    guard !state.ungiven.isEmpty, let given = try? explorer.give(state.ungiven) else { return [] }
    state.ungiven = []
    return given
  }

  /// Removes a fix from those that are not settled; returns the tiers that it reaches.
  private func settle(_ judged: JudgedFix, _ state: inout State) -> [AchievementUnlock] {
    var entry: Unsettled?
    let index = state.unsettled.firstIndex {
      $0.fix.coordinate == judged.fix.coordinate && $0.fix.time == judged.fix.time
    }
    if let index {
      entry = state.unsettled[index]
      // The store left out those before it.
      state.unsettled.removeFirst(index + 1)
    }
    if entry?.isTaken == true { return [] }
    var reached =
      state.tracker?.push(
        KeptFix(judged), ofSource: source,
        elevationMeters: judged.isInFlight ? nil : judged.fix.elevationMeters) ?? []
    if let entry, !state.hasLostArea {
      reached += state.tracker?.explore(entry.squareKilometers, at: entry.explorationTime) ?? []
    }
    return reached
  }

  /// Measures the area that settled fixes explored, after fixes became part of a flight.
  private func measureArea(_ state: inout State) -> [AchievementUnlock] {
    guard let area = try? explorer.read({ try $0.exploredSquareKilometers() }) else { return [] }
    state.hasLostArea = false
    let waiting = state.unsettled.reduce(0) { $0 + $1.squareKilometers }
    return state.tracker?.setExploredArea(max(0, area - waiting)) ?? []
  }

  /// The tiers that are found at the end of the recording, with everything in order of time.
  func unlocksAtEnd() -> [AchievementUnlock] {
    let (isFollowing, unreported) = state.withLock { state in
      (state.tracker != nil, state.unreported.takeAll() + give(&state))
    }
    guard isFollowing else { return unreported }
    return unreported + ((try? explorer.updateAchievementsIfCheap())?.newlyUnlocked ?? [])
  }
}

extension Array {
  /// Removes and returns all elements.
  fileprivate mutating func takeAll() -> [Element] {
    defer { self = [] }
    return self
  }
}
