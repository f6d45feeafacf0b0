/// When to sync, while a store and its sync folder are watched.
///
/// Syncs at once, then regularly, and after each change once nothing has changed for a while: what
/// another program is still copying is not read, and many changes end in one sync. A change that
/// never ends, such as a recording, waits for the regular time. After a failure, tries again after
/// a pause that doubles, or when something changes.
///
/// A mark says what was seen, and differs if anything is different. Times are milliseconds of a
/// clock that does not go back, and that goes on while the machine sleeps. The sync itself may
/// change the marks: then another one follows, finds nothing, and changes nothing.
package struct SyncSchedule<Mark: Equatable & Sendable>: Sendable {
  /// How long to wait for what, in milliseconds.
  package struct Timing: Hashable, Sendable {
    /// From the end of a sync to the next one if nothing changes.
    package var regular: Int64
    /// From the last change to the sync.
    package var quiet: Int64
    /// From one look at the marks to the next.
    package var look: Int64
    /// The longest time between two looks, if a look takes long.
    package var longestLook: Int64
    /// From a failure to the next attempt, the first time.
    package var retry: Int64

    /// Creates times; by default as `roqua sync --watch` has them.
    package init(
      regular: Int64 = 900_000, quiet: Int64 = 4_000, look: Int64 = 2_000,
      longestLook: Int64 = 60_000, retry: Int64 = 10_000
    ) {
      (self.regular, self.quiet, self.look) = (regular, quiet, look)
      (self.longestLook, self.retry) = (longestLook, retry)
    }
  }

  private let timing: Timing
  /// What was seen last, and when it was seen first.
  private var seen: (mark: Mark, since: Int64)?
  /// What was seen before the last sync began.
  private var synced: Mark?
  /// When the last sync ended.
  private var ended: Int64?
  /// Number of syncs that failed since one succeeded.
  private var failures = 0
  /// How often a look's own time passes until the next one.
  private static var lookFactor: Int64 { 20 }

  /// Creates a schedule. The first sync is due at once.
  package init(_ timing: Timing = Timing()) { self.timing = timing }

  /// Takes what is seen now.
  package mutating func look(_ mark: Mark, at now: Int64) {
    if seen?.mark != mark { seen = (mark, now) }
  }

  /// Whether to sync now.
  package func isDue(at now: Int64) -> Bool { now >= due }

  /// Notes that a sync begins: what changes from now on counts for the next one.
  package mutating func begin() { synced = seen?.mark }

  /// Notes that the sync has ended.
  package mutating func end(at now: Int64, succeeded: Bool) {
    ended = now
    failures = succeeded ? 0 : failures + 1
  }

  /// When to look again.
  ///
  /// - Parameter duration: how long the last look took. The longer, the rarer they are.
  package func nextLook(after now: Int64, duration: Int64) -> Int64 {
    let pause = max(timing.look, min(timing.longestLook, duration * Self.lookFactor))
    return max(now + 1, min(now + pause, due))
  }

  /// When the next sync is due, by what is known now.
  private var due: Int64 {
    guard let ended else { return .min }
    let regular = ended + (failures == 0 ? timing.regular : pauseAfterFailure)
    guard let seen, seen.mark != synced else { return regular }
    let quiet = seen.since + timing.quiet
    // What changes all the time must not let a failure repeat all the time.
    return min(regular, failures == 0 ? quiet : max(quiet, ended + timing.retry))
  }

  private var pauseAfterFailure: Int64 {
    var pause = timing.retry
    for _ in 1..<max(1, failures) where pause < timing.regular { pause *= 2 }
    return min(pause, timing.regular)
  }
}
