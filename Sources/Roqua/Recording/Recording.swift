import Foundation
import GeoStore
import Geodesy
import Session
import TrackIngest

/// A track that is recorded live. Takes the raw fixes of a receiver, keeps those that pass the
/// rules, and stores each of them immediately with the regions and cells that follow from it. After
/// a crash, the store contains everything for which ``add(_:)-(Fix)`` returned a verdict.
///
/// ```swift
/// let recording = try await explorer.startRecording(named: "Evening walk")
/// for await fix in receiver {
///   let change = try await recording.add(fix)
///   if change.stored.regionsAdded > 0 { print("discovered a new region") }
/// }
/// try await recording.finish()
/// ```
///
/// A fix that may be part of a flight waits for the next ones, at the speed of an aircraft and for
/// about a minute, so that a flight explores nothing. What becomes certain later, such as the climb
/// before it, is corrected in the store.
///
/// It follows changes of the store's settings, by this process and others: a change applies from
/// the next fix on.
///
/// It carries out what ``/Session/LiveSession`` decides. Calls run one after another, in the order
/// in which they arrive, on the recording's own thread.
public actor Recording {
  /// The number of the recording's source in the store.
  public nonisolated let sourceID: StoredSource.ID
  /// The name of the recording.
  public nonisolated let name: String

  private nonisolated let executor: QueueExecutor
  private let environment: RecordingEnvironment
  private var session: LiveSession.State
  /// When the clock must tick; nil if it need not.
  private var tickTime: ContinuousClock.Instant?
  private var timer: Task<Void, Never>?
  /// How long the timer waits after its next failure.
  private var retrySeconds = LiveSession.retrySeconds
  /// The longest wait between two attempts of the timer while the store cannot be written.
  static let longestRetrySeconds = 300.0
  /// What the timer changed, to be returned by the next call.
  private var unreported = Change()

  /// Runs on its own queue, since SQLite blocks.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// What a call changed.
  public struct Change: Hashable, Sendable {
    /// The verdicts known so far, in the order of the fixes. A fix that could only be reached at an
    /// implausible speed waits for the next fix, so its verdict may come one call late. One reached
    /// at the speed of an aircraft waits until it is known whether it is part of a flight.
    public var verdicts: [JudgedFix] = []
    /// The changes to the store.
    public var stored = SourceChanges()
    /// The events that the call published, in order.
    public var events: [ExplorationEvent] = []

    /// Adds a later change.
    mutating func append(_ later: Change) {
      verdicts += later.verdicts
      stored = stored + later.stored
      events += later.events
    }
  }

  init(
    source: StoredSource.ID, name: String, rules: LiveRules, environment: RecordingEnvironment
  ) {
    (sourceID, self.name, self.environment) = (source, name, environment)
    session = LiveSession.State(rules: rules)
    executor = QueueExecutor(label: "Roqua recording \(source)")
  }

  deinit { timer?.cancel() }

  /// Adds the next fix of the receiver. An impossible time, before 1970 or more than a day ahead,
  /// counts as unknown, as in files.
  ///
  /// - Throws: `DatabaseError` if the fix cannot be stored; the call has changed nothing and can be
  ///   repeated. `StoreError.recordingForgotten(path:id:)` if the recording was forgotten in the
  ///   meantime.
  /// - Precondition: the recording is not finished.
  @discardableResult
  public func add(_ fix: Fix) throws -> Change { try add([fix]) }

  /// Adds fixes of the receiver, in order, and stores those that are kept in one transaction. A
  /// paused recording ignores them.
  ///
  /// - Throws: the same errors as ``add(_:)-(Fix)``.
  @discardableResult
  public func add(_ fixes: [Fix]) throws -> Change {
    precondition(session.phase != .finished, "the recording is finished")
    let latest = environment.now().millisecondsSince1970 + Timestamp.millisecondsPerDay
    return try send(.fixesArrived(fixes.map { $0.withoutTime(after: latest) }))
  }

  /// Ends the segment, as after a gap: the next fix is not compared with the fixes before it. A fix
  /// that was waiting for the next one gets its verdict now.
  ///
  /// - Throws: the same errors as ``add(_:)-(Fix)``.
  @discardableResult
  public func endSegment() throws -> Change { try send(.interrupted) }

  /// Ends the segment, and ignores fixes until ``resume()``.
  ///
  /// - Throws: the same errors as ``add(_:)-(Fix)``.
  @discardableResult
  public func pause() throws -> Change { try send(.paused) }

  /// Takes fixes again.
  ///
  /// - Throws: the same errors as ``add(_:)-(Fix)``.
  @discardableResult
  public func resume() throws -> Change { try send(.resumed) }

  /// Ends the recording and writes its report. A fix that was waiting for the next one gets its
  /// verdict first, which the totals count. Afterwards nothing can be added; to finish again
  /// changes nothing and returns the same totals.
  ///
  /// - Throws: the same errors as ``add(_:)-(Fix)``; the recording is then not finished, and the
  ///   call can be repeated.
  /// - Returns: the totals of the recording.
  @discardableResult
  public func finish() throws -> TrackReport {
    try end().report
  }

  /// Ends the recording; returns its totals, and what the end changed.
  package func end() throws -> (report: TrackReport, change: Change) {
    guard session.phase != .finished else { return (session.report, Change()) }
    // What waits is stored first: if the end fails, it must not be stored again.
    var change = try send(.interrupted)
    change.append(try send(.finished))
    return (session.report, change)
  }

  /// The state of the session: its totals, its place, and whether it is paused.
  public var state: LiveSession.State {
    followSettings()
    return session
  }

  // MARK: - Carrying out

  /// Sends an action and carries out its effects. If one fails, the session is as before.
  private func send(_ action: LiveSession.Action) throws -> Change {
    followSettings()
    let before = session
    var change = Change()
    do {
      try carryOut(LiveSession().reduce(&session, action), &change)
    } catch {
      session = before
      throw error
    }
    retrySeconds = LiveSession.retrySeconds
    environment.publish(change.events)
    defer { unreported = Change() }
    var reported = unreported
    reported.append(change)
    return reported
  }

  /// Takes the rules of changed settings, so that they apply to the next fix.
  private func followSettings() {
    guard session.phase != .finished, let rules = environment.changedRules(session.rules) else {
      return
    }
    _ = LiveSession().reduce(&session, .rulesChanged(rules))
  }

  private func carryOut(_ effects: [LiveSession.Effect], _ change: inout Change) throws {
    for effect in effects {
      switch effect {
      case .store(let request):
        try store(request, &change)
      case .findPlace(let coordinate):
        let place = environment.place(coordinate)
        try carryOut(LiveSession().reduce(&session, .placeFound(place)), &change)
      case .publish(let event):
        change.events.append(event)
      case .setTimer(let seconds):
        tickTime = environment.clock.now + .seconds(seconds)
        startTimer()
      case .cancelTimer:
        tickTime = nil
      case .end(let report):
        let unlocks = try environment.end(report, session.hasBackwardTime)
        change.events += unlocks.map { .achievementUnlocked($0) }
        tickTime = nil
        timer?.cancel()
      }
    }
  }

  private func store(_ request: LiveSession.StoreRequest, _ change: inout Change) throws {
    let stored = try environment.store(request, session.rules)
    change.stored = change.stored + stored.changes
    change.verdicts += request.verdicts.map { judged in
      let isWithheld =
        stored.outcome.withheld > 0 && stored.outcome.zones.contains(judged.fix.coordinate)
      return isWithheld ? JudgedFix(fix: judged.fix, verdict: .dropped(.privacyZone)) : judged
    }
    if let rules = stored.newRules { _ = LiveSession().reduce(&session, .rulesChanged(rules)) }
    try carryOut(
      LiveSession().reduce(&session, .stored(request.id, stored.outcome)), &change)
  }

  // MARK: - Timer

  /// Starts the one task that waits for ``tickTime``, which may move while it waits.
  private func startTimer() {
    guard timer == nil else { return }
    timer = Task { [weak self, clock = environment.clock] in
      while let time = await self?.tickTime {
        guard (try? await clock.sleep(until: time, tolerance: nil)) != nil else { return }
        await self?.tickIfDue()
      }
      await self?.endTimer()
    }
  }

  private func endTimer() {
    timer = nil
    if tickTime != nil { startTimer() }
  }

  private func tickIfDue() {
    guard let time = tickTime, time <= environment.clock.now else { return }
    tickTime = nil
    do {
      unreported = try send(.clockTicked)
    } catch StoreError.recordingForgotten {
      // Nothing can be stored any more. The next call throws.
    } catch {
      // What waits is stored with the next fix, or with the next tick.
      tickTime = environment.clock.now + .seconds(retrySeconds)
      retrySeconds = min(2 * retrySeconds, Self.longestRetrySeconds)
    }
  }
}

extension Fix {
  /// The fix without its time if that is before 1970 or after a time in milliseconds since then.
  fileprivate func withoutTime(after latest: Int64) -> Fix {
    guard let time, time.millisecondsSince1970 < 0 || time.millisecondsSince1970 > latest else {
      return self
    }
    var fix = self
    fix.time = nil
    return fix
  }
}
