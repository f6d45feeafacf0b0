import Foundation
import Geodesy
import GridHash
import Synchronization
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer
@testable import StoreSync

/// Histories of several devices whose files travel in any order, late, twice or in part: in the end
/// all stores are equal.
@Suite struct HistoryTests {
  /// `ROQUA_HISTORIES` sets another number of them: `make torture` runs 10,000.
  private static let count =
    UInt64(
      ProcessInfo.processInfo.environment["ROQUA_HISTORIES"] ?? "") ?? 60

  private static var seeds: [UInt64] {
    ProcessInfo.processInfo.environment["ROQUA_HISTORY"].flatMap { UInt64($0) }.map { [$0] }
      ?? Seeds.sample(count)
  }

  @Test(arguments: seeds)
  func `devices end with equal stores`(seed: UInt64) throws {
    try History(seed: seed).run()
  }
}

/// One history.
final class History {
  final class Device {
    let number: Int
    let path: String
    let options: StoreOptions
    var store: Store
    let replica = Replica()
    /// How wrong its clock is, in milliseconds.
    let skew: Int64
    var recording: RecordingWriter?
    var steps = 0

    init(_ number: Int, path: String, skew: Int64, clock: @escaping @Sendable () -> Timestamp)
      throws
    {
      (self.number, self.path, self.skew) = (number, path, skew)
      var options = StoreOptions(
        placeNames: {
          PlaceNames(
            country: "\($0.latitudeE7 / 1_000_000)", city: "\($0.longitudeE7 / 400_000)")
        }, now: clock)
      options.reportMembers = { report in
        let kept = report.prefixMatch(of: #/\{"kept":(\d+)\}/#).map { String($0.1) }
        return kept.map { ["kept": $0] } ?? [:]
      }
      self.options = options
      store = try Store(path: path, creating: true, options: options)
    }
  }

  var random: SplitMix64
  private let seed: UInt64
  let folder: TemporaryFolder
  let devices: [Device]
  private let tracks: [[KeptFix]]
  let clock: TestClock
  private let isVerbose = ProcessInfo.processInfo.environment["ROQUA_HISTORY"] != nil

  /// A clock that the history sets.
  final class TestClock: Sendable {
    private let time = Mutex<Int64>(1_700_000_000_000)
    func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    var now: Int64 { time.withLock { $0 } }
  }

  init(seed: UInt64) throws {
    self.seed = seed
    var random = SplitMix64(seed: seed)
    let (folder, clock) = (try TemporaryFolder(), TestClock())
    (self.folder, self.clock) = (folder, clock)
    let homes = Array(awkwardHomes.shuffled(using: &random).prefix(2))
    tracks = (0..<6).map { index in
      let points = wanderingPoints(
        count: Int.random(in: 0...50, using: &random), homes: homes,
        strideMeters: [60, 150, 400][index % 3], using: &random)
      return points.enumerated().map { place, point in
        KeptFix(
          coordinate: point.coordinate, time: point.time, accuracyMeters: 5,
          startsSegment: place == 0)
      }
    }
    devices = try (0..<Int.random(in: 2...5, using: &random)).map { number in
      let skew =
        Int.random(in: 0..<4, using: &random) == 0
        ? Int64.random(in: -3...3, using: &random) * 31_557_600_000 : 0
      return try Device(number, path: folder.file("\(number).sqlite"), skew: skew) {
        Timestamp(millisecondsSince1970: clock.now + skew)
      }
    }
    self.random = random
  }

  func run() throws {
    for device in devices { device.replica.isDamaging = true }
    // One device may sleep for most of the time.
    let sleeper = Int.random(in: 0..<3, using: &random) == 0 ? devices.count - 1 : -1
    for step in 0..<Int.random(in: 6...26, using: &random) {
      clock.advance(by: Int64.random(in: 1...3_600_000, using: &random))
      guard let device = devices.randomElement(using: &random) else { return }
      if device.number == sleeper, step < 20 { continue }
      if Bool.random(using: &random) { try change(device) } else { try sync(device) }
      travel(all: false)
    }
    try settle()
    try compare()
  }

  // MARK: - Steps

  func change(_ device: Device) throws {
    device.steps += 1
    var copy = random
    if isVerbose { print("change", device.number, Int.random(in: 0..<16, using: &copy)) }
    switch Int.random(in: 0..<16, using: &random) {
    case 0...4: try importTrack(device)
    case 5, 6: try record(device)
    case 7: try forget(device)
    case 8: try addZone(device)
    case 9: try removeZone(device)
    case 10: try changeSetting(device)
    case 11: try forgetArea(device)
    case 12: try unlock(device)
    case 13: try importCells(device)
    case 14: try importRegions(device)
    default: try markFlight(device)
    }
  }

