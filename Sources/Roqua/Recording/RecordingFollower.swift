import Achievements
import GeoStore
import Geodesy
import Session
import Synchronization
import TrackIngest

/// What a recording keeps besides its session: the heights of its fixes, and its achievements.
final class RecordingFollower: Sendable {
  private struct State {
    var heights = HeightProfile()
    var tracker: AchievementTracker?
  }

  private let explorer: Explorer
  private let source: StoredSource.ID
  private let state: Mutex<State>

  /// Begins with what the store contains. If that takes long, because achievements were never
  /// evaluated or old tracks were imported since, they are evaluated when they are asked for.
  init(explorer: Explorer, source: StoredSource.ID) {
    (self.explorer, self.source) = (explorer, source)
    let isCheap = (try? explorer.updateAchievementsIfCheap()).flatMap { $0 } != nil
    state = Mutex(State(tracker: isCheap ? try? explorer.achievementTracker() : nil))
  }

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
  /// fixes then, and achievements are evaluated when they are asked for.
  func note(_ heights: HeightProfile?, isValid: Bool) {
    state.withLock { state in
      if !isValid {
        state = State()
      } else if let heights {
        state.heights = heights
      }
    }
  }

  /// The tiers that the settled fixes of a stored request reach for the first time. Flights are
  /// certain by then, so that a climb earns nothing.
  func unlocks(
    by request: LiveSession.StoreRequest, areaAddedSquareKilometers area: Double
  ) -> [AchievementUnlock] {
    let reached = state.withLock { state -> [AchievementUnlock] in
      guard state.tracker != nil else { return [] }
      let settled = request.settled
      return settled.enumerated().flatMap { index, judged in
        // The store tells the area of all of them together.
        state.tracker?.push(
          KeptFix(judged), ofSource: source,
          elevationMeters: judged.isInFlight ? nil : judged.fix.elevationMeters,
          areaAddedSquareKilometers: index == settled.count - 1 ? area : 0) ?? []
      }
    }
    guard !reached.isEmpty else { return [] }
    return (try? explorer.give(reached)) ?? []
  }

  /// The tiers that are found at the end of the recording, with everything in order of time.
  func unlocksAtEnd() -> [AchievementUnlock] {
    guard state.withLock({ $0.tracker != nil }) else { return [] }
    return (try? explorer.updateAchievementsIfCheap())?.newlyUnlocked ?? []
  }
}
