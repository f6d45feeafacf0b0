import GeoStore
import Geodesy
import Roqua
import SQLiteLayer
import TrackIngest

/// Records what is in the inbox: each device is a source of the store, as long as the server runs.
///
/// An entry leaves the inbox when the store has decided about it. A call to a recording stores a
/// fix and returns its verdict; if the program is killed before the entry is removed, the next
/// start finds the fix in the store and does not record it again.
package actor PhoneRecorder {
  /// A call to a recording.
  private enum Step {
    case endRun
    case add([Inbox.Entry])
  }

  /// The recording of one device.
  private struct Device {
    /// Nil until the first step.
    var recording: Recording?
    var track = DeviceTrack()
    /// The entries that wait for a verdict, in the order in which they were recorded.
    var undecided: [Inbox.Entry] = []
    /// What is to be done next, in order. A step stays until it has succeeded.
    var steps: [Step] = []

    /// The numbers of the entries that wait for a step or a verdict.
    var numbers: [Int64] {
      let planned = steps.flatMap { step -> [Int64] in
        if case .add(let run) = step { run.map(\.id) } else { [] }
      }
      return undecided.map(\.id) + planned
    }
  }

  /// Counts since the start.
  package struct Counts: Sendable {
    /// Fixes that were kept.
    package var kept = 0
    /// Fixes that were dropped, by reason.
    package var dropped: [DropReason: Int] = [:]
    /// Calls that failed because the store could not be written.
    package var failures = 0
    /// The time of the last fix of each device.
    package var lastTimes: [String: Timestamp] = [:]
    /// Whether the last attempt to write the store succeeded.
    package var isHealthy = true
    package init() {}
  }

  /// The maximum number of entries that are read at once.
  private static let batch = 5_000

  private let explorer: Explorer
  private let inbox: Inbox
  private var devices: [String: Device] = [:]
  /// The numbers of the entries that the store has decided about, which are still in the inbox.
  private var decided: Set<Int64> = []
  /// The devices whose recordings were abandoned during the present call.
  private var failed: Set<String> = []
  private var lastRead: Int64 = 0
  private var isRecovered = false
  /// Counts since the start.
  package private(set) var counts = Counts()

  /// Creates a recorder that has recorded nothing yet.
  package init(_ explorer: Explorer, _ inbox: Inbox) {
    (self.explorer, self.inbox) = (explorer, inbox)
  }

  /// Records what is in the inbox, over and over, until the task is canceled.
  ///
  /// - Parameter pause: the time between two looks into the inbox.
  package func run(every pause: Duration = .milliseconds(250)) async {
    while !Task.isCancelled {
      if inbox.waitingCount > 0 { await record() }
      try? await Task.sleep(for: pause)
    }
  }

  /// Records what is in the inbox now. After a failure, the next call tries the same entries again.
  package func record() async {
    var isStored = false
    do {
      try await recover()
      // What a busy store did not take before.
      try await carryOutSteps()
      try await removeDecided()
      while true {
        let reading = try await inbox.read(after: lastRead, limit: Self.batch)
        guard reading.last > lastRead else { break }
        let known = knownNumbers
        plan(reading.entries.filter { !known.contains($0.id) && !failed.contains($0.device) })
        lastRead = reading.last
        try await carryOutSteps()
        try await removeDecided()
      }
      isStored = failed.isEmpty
    } catch {
      // Everything is as before the step that failed, which the next call repeats.
    }
    if !isStored { counts.failures += 1 }
    counts.isHealthy = isStored
    guard !failed.isEmpty else { return }
    // Their entries are read again, by recordings that have no memory of them.
    (failed, lastRead, isRecovered) = ([], 0, false)
  }

  /// The numbers of the entries that were read and are not removed yet.
  private var knownNumbers: Set<Int64> {
    devices.values.reduce(into: decided) { $0.formUnion($1.numbers) }
  }

  /// Ends all recordings, which decides about every fix.
  package func finish() async {
    await record()
    for name in devices.keys.sorted() {
      guard var device = devices[name], let recording = device.recording else { continue }
      if let change = try? await recording.endRun() { settle(change, &device) }
      guard (try? await recording.finish()) != nil else { continue }
      decided.formUnion(device.undecided.map(\.id))
    }
    devices = [:]
    try? await removeDecided()
  }

  /// Ends the recording of a device after a failure.
  private func abandon(_ name: String) async {
    if let recording = devices[name]?.recording { _ = try? await recording.finish() }
    devices[name] = nil
    failed.insert(name)
  }

  /// Removes entries that the store already has: the program ended between storing and removing.
  private func recover() async throws {
    guard !isRecovered else { return }
    let known = knownNumbers
    let entries = try await inbox.entries(after: 0, limit: Inbox.capacity)
      .filter { !known.contains($0.id) }
    if !entries.isEmpty {
      try await inbox.settle(Self.stored(entries, in: explorer))
    }
    isRecovered = true
  }

  /// The numbers of the entries whose fixes a recording of the same device contains.
  private static func stored(
    _ entries: [Inbox.Entry], in explorer: Explorer
  ) async throws -> [Int64] {
    struct Mark: Hashable {
      let device: String
      let coordinate: Coordinate
      let time: Timestamp?
    }
    var numbers: [Mark: Int64] = [:]
    for entry in entries {
      numbers[
        Mark(device: entry.device, coordinate: entry.fix.coordinate, time: entry.fix.time)] =
        entry.id
    }
    let wanted = numbers
    let recordings = try await explorer.sources().filter { $0.format == "live" }
    let names = Dictionary(uniqueKeysWithValues: recordings.map { ($0.id, $0.path) })
    return try await explorer.read { snapshot in
      var found: [Int64] = []
      try snapshot.forEachChunkOfKeptFixesBySource { source, fixes in
        guard let device = names[source] else { return }
        for fix in fixes {
          let mark = Mark(device: device, coordinate: fix.coordinate, time: fix.time)
          if let number = wanted[mark] { found.append(number) }
        }
      }
      return found
    }
  }

  /// Divides new entries into the steps of their devices.
  private func plan(_ entries: [Inbox.Entry]) {
    for (name, group) in Dictionary(grouping: entries, by: \.device) {
      // Requests of one phone overtake each other.
      let sorted = group.sorted { one, other in
        guard let first = one.fix.time, let second = other.fix.time, first != second else {
          return one.id < other.id
        }
        return first < second
      }
      var device = devices[name] ?? Device()
      var run: [Inbox.Entry] = []
      for entry in sorted {
        if device.track.startsRun(entry.fix) {
          if !run.isEmpty { device.steps.append(.add(run)) }
          run = []
          device.steps.append(.endRun)
        }
        run.append(entry)
      }
      if !run.isEmpty { device.steps.append(.add(run)) }
      devices[name] = device
      if let time = group.compactMap(\.fix.time).max() {
        counts.lastTimes[name] = max(time, counts.lastTimes[name] ?? time)
      }
    }
  }

  /// Carries out the steps of all devices. Abandons the recording of a device whose step fails for
  /// good, and goes on with the others.
  ///
  /// - Throws: `DatabaseError` if the store is busy or the disk is full: all steps that are left
  ///   can be repeated.
  private func carryOutSteps() async throws {
    for name in devices.keys.sorted() {
      do {
        try await carryOutSteps(of: name)
      } catch {
        if Self.isPassing(error) { throw error }
        await abandon(name)
      }
    }
  }

  /// Whether the same call may succeed later.
  private static func isPassing(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    switch error {
    case .busy, .diskFull: return true
    default: return false
    }
  }

  private func carryOutSteps(of name: String) async throws {
    guard var device = devices[name], !device.steps.isEmpty else { return }
    defer { devices[name] = device }
    let recording: Recording
    if let known = device.recording {
      recording = known
    } else {
      recording = try await explorer.startRecording(named: name)
      device.recording = recording
    }
    while let step = device.steps.first {
      switch step {
      case .endRun:
        let change = try await recording.endRun()
        settle(change, &device)
      case .add(let run):
        let change = try await recording.add(run.map(\.fix))
        device.undecided += run
        settle(change, &device)
      }
      device.steps.removeFirst()
    }
  }

  /// Notes the entries about which a call decided. Verdicts come in the order of the fixes.
  private func settle(_ change: Recording.Change, _ device: inout Device) {
    for judged in change.verdicts {
      switch judged.verdict {
      case .kept: counts.kept += 1
      case .dropped(let reason): counts.dropped[reason, default: 0] += 1
      }
    }
    // Those before the last one may have been decided without a call, after a time.
    guard let last = change.verdicts.last?.fix,
      let index = device.undecided.lastIndex(where: { $0.fix == last })
    else { return }
    decided.formUnion(device.undecided[...index].map(\.id))
    device.undecided.removeFirst(index + 1)
  }

  /// Removes the entries that the store has decided about from the inbox, all in one transaction: a
  /// transaction for each device would wait for the disk each time.
  private func removeDecided() async throws {
    let ids = decided
    try await inbox.settle(ids.sorted())
    decided.subtract(ids)
  }
}