  /// Stores a source unless the device has it, as an import does.
  private func `import`(
    _ sha256: String, on device: Device, _ body: (WriteSession) throws -> Void
  ) throws {
    try device.store.write { session in
      guard try !session.hasSource(sha256: sha256), try session.replaceIncomplete(sha256: sha256)
      else { return }
      try body(session)
    }
    try device.store.forgetReplaced()
  }

  private func importTrack(_ device: Device) throws {
    let index = Int.random(in: tracks.indices, using: &random)
    var description = SourceDescription.numbered(index, tracks[index])
    try `import`(description.sha256, on: device) { session in
      let writer = try session.beginSource()
      // Another version of the program may keep other fixes.
      let fixes =
        index == 5 && device.number == 1
        ? tracks[index].enumerated().filter { $0.offset % 2 == 0 }.map(\.element) : tracks[index]
      try writer.append(fixes)
      let zones = try session.zones()
      description.report = "{\"kept\":\(fixes.count { !zones.contains($0.coordinate) })}"
      _ = try writer.finish(description)
    }
  }

  /// Cells that came without fixes.
  private func importCells(_ device: Device) throws {
    let index = Int.random(in: 0..<2, using: &random)
    let hash = String(repeating: "c\(index)", count: 32)
    try `import`(hash, on: device) { session in
      var coverage = Coverage(grid: session.settings.grid)
      for fix in tracks[index].prefix(6) { coverage.mark(discAround: fix.coordinate) }
      let writer = try session.beginCellSource(grid: coverage.grid)
      for (key, tile) in coverage.tiles { try writer.append(tile, at: key) }
      var description = SourceDescription.numbered(index, [])
      (description.sha256, description.format) = (hash, "cells")
      _ = try writer.finish(description)
    }
  }

  /// Regions that came without fixes.
  private func importRegions(_ device: Device) throws {
    let index = Int.random(in: 0..<2, using: &random)
    let hash = String(repeating: "e\(index)", count: 32)
    try `import`(hash, on: device) { session in
      let writer = try session.beginRegionSource()
      for (number, fix) in tracks[index + 2].prefix(6).enumerated() {
        var region = SourceRegion(center: fix.coordinate, original: "{\"row\":\(number)}")
        region.visitCount = number % 3 == 0 ? nil : number
        region.start = fix.time
        region.end = fix.time
        region.createdAt = "2020-01-01T00:00:00Z"
        try writer.append(region)
      }
      var description = SourceDescription.numbered(index, [])
      let times = tracks[index + 2].prefix(6).compactMap(\.time)
      (description.sha256, description.format) = (hash, "roqua-app")
      (description.firstTime, description.lastTime) = (times.min(), times.max())
      try writer.finish(description)
      try session.rebuild()
    }
  }

  private func record(_ device: Device) throws {
    let track = tracks[Int.random(in: tracks.indices, using: &random)]
    if device.recording == nil || Int.random(in: 0..<3, using: &random) == 0 {
      let digits = String(device.number * 1_000 + device.steps)
      device.recording = try device.store.beginRecording(
        identifier: String(repeating: "0", count: 64 - digits.utf8.count) + digits,
        name: "recording", format: "live")
    }
    guard let recording = device.recording else { return }
    do {
      for fix in track.prefix(Int.random(in: 1...30, using: &random)) {
        _ = try recording.append([fix], points: 1)
      }
      if Bool.random(using: &random) { try recording.finish(report: "{\"points\":1}") }
    } catch StoreError.recordingForgotten {
      device.recording = nil
    }
  }

  private func forget(_ device: Device) throws {
    guard
      let id = try device.store.read({ try $0.sources().map(\.id) }).randomElement(using: &random)
    else { return }
    _ = try device.store.forget(sources: [id])
  }

  private func place() -> Coordinate? {
    tracks.flatMap { $0 }.randomElement(using: &random)?.coordinate
  }

  private func addZone(_ device: Device) throws {
    guard let center = place() else { return }
    let zone = PrivacyZone(center: center, radiusMeters: .random(in: 40...400, using: &random))
    let name = Bool.random(using: &random) ? "home" : nil
    do {
      _ = try device.store.addZone(zone, named: name)
    } catch is StoreError {}  // the name is taken
  }

  private func removeZone(_ device: Device) throws {
    guard
      let zone = try device.store.read({ try $0.connection.zones() }).randomElement(using: &random)
    else {
      return
    }
    try device.store.removeZone(String(zone.id))
  }

