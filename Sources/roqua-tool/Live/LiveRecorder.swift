import Foundation
import GeoStore
import Geodesy
import Receivers
import Roqua
import Synchronization
import TrackIngest

/// Carries the fixes of a receiver into a recording, and what follows from them to an output.
///
/// A fix that comes after a quiet time is stored at once. Further ones are stored together, every
/// ``longestWaitSeconds``, so that a fast stream needs few transactions and a crash loses less than
/// a second.
final class LiveRecorder {
  /// The longest time in seconds that a fix waits for others.
  static let longestWaitSeconds = 0.5
  /// The most fixes that are stored together.
  static let largestBatch = 4_096
  /// The longest time in seconds until a signal is noticed.
  private static let patienceSeconds = 0.1

  private let explorer: Explorer
  private let name: String
  private let intervalSeconds: Double?
  private let output: any LiveOutput
  private let cancellation: Cancellation

  private var decoder: LiveDecoder
  private var state: LiveState
  private var recording: Recording?
  private var pending: [Fix] = []
  private var lastStored: ContinuousClock.Instant?
  private var lastTaken = ContinuousClock.now

  init(
    explorer: Explorer, name: String, source: String, intervalSeconds: Double?,
    decoder: LiveDecoder, output: any LiveOutput, cancellation: Cancellation
  ) throws {
    self.explorer = explorer
    self.name = name
    self.intervalSeconds = intervalSeconds
    self.output = output
    self.cancellation = cancellation
    self.decoder = decoder
    let zones = try explorer.filterSettings().zones
    state = LiveState(name: name, source: source, zones: zones)
  }

  /// The present time.
  static func now() -> Timestamp { Timestamp(Date()) }

  /// What was recorded.
  struct Summary {
    let sentence: String
  }

  /// Records until the receiver ends, a signal comes or the output is closed, and ends the
  /// recording.
  func run(_ options: ByteSource.Options, reconnects: Bool) throws -> Summary {
    let stream = ReceiverStream(options, reconnects: reconnects)
    defer { stream.stop() }
    publish([["event": "started", "source": .string(state.source), "name": .string(name)]])
    var failure: ReceiverError?
    do {
      failure = try receive(from: stream)
    } catch {
      // What was stored stays; the error of the store is the one to report.
      _ = try? finish()
      throw error
    }
    let report = try finish()
    if let failure { throw Console.Failure("\(state.source): \(failure)") }
    guard let report else {
      if cancellation.isCancelled || output.isClosed { return Summary(sentence: "no fixes") }
      throw Console.Failure(
        "\(state.source): no fix in NMEA sentences or messages of gpsd; use roqua import for "
          + "files of other formats")
    }
    return Summary(
      sentence: "\(Wording.count(report.kept, "fix", "fixes")) of "
        + "\(Wording.count(report.points)) kept in the recording \(name)")
  }

  /// Takes what the receiver sends, until the end.
  ///
  /// - Returns: why the receiver cannot be read any more; nil if it has no more to say.
  private func receive(from stream: ReceiverStream) throws -> ReceiverError? {
    while !cancellation.isCancelled, !output.isClosed {
      if let item = stream.next(until: nextDeadline) {
        if decoder.awaitsMore, item.silenceSeconds >= LiveDecoder.quietSeconds {
          try take(decoder.silence(now: Self.now()))
        }
        lastTaken = .now
        switch item.event {
        case .opened: show(state.open())
        case .bytes(let bytes):
          let events = bytes.withUnsafeBytes { decoder.decode($0, now: Self.now()) }
          if !events.isEmpty { stream.noteGoodData() }
          state.receive(bytes.count, isUnderstood: !events.isEmpty)
          try take(events)
        case .lost(let error, let seconds):
          try take(decoder.breakOff(now: Self.now()))
          try pause()
          show(state.lose(error.description, retrySeconds: seconds))
        case .ended(let error):
          try take(decoder.finish())
          return error
        }
      } else if decoder.awaitsMore, lastTaken.duration(to: .now) >= quiet {
        try take(decoder.silence(now: Self.now()))
      }
      if isTimeToStore { try store() }
      output.update(state)
    }
    try take(decoder.breakOff(now: Self.now()))
    return nil
  }

  private var quiet: Duration { .seconds(LiveDecoder.quietSeconds) }

  private var isTimeToStore: Bool {
    guard !pending.isEmpty else { return false }
    guard let lastStored, pending.count < Self.largestBatch else { return true }
    return lastStored.duration(to: .now) >= .seconds(Self.longestWaitSeconds)
  }

  /// When there is something to do even if nothing comes.
  private var nextDeadline: ContinuousClock.Instant {
    var deadline = ContinuousClock.now + .seconds(Self.patienceSeconds)
    if decoder.awaitsMore { deadline = min(deadline, lastTaken + quiet) }
    if !pending.isEmpty, let lastStored {
      deadline = min(deadline, lastStored + .seconds(Self.longestWaitSeconds))
    }
    return deadline
  }

  // MARK: What the receiver says

  private func take(_ events: [ReceiverEvent]) throws {
    for event in events {
      switch event {
      case .fix(let fix):
        pending.append(fix)
        if pending.count >= Self.largestBatch { try store() }
      case .gap: try pause()
      default: break
      }
      show(state.take(event))
    }
  }

  // MARK: The recording

  /// Stores the fixes that wait.
  private func store() throws {
    guard !pending.isEmpty else { return }
    let recording = try recording ?? start()
    self.recording = recording
    let fixes = pending
    let change = try Blocking.wait { try await recording.add(fixes) }
    pending.removeAll(keepingCapacity: true)
    lastStored = .now
    show(change)
  }

  private func start() throws -> Recording {
    let (explorer, name, seconds) = (explorer, name, intervalSeconds)
    let recording = try Blocking.wait {
      try await explorer.startRecording(named: name, minimumIntervalSeconds: seconds)
    }
    let id = Int(recording.sourceID)
    publish([["event": "recording", "id": .integer(id), "name": .string(name)]])
    return recording
  }

  /// Ends the segment.
  private func pause() throws {
    try store()
    guard let recording else { return }
    show(try Blocking.wait { try await recording.endSegment() })
  }

  private func finish() throws -> TrackReport? {
    try pause()
    guard let recording else { return nil }
    let (report, change) = try Blocking.wait { try await recording.end() }
    show(change)
    publish([LiveEventLines.finished(report)])
    return report
  }

  // MARK: What follows

  /// The one place where a change of the recording becomes lines and a screen.
  private func show(_ change: Recording.Change) {
    let geocoder = explorer.geocoder
    show(state.take(change, at: Self.now()) { geocoder.place(at: $0) })
  }

  private func show(_ events: [LiveEvent]) {
    guard output.takesEvents else { return }
    publish(events.map(\.json))
  }

  private func publish(_ lines: [JSONValue]) {
    if output.takesEvents, !lines.isEmpty { output.print(lines) }
  }
}

/// Waits for asynchronous work on a thread that may block.
enum Blocking {
  /// Runs `body` and waits for its result.
  static func wait<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let box = Box<Value>()
    Task.detached {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      box.result.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let result = box.result.withLock({ $0 }) else {
      preconditionFailure("the work signals only after it has a result")
    }
    return try result.get()
  }

  private final class Box<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }
}
