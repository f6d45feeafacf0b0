import Foundation
import GeoStore
import Geodesy
import TrackIngest

/// A track that is recorded live: it takes the raw fixes of a receiver, keeps those that pass the
/// filter, and stores each of them at once, with the regions and cells that follow. After a crash
/// everything that ``add(_:)-(Fix)`` returned for is in the store.
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
/// Calls are taken one after another, in the order in which they come, on a thread of the
/// recording's own.
public actor Recording {
  /// The number of its source in the store.
  public nonisolated let sourceID: StoredSource.ID
  /// Its name.
  public nonisolated let name: String

  private nonisolated let executor: QueueExecutor
  private let writer: RecordingWriter
  private let identifier: String
  private var state: State
  private var isFinished = false

  /// What a call changes, so that one that fails leaves no trace.
  private struct State {
    var filter: FixFilter
    var report = TrackReport()
    /// Whether the next fix starts a segment.
    var startsSegment = true
    /// Whether the next kept fix does.
    var keptStartsSegment = true
    /// Whether a time was earlier than one before.
    var hasBackwardTime = false
  }

  /// Runs on a queue of its own, since SQLite blocks.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// What a call to ``Recording/add(_:)-(Fix)`` came to.
  public struct Change: Hashable, Sendable {
    /// The verdicts that are known now, in the order of the fixes. A fix that could only have been
    /// reached too fast waits for the one after it, so its verdict may come one call late.
    public var verdicts: [Judged] = []
    /// What was stored, and what changed in the store.
    public var stored = SourceChanges()
  }

  /// A fix and what the filter decided about it.
  public struct Judged: Hashable, Sendable {
    /// The fix.
    public let fix: Fix
    /// Whether it was kept, or why it was dropped.
    public let verdict: Verdict
  }

  init(
    writer: RecordingWriter, name: String, identifier: String, filter: FilterSettings
  ) {
    self.writer = writer
    self.name = name
    self.identifier = identifier
    sourceID = writer.id
    state = State(filter: FixFilter(settings: filter))
    executor = QueueExecutor(label: "Roqua recording \(writer.id)")
  }

  /// Takes the next fix of the receiver.
  ///
  /// - Throws: `DatabaseError` where it cannot be stored: the call has changed nothing then and may
  ///   be repeated. `StoreError.recordingForgotten(path:id:)` where the recording was forgotten
  ///   meanwhile.
  /// - Precondition: the recording is not finished.
  public func add(_ fix: Fix) throws -> Change { try add([fix]) }

  /// Takes fixes of the receiver, in order, and stores those that are kept in one transaction.
  ///
  /// - Throws: as ``add(_:)-(Fix)``.
  public func add(_ fixes: [Fix]) throws -> Change {
    precondition(!isFinished, "the recording is finished")
    return try changing { state, change in
      for fix in fixes {
        Self.note(fix, in: &state)
        state.filter.push(fix, startsSegment: state.startsSegment) {
          change.verdicts.append(Judged(fix: $0, verdict: $1))
        }
        state.startsSegment = false
      }
      try store(&change, &state, points: fixes.count)
    }
  }

  /// Ends the segment: the next fix has nothing before it to be too close to or too far from.
  ///
  /// - Throws: as ``add(_:)-(Fix)``; a fix that was waiting for the next one is judged now.
  @discardableResult
  public func pause() throws -> Change {
    try changing { state, change in
      state.filter.finish { change.verdicts.append(Judged(fix: $0, verdict: $1)) }
      try store(&change, &state, points: 0)
      (state.startsSegment, state.keptStartsSegment) = (true, true)
    }
  }

  /// Ends the recording and writes its report.
  ///
  /// - Throws: as ``add(_:)-(Fix)``.
  /// - Returns: what was found and kept in all.
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

  /// Runs `body` on the state, which stays as it was where `body` throws.
  private func changing(_ body: (inout State, inout Change) throws -> Void) throws -> Change {
    var (next, change) = (state, Change())
    try body(&next, &change)
    state = next
    return change
  }

  private static func note(_ fix: Fix, in state: inout State) {
    state.report.points += 1
    if fix.horizontalAccuracyMeters == nil { state.report.unknownAccuracy += 1 }
    if !fix.coordinate.isNullIsland, state.report.extent?.include(fix.coordinate) == nil {
      state.report.extent = Extent(fix.coordinate)
    }
    guard let time = fix.time else {
      state.report.undated += 1
      return
    }
    if let last = state.report.lastTime, time < last { state.hasBackwardTime = true }
    state.report.firstTime = state.report.firstTime.map { min($0, time) } ?? time
    state.report.lastTime = state.report.lastTime.map { max($0, time) } ?? time
  }

  /// Stores the kept ones of the fixes that were judged.
  private func store(_ change: inout Change, _ state: inout State, points: Int) throws {
    var kept: [KeptFix] = []
    for judged in change.verdicts {
      switch judged.verdict {
      case .kept:
        kept.append(
          KeptFix(
            coordinate: judged.fix.coordinate, time: judged.fix.time,
            accuracyMeters: judged.fix.horizontalAccuracyMeters,
            startsSegment: state.keptStartsSegment))
        state.keptStartsSegment = false
        state.report.kept += 1
      case .dropped(let reason): state.report.dropped[reason] += 1
      }
    }
    guard points > 0 || !kept.isEmpty else { return }
    change.stored = try writer.append(kept, points: points)
  }

  private var recordingReport: JSONValue {
    let report = state.report
    return [
      "path": .string(name), "format": .string(Self.format), "status": "recorded",
      "sha256": .string(identifier), "bytes": .integer(0), "points": .integer(report.points),
      "kept": .integer(report.kept),
      "dropped": .object(
        DropReason.allCases.map { .init($0.rawValue, .integer(report.dropped[$0])) }),
      "firstTime": report.firstTime.map { .string($0.iso8601) } ?? .null,
      "lastTime": report.lastTime.map { .string($0.iso8601) } ?? .null,
    ]
  }

  /// The format of the source, as the store lists it.
  static let format = "live"
}

extension Explorer {
  /// Starts a recording: a source that is stored while it goes on.
  ///
  /// - Parameters:
  ///   - name: what its source is called in place of a path.
  ///   - minimumIntervalSeconds: a fix sooner than this after the last kept one is dropped; nil for
  ///     the store's setting where one was set, else 5 s.
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
      // A recording has no bytes that could name it: 256 random bits do.
      let digits = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
      let identifier = digits.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
      let writer = try self.store.beginRecording(
        identifier: identifier, name: name, format: Recording.format)
      return Recording(writer: writer, name: name, identifier: identifier, filter: filter)
    }
  }
}