  private func changeSetting(_ device: Device) throws {
    let key: SettingKey =
      [.visitGapMinutes, .clusteringRadiusMeters, .percentageDecimals, .units]
      .randomElement(using: &random) ?? .units
    let value = key == .units ? 1.0 : Double([1, 5, 40, 60].randomElement(using: &random) ?? 5)
    try device.store.write { session in
      if Int.random(in: 0..<4, using: &random) == 0 {
        try session.reset(key)
      } else {
        _ = try? session.change(key, to: value)
      }
    }
  }

  private func forgetArea(_ device: Device) throws {
    guard let center = place() else { return }
    _ = try device.store.forget(
      in: PrivacyZone(center: center, radiusMeters: .random(in: 40...300, using: &random)))
  }

  private func unlock(_ device: Device) throws {
    try device.store.write { session in
      _ = try session.give(
        [
          (
            "walker", Double.random(in: 1...3, using: &random).rounded(),
            Bool.random(using: &random)
              ? Timestamp(millisecondsSince1970: .random(in: 0...1_000_000, using: &random)) : nil
          )
        ], generation: 1)
    }
  }

  private func markFlight(_ device: Device) throws {
    guard let recording = device.recording else { return }
    let last = try device.store.write { session in
      try session.history.chunks().last { $0.source == recording.id }.flatMap { chunk in
        try session.history.keptFixes(chunk.id...chunk.id, ofSource: chunk.source).last
      }
    }
    guard let last else { return }
    _ = try recording.mark([
      FlightMark(
        coordinate: last.coordinate, time: last.time, isInFlight: !last.isInFlight,
        endsFlightLeg: false)
    ])
  }

  func sync(_ device: Device) throws {
    if Int.random(in: 0..<6, using: &random) == 0 {
      // The program ends while it writes files.
      device.replica.failsAfter = Int.random(in: 0...2, using: &random)
      _ = try? runSync(device)
      device.replica.failsAfter = nil
      if Bool.random(using: &random) { return }
    }
    try runSync(device)
  }

  func runSync(_ device: Device) throws {
    let run = SyncRun(device.store, with: device.replica, now: clock.now + device.skew)
    let name = DeviceName(number: UInt64(device.number + 1))
    let report = try run.run(as: (name, "device \(device.number)"))
    if isVerbose {
      print("sync", device.number, report.changes, report.pending, report.unreadable)
      print(
        "  ",
        try device.store.write { session in
          try session.history.chunks().map { "\($0.id):\($0.source)/\($0.count)" }
        }, try device.store.check().steps.flatMap(\.differences))
    }
  }

  /// Files travel between the replicas.
  func travel(all: Bool) {
    for device in devices {
      guard let other = devices.randomElement(using: &random), other !== device || all else {
        continue
      }
      if all {
        for other in devices { device.replica.pull(from: other.replica, all: true, using: &random) }
      } else {
        device.replica.pull(from: other.replica, all: false, using: &random)
      }
    }
  }

  /// Everything travels until nothing is new.
  func settle() throws {
    for _ in 0..<12 {
      var isQuiet = true
      for device in devices {
        for other in devices { device.replica.pull(from: other.replica, all: true, using: &random) }
        let before = device.replica.names
        try runSync(device)
        if before != device.replica.names { isQuiet = false }
      }
      travel(all: true)
      if isQuiet { return }
    }
    Issue.record("seed \(seed): the devices do not come to rest")
  }

  private func compare() throws {
    let first = try SharedContents(devices[0].store)
    for device in devices.dropFirst() {
      let differences = try SharedContents(device.store).differences(from: first)
      #expect(differences == [], "seed \(seed), device \(device.number)")
    }
    // What was erased or replaced is gone from the folder too.
    let state = try devices[0].store.write { session in
      session.cancel()
      return try session.history.syncState().map { try LocalState(bytes: $0.state) }
    }
    for case .source(let name, let file) in devices[0].replica.visible {
      let named = state?.shared.sources[name]?.files.map(\.name) ?? []
      #expect(named.contains(file), "seed \(seed): \(name)-\(file) is left")
    }
    for device in devices {
      let problems = try device.store.check().steps.flatMap(\.differences)
      #expect(problems.filter { !$0.contains("report says") } == [], "seed \(seed)")
    }
  }
}

extension SourceDescription {
  /// The description of a track that every device knows.
  static func numbered(_ index: Int, _ fixes: [KeptFix]) -> SourceDescription {
    let times = fixes.compactMap(\.time)
    return SourceDescription(
      sha256: String(repeating: "\(index)", count: 64), path: "\(index).gpx", format: "gpx",
      bytes: 1_000, points: fixes.count, firstTime: times.min(), lastTime: times.max(),
      report: "{}")
  }
}
