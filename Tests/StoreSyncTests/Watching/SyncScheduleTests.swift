import StoreSync
import TestSupport
import Testing

/// When a watched folder is synced.
@Suite struct SyncScheduleTests {
  private typealias Schedule = SyncSchedule<Int>
  private static let timing = Schedule.Timing(
    regular: 900, quiet: 40, look: 20, longestLook: 300, retry: 50)

  @Test func `the first sync is due at once`() {
    #expect(Schedule().isDue(at: 0))
    var schedule = Schedule()
    schedule.look(1, at: 5)
    #expect(schedule.isDue(at: 5))
  }

  /// A schedule that has synced the mark 1 at 0.
  private func synced(succeeded: Bool = true) -> Schedule {
    var schedule = Schedule(Self.timing)
    schedule.look(1, at: 0)
    schedule.begin()
    schedule.end(at: 0, succeeded: succeeded)
    return schedule
  }

  @Test func `without a change, the next sync is due after the regular time`() {
    var schedule = synced()
    schedule.look(1, at: 899)
    #expect(!schedule.isDue(at: 899) && schedule.isDue(at: 900))
  }

  @Test func `a change is synced once it is quiet`() {
    var schedule = synced()
    schedule.look(2, at: 100)
    #expect(!schedule.isDue(at: 139) && schedule.isDue(at: 140))
    schedule.look(3, at: 130)
    #expect(!schedule.isDue(at: 169) && schedule.isDue(at: 170))
    #expect(schedule.nextLook(after: 165, duration: 1) == 170)
  }

  @Test func `a change that is undone is no change`() {
    var schedule = synced()
    schedule.look(2, at: 100)
    schedule.look(1, at: 110)
    #expect(!schedule.isDue(at: 899))
  }

  @Test func `changes during a sync are synced after it`() {
    var schedule = synced()
    schedule.look(2, at: 100)
    schedule.begin()
    schedule.end(at: 200, succeeded: true)
    schedule.look(2, at: 200)
    #expect(!schedule.isDue(at: 1_099))
    schedule.look(3, at: 210)
    #expect(schedule.isDue(at: 250))
  }

  @Test func `a change that never ends is synced at the regular time`() {
    var schedule = synced()
    for now in stride(from: Int64(10), to: 900, by: 10) {
      schedule.look(Int(now), at: now)
      #expect(!schedule.isDue(at: now))
    }
    #expect(schedule.isDue(at: 900))
  }

  @Test func `failures are repeated after pauses that double up to the regular time`() {
    var schedule = synced(succeeded: false)
    var now: Int64 = 0
    for pause: Int64 in [50, 100, 200, 400, 800, 900, 900] {
      #expect(!schedule.isDue(at: now + pause - 1) && schedule.isDue(at: now + pause))
      now += pause
      schedule.begin()
      schedule.end(at: now, succeeded: false)
    }
    schedule.look(2, at: now + 1)
    #expect(!schedule.isDue(at: now + 49), "not before the shortest pause")
    #expect(schedule.isDue(at: now + 50))
    schedule.begin()
    schedule.end(at: now + 50, succeeded: true)
    #expect(!schedule.isDue(at: now + 949) && schedule.isDue(at: now + 950))
  }

  @Test func `a look that takes long is rare`() {
    let schedule = synced()
    #expect(schedule.nextLook(after: 10, duration: 0) == 30)
    #expect(schedule.nextLook(after: 10, duration: 2) == 50)
    #expect(schedule.nextLook(after: 10, duration: 1_000) == 310)
    #expect(schedule.nextLook(after: 890, duration: 2) == 900)
    #expect(schedule.nextLook(after: 2_000, duration: 0) == 2_001)
  }

  /// One look and what was known then, kept in full so that the expectation is computed again.
  private struct Look {
    let time: Int64
    let mark: Int
  }

  /// Whether a sync is due, from the whole history: slow and obvious.
  private func isDue(
    at now: Int64, looks: [Look], syncs: [(mark: Int, end: Int64, succeeded: Bool)]
  ) -> Bool {
    guard let last = syncs.last else { return true }
    let timing = Self.timing
    let failures = syncs.reversed().prefix { !$0.succeeded }.count
    let pauses: [Int64] = [timing.regular, 50, 100, 200, 400, 800]
    let pause = failures < pauses.count ? pauses[failures] : timing.regular
    if now >= last.end + pause { return true }
    guard let seen = looks.last, seen.mark != last.mark else { return false }
    let run = looks.reversed().prefix { $0.mark == seen.mark }
    guard let since = run.map(\.time).min() else { return false }
    return now >= since + timing.quiet && (failures == 0 || now >= last.end + timing.retry)
  }

  @Test(arguments: Seeds.sample(200))
  func `random changes are all synced, in time and not too early`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var schedule = Schedule(Self.timing)
    var (looks, syncs): ([Look], [(mark: Int, end: Int64, succeeded: Bool)]) = ([], [])
    var (now, mark, next) = (Int64(0), 0, Int64(0))
    var lastChange: Int64 = 0
    let end = Int64.random(in: 500...6_000, using: &random)
    // Then nothing changes and everything succeeds.
    while now < end + 2_000 {
      if now < end, Int.random(in: 0..<60, using: &random) == 0 {
        // Sometimes a change is undone.
        mark = Bool.random(using: &random) ? mark + 1 : Int.random(in: 0...mark, using: &random)
        lastChange = now
      }
      if now >= next {
        schedule.look(mark, at: now)
        looks.append(Look(time: now, mark: mark))
        let isExpected = isDue(at: now, looks: looks, syncs: syncs)
        #expect(schedule.isDue(at: now) == isExpected, "at \(now)")
        if schedule.isDue(at: now) {
          schedule.begin()
          let succeeded = now >= end || Int.random(in: 0..<4, using: &random) > 0
          let synced = mark
          if now < end, Bool.random(using: &random) {
            // The sync takes a while, and changes something itself.
            now += Int64.random(in: 0...30, using: &random)
            mark += 1
            lastChange = now
          }
          schedule.end(at: now, succeeded: succeeded)
          syncs.append((synced, now, succeeded))
        }
        let after = schedule.nextLook(after: now, duration: Int64.random(in: 0...3, using: &random))
        #expect(after > now && after <= now + 60, "the next look is at \(after)")
        next = after
      }
      now += 1
    }
    let last = syncs.last { $0.succeeded }
    #expect(last?.mark == mark, "the last change is not synced")
    // A look, the quiet time, the pause after the last failure.
    let first = syncs.first { $0.succeeded && $0.mark == mark && $0.end >= lastChange }
    #expect((first?.end ?? .max) <= max(lastChange, end) + 60 + 40 + 900)
    for (one, other) in zip(syncs, syncs.dropFirst()) {
      #expect(other.end - one.end <= 900 + 60 + 30 && other.end > one.end)
    }
  }
}
