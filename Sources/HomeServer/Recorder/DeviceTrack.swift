import Geodesy
import Roqua
import TrackIngest

/// Divides the fixes of one device into runs that are recorded as segments of their own. A pure
/// state machine.
///
/// A phone that was offline sends its backlog in any order, and newer fixes before older ones. A
/// fix that is older than the one before it starts a run, and so does the first one that is newer
/// than all before that. Within a run, time never runs backwards, and no gap is longer than in a
/// live session, also where the store's settings treat live fixes as those of a file.
struct DeviceTrack {
  /// The time of the last fix with a time.
  private var last: Timestamp?
  /// The latest time of all fixes.
  private var latest: Timestamp?

  /// Returns whether the next fix starts a run.
  mutating func startsRun(_ fix: Fix) -> Bool {
    guard let time = fix.time else { return false }
    defer {
      last = time
      latest = latest.map { max($0, time) } ?? time
    }
    guard let last, let latest else { return false }
    if time < last || Self.isGap(from: last, to: time) { return true }
    return last < latest && time > latest
  }

  private static let longestGapSeconds = LiveRules().longestGapSeconds

  private static func isGap(from last: Timestamp, to time: Timestamp) -> Bool {
    let milliseconds = time.millisecondsSince1970 &- last.millisecondsSince1970
    return Double(milliseconds) > 1_000 * longestGapSeconds
  }
}
