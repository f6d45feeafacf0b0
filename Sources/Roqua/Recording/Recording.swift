import Foundation
import GeoStore
import Geodesy
import TrackIngest

/// A track that is recorded live. Takes the raw fixes of a receiver, keeps those that pass the
/// filter, and stores each of them immediately with the regions and cells that follow from it.
/// After a crash, the store contains everything for which ``add(_:)-(Fix)`` returned a verdict.
///
/// A fix that may be part of a flight waits for the next ones, at the speed of an aircraft and for
/// about a minute, so that a flight explores nothing.
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
/// Calls run one after another, in the order in which they arrive, on the recording's own thread.
public actor Recording {
  /// The number of the recording's source in the store.
  public nonisolated let sourceID: StoredSource.ID
  /// The name of the recording.
  public nonisolated let name: String

  private nonisolated let executor: QueueExecutor
  private let writer: RecordingWriter
  private let identifier: String
  private var state: State
  private var isFinished = false

  /// The state that a call changes, kept together so that a failed call can be undone.
  private struct State {
    var filter: FixFilter
    var flights: FlightRecognizer
    /// The verdicts that wait, in the order of the fixes: the first is about a kept fix that may be
    /// part of a flight.
    var waiting: [Judged] = []
    var report = TrackReport()
    /// The heights of the kept fixes on the ground.
    var heights = HeightProfile()
    /// True if the next fix starts a segment.
    var startsSegment = true
    /// True if the next kept fix starts a segment.
    var keptStartsSegment = true
    /// True if a time was earlier than one before it.
    var hasBackwardTime = false
  }

  /// Runs on its own queue, since SQLite blocks.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// The result of a call to ``Recording/add(_:)-(Fix)``.
  public struct Change: Hashable, Sendable {
    /// The verdicts known so far, in the order of the fixes. A fix that could only be reached at an
    /// implausible speed waits for the next fix, so its verdict may come one call late. One reached
    /// at the speed of an aircraft waits until it is known whether it is part of a flight.
    public var verdicts: [Judged] = []
    /// The changes to the store.
    public var stored = SourceChanges()
  }

  /// A fix and the filter's verdict about it.
  public struct Judged: Hashable, Sendable {
    /// The fix.
    public let fix: Fix
    /// Kept, or the reason why the fix was dropped.
    public let verdict: Verdict
    /// True if the fix was made in the air, on a flight. It explores nothing unless the setting
    /// `flightsExplore` is 1.
    public internal(set) var isInFlight = false
    /// True if the step from the kept fix before belongs to a flight.
    var endsFlightLeg = false
  }

  init(
    writer: RecordingWriter, name: String, identifier: String, filter: FilterSettings
  ) {
    self.writer = writer
    self.name = name
    self.identifier = identifier
    sourceID = writer.id
    state = State(
      filter: FixFilter(settings: filter),
      flights: FlightRecognizer(settings: filter, isLive: true))
    executor = QueueExecutor(label: "Roqua recording \(writer.id)")
  }

  /// Adds the next fix of the receiver.
  ///
  /// - Throws: `DatabaseError` if the fix cannot be stored; the call has changed nothing and can be
  ///   repeated. `StoreError.recordingForgotten(path:id:)` if the recording was forgotten in the
  ///   meantime.
  /// - Precondition: the recording is not finished.
  public func add(_ fix: Fix) throws -> Change { try add([fix]) }

  /// Adds fixes of the receiver, in order, and stores those that are kept in one transaction.
  ///
  /// - Throws: the same errors as ``add(_:)-(Fix)``.
  public func add(_ fixes: [Fix]) throws -> Change {
    precondition(!isFinished, "the recording is finished")
    return try changing { state, change in
      for fix in fixes {
        Self.note(fix, in: &state)
        var judged: [Judged] = []
        state.filter.push(fix, startsSegment: state.startsSegment) {
          judged.append(Judged(fix: $0, verdict: $1))
        }
        for one in judged { Self.decide(one, &state, &change) }
        state.startsSegment = false
      }
      try store(&change, &state, points: fixes.count)
    }
  }

  /// Ends the segment: the next fix is not compared with the fixes before it. A fix that was
  /// waiting for the next one gets its verdict now.
  ///
  /// - Throws: the same errors as ``add(_:)-(Fix)``.
  @discardableResult
  public func pause() throws -> Change {
    try changing { state, change in
      var judged: [Judged] = []
      state.filter.finish { judged.append(Judged(fix: $0, verdict: $1)) }
      for one in judged { Self.decide(one, &state, &change) }
      var waiting = state.waiting
      state.flights.finish { Self.release($0, &waiting, &change) }
      state.waiting = []
      try store(&change, &state, points: 0)
      (state.startsSegment, state.keptStartsSegment) = (true, true)
    }
  }

  /// Ends the recording and writes its report.
  ///
  /// - Throws: the same errors as ``add(_:)-(Fix)``.
  /// - Returns: the totals of the recording.
  @discardableResult
  public func finish() throws -> TrackReport {
    guard !isFinished else { return state.report }
    try pause()
    let report = state.report
    let times = report.firstTime.flatMap { first in report.lastTime.map { first...max(first, $0) } }
    try writer.finish(
      report: recordingReport.description, times: times,
      staysAtEnd: report.staysAtEnd && !state.hasBackwardTime)
    isFinished = true
    return report
  }

  /// Runs `body` on the state and restores the state if `body` throws.
  private func changing(_ body: (inout State, inout Change) throws -> Void) throws -> Change {
    var (next, change) = (state, Change())
    try body(&next, &change)
    state = next
    return change
  }

  /// Adds a verdict to the change, unless it waits for the recognizer of flights.
  private static func decide(_ judged: Judged, _ state: inout State, _ change: inout Change) {
    guard judged.verdict == .kept else {
      if state.waiting.isEmpty {
        change.verdicts.append(judged)
      } else {
        state.waiting.append(judged)
      }
      return
    }
    state.waiting.append(judged)
    var waiting = state.waiting
    state.waiting = []
    state.flights.push(AcceptedFix(fix: judged.fix, startsSegment: false)) {
      release($0, &waiting, &change)
    }
    state.waiting = waiting
  }

  /// Moves the oldest waiting verdict, about this fix, to the change, and the verdicts about
  /// dropped fixes behind it.
  private static func release(
    _ fix: AcceptedFix, _ waiting: inout [Judged], _ change: inout Change
  ) {
    guard !waiting.isEmpty else { return }
    waiting[0].isInFlight = fix.isInFlight
    waiting[0].endsFlightLeg = fix.endsFlightLeg
    let end = waiting.dropFirst().firstIndex { $0.verdict == .kept } ?? waiting.count
    change.verdicts += waiting[..<end]
    waiting.removeFirst(end)
  }

  private static func note(_ fix: Fix, in state: inout State) {
    state.report.points += 1
    if fix.horizontalAccuracyMeters == nil { state.report.unknownAccuracy += 1 }
    if fix.time == nil { state.report.undated += 1 }
    // Of a fix in a privacy zone, the report contains neither place nor time.
    if state.filter.isInZone(fix.coordinate) { return }
    if !fix.coordinate.isNullIsland, state.report.extent?.include(fix.coordinate) == nil {
      state.report.extent = Extent(fix.coordinate)
    }
    guard let time = fix.time else { return }
    if let last = state.report.lastTime, time < last { state.hasBackwardTime = true }
    state.report.firstTime = state.report.firstTime.map { min($0, time) } ?? time
    state.report.lastTime = state.report.lastTime.map { max($0, time) } ?? time
  }

  /// Stores those of the judged fixes that were kept.
  private func store(_ change: inout Change, _ state: inout State, points: Int) throws {
    let kept = Self.kept(change.verdicts, &state)
    if points > 0 || !kept.isEmpty {
      let known = state.heights
      for judged in change.verdicts
      where judged.verdict == .kept && !judged.isInFlight {
        state.heights.take(judged.fix.elevationMeters, at: judged.fix.time)
      }
      let heights = known == state.heights ? nil : (state.heights, state.filter.zones)
      let appended = try writer.append(kept, points: points, heights: heights)
      change.stored = appended.changes
      if appended.changes.withheld > 0 {
        Self.withhold(&change.verdicts, in: appended.zones)
        state.report.extent = nil
      }
      let isChanged = appended.changes.withheld > 0 || state.filter.zones != appended.zones
      // The heights may be those of deleted fixes.
      if isChanged { state.heights = HeightProfile() }
      if isChanged, state.filter.changeZones(to: appended.zones) { state.keptStartsSegment = true }
    }
    state.report.flights = state.flights.flightCount
    for judged in change.verdicts {
      switch judged.verdict {
      case .kept:
        state.report.kept += 1
        state.report.flightPoints += judged.isInFlight ? 1 : 0
      case .dropped(let reason): state.report.dropped[reason] += 1
      }
    }
  }

  /// The fixes to store.
  private static func kept(_ verdicts: [Judged], _ state: inout State) -> [KeptFix] {
    var kept: [KeptFix] = []
    for judged in verdicts {
      switch judged.verdict {
      case .kept:
        kept.append(
          KeptFix(
            coordinate: judged.fix.coordinate, time: judged.fix.time,
            accuracyMeters: judged.fix.horizontalAccuracyMeters,
            startsSegment: state.keptStartsSegment, isInFlight: judged.isInFlight,
            endsFlightLeg: judged.endsFlightLeg))
        state.keptStartsSegment = false
      case .dropped(.privacyZone): state.keptStartsSegment = true
      case .dropped: break
      }
    }
    return kept
  }

  /// Corrects the verdicts about fixes that the store left out because they lie in a privacy zone
  /// that was added after the last call.
  private static func withhold(_ verdicts: inout [Judged], in zones: PrivacyZones) {
    for index in verdicts.indices where zones.contains(verdicts[index].fix.coordinate) {
      verdicts[index] = Judged(fix: verdicts[index].fix, verdict: .dropped(.privacyZone))
    }
  }

  private var recordingReport: JSONValue {
    let report = state.report
    return [
      "path": .string(name), "format": .string(Self.format), "status": "recorded",
      "sha256": .string(identifier), "bytes": .integer(0), "points": .integer(report.points),
      "kept": .integer(report.kept), "flights": .integer(report.flights),
      "flightPoints": .integer(report.flightPoints),
      "dropped": .object(
        DropReason.allCases.map { .init($0.rawValue, .integer(report.dropped[$0])) }),
      "firstTime": report.firstTime.map { .string($0.iso8601) } ?? .null,
      "lastTime": report.lastTime.map { .string($0.iso8601) } ?? .null,
    ]
  }

  /// The format of the source as listed by the store.
  static let format = "live"
}

extension Explorer {
  /// Starts a recording: a source that is stored as it grows.
  ///
  /// - Parameters:
  ///   - name: the name of the source, listed in place of a path.
  ///   - minimumIntervalSeconds: drops a fix sooner than this after the last kept one; nil for the
  ///     store's setting if it was set, otherwise 5 s.
  /// - Throws: `DatabaseError`.
  public func startRecording(
    named name: String, minimumIntervalSeconds: Double? = nil
  ) async throws -> Recording {
    try await Store.onThread { _ in
      let settings = try self.settings()
      var filter = try self.filterSettings()
      if let minimumIntervalSeconds {
        filter.minimumIntervalSeconds = minimumIntervalSeconds
      } else if !settings.isSet(.minimumIntervalSeconds) {
        filter.minimumIntervalSeconds = FilterSettings.liveIntervalSeconds
      }
      // A recording has no bytes to identify it by, so 256 random bits do.
      let digits = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
      let identifier = digits.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
      let writer = try self.store.beginRecording(
        identifier: identifier, name: name, format: Recording.format)
      return Recording(writer: writer, name: name, identifier: identifier, filter: filter)
    }
  }
}
