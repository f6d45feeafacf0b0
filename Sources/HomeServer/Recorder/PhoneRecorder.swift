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
  /// The recording of one device.
  private struct Device {
    let recording: Recording
    var track = DeviceTrack()
    /// The entries that wait for a verdict, in the order in which they were recorded.
    var undecided: [Inbox.Entry] = []
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
  private var decided: [Int64] = []
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
    do {
      try await recover()
      while true {
        let entries = try await inbox.entries(after: lastRead, limit: Self.batch)
        guard let last = entries.last else { break }
        try await record(entries)
        try await removeDecided()
        lastRead = last.id
      }
      counts.isHealthy = true
    } catch {
      counts.failures += 1
      counts.isHealthy = false
      // What was not decided is read again, by recordings that have no memory of it.
      await abandon()
    }
  }

  /// Ends all recordings, which decides about every fix.
  package func finish() async {
    await record()
    for name in devices.keys.sorted() {
      guard var device = devices[name] else { continue }
      if let change = try? await device.recording.endRun() { settle(change, &device) }
      guard (try? await device.recording.finish()) != nil else { continue }
      decided += device.undecided.map(\.id)
    }
    devices = [:]
    try? await removeDecided()
  }

  /// Ends all recordings after a failure.
  private func abandon() async {
    for device in devices.values { _ = try? await device.recording.finish() }
    devices = [:]
    decided = []
    lastRead = 0
    isRecovered = false
  }

  /// Removes entries that the store already has: the program ended between storing and removing.
  private func recover() async throws {
    guard !isRecovered else { return }
    let entries = try await inbox.entries(after: 0, limit: Inbox.capacity)
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

  private func record(_ entries: [Inbox.Entry]) async throws {
    var byDevice: [String: [Inbox.Entry]] = [:]
    var order: [String] = []
    for entry in entries {
      if byDevice[entry.device] == nil { order.append(entry.device) }
      byDevice[entry.device, default: []].append(entry)
    }
    for name in order {
      // Requests of one phone overtake each other.
      let sorted = (byDevice[name] ?? []).sorted { one, other in
        guard let first = one.fix.time, let second = other.fix.time, first != second else {
          return one.id < other.id
        }
        return first < second
      }
      try await record(sorted, from: name)
    }
  }

  private func record(_ entries: [Inbox.Entry], from name: String) async throws {
    var device = try await device(name)
    var run: [Inbox.Entry] = []
    for entry in entries {
      if device.track.startsRun(entry.fix) {
        try await add(run, to: &device)
        run = []
        settle(try await device.recording.endRun(), &device)
      }
      run.append(entry)
    }
    try await add(run, to: &device)
    devices[name] = device
    if let time = entries.compactMap(\.fix.time).max() {
      counts.lastTimes[name] = max(time, counts.lastTimes[name] ?? time)
    }
  }

  private func device(_ name: String) async throws -> Device {
    if let known = devices[name] { return known }
    let device = Device(recording: try await explorer.startRecording(named: name))
    devices[name] = device
    return device
  }

  private func add(_ run: [Inbox.Entry], to device: inout Device) async throws {
    guard !run.isEmpty else { return }
    let change = try await device.recording.add(run.map(\.fix))
    device.undecided += run
    settle(change, &device)
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
    decided += device.undecided[...index].map(\.id)
    device.undecided.removeFirst(index + 1)
  }

  /// Removes the entries that the store has decided about from the inbox, all in one transaction: a
  /// transaction for each device would wait for the disk each time.
  private func removeDecided() async throws {
    try await inbox.settle(decided)
    decided = []
  }
}
