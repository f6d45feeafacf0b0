import Foundation
import Roqua

/// Opens a store, imports tracks with progress, cancels an import, records, observes, queries with
/// paging, shows statistics, forgets a zone and makes a backup.
///
///     swift run FogApp FOLDER TRACK…
@main struct FogApp {
  static func main() async throws {
    guard CommandLine.arguments.count > 2 else {
      print("usage: FogApp FOLDER TRACK…")
      exit(64)
    }
    let folder = URL(filePath: CommandLine.arguments[1])
    let tracks = CommandLine.arguments[2...].map { URL(filePath: $0) }
    let app = try FogApp(store: folder.appending(path: "fog.roqua"))

    let observer = app.observe()
    try await app.importTracks(tracks)
    try await app.cancelImport(of: tracks)
    try await app.record()
    try await app.listRegions()
    try await app.showStatistics()
    try await app.forgetHome()
    try await app.backUp(to: folder.appending(path: "fog.backup"))
    observer.cancel()
    await observer.value
  }

  let explorer: Explorer

  init(store: URL) throws {
    explorer = try Explorer(storeURL: store)
    try explorer.changeSettings { $0.visitGapMinutes = 45 }
  }

  /// Prints every change of the store, also those of a widget or another process.
  func observe() -> Task<Void, Never> {
    let changes = explorer.changes
    return Task {
      for await change in changes {
        print("changed: \(change.regionsAdded) new regions in \(change.areas.count) areas")
      }
    }
  }

  func importTracks(_ urls: [URL]) async throws {
    let meter = ImportMeter()
    async let imported = explorer.importTracks(at: urls, meter: meter)
    for await reading in meter.readings() {
      print("importing: \(Int((reading.share ?? 0) * 100)) %, \(reading.points) points")
    }
    let report = try await imported
    print("imported \(report.count(.imported)) files, kept \(report.kept) fixes")
    for file in report.files {
      if let error = file.track.error { print("\(file.path): \(error.message)") }
    }
  }

  /// The user taps Cancel: what was finished stays, and the report says so.
  func cancelImport(of urls: [URL]) async throws {
    let explorer = explorer
    let task = Task { try await explorer.importTracks(at: urls) }
    task.cancel()
    print("canceled: \(try await task.value.isCancelled)")
  }

  /// A short walk. On Apple platforms `Fix(location)` takes a `CLLocation`.
  func record() async throws {
    let recording = try await explorer.startRecording(named: "Evening walk")
    for step in 0..<20 {
      let here = try Coordinate(
        latitudeDegrees: 41.0256 + Double(step) * 0.0006, longitudeDegrees: 28.9742)
      let time = Timestamp(Date(timeIntervalSince1970: 1_790_000_000 + Double(step) * 60))
      let change = try await recording.add(
        Fix(coordinate: here, time: time, horizontalAccuracyMeters: 8))
      guard change.stored.regionsAdded > 0 else { continue }
      print("discovered \(explorer.place(at: here).city ?? "a place without a name")")
    }
    let report = try await recording.finish()
    print("recorded \(report.kept) of \(report.points) fixes")
  }

  /// All regions near the walk, a page at a time.
  func listRegions() async throws {
    let walk = try Coordinate(latitudeDegrees: 41.03, longitudeDegrees: 28.9742)
    let query = RegionQuery(area: .box(BoundingBox(around: walk, radiusMeters: 5_000)))
    var (last, count): (Int64?, Int) = (nil, 0)
    while true {
      let after = last
      let page = try await explorer.regions(matching: query, after: after, limit: 5)
      guard let end = page.last else { break }
      (last, count) = (end.id, count + page.count)
    }
    let nearest = try await explorer.nearestRegions(to: walk, count: 1).first
    print("\(count) regions, the nearest \(Int(nearest?.distanceMeters ?? 0)) m away")
  }

  func showStatistics() async throws {
    let statistics = try await explorer.statistics(by: [.country])
    print("explored \(statistics.totals.cells) cells")
  }

  func forgetHome() async throws {
    let home = try Coordinate(latitudeDegrees: 41.0256, longitudeDegrees: 28.9742)
    let report = try await explorer.forget(near: home, radiusMeters: 300)
    print("forgot \(report.fixes) fixes, erased: \(report.isErased)")
  }

  func backUp(to url: URL) async throws {
    let bytes = try await explorer.backup(to: url, replacing: true)
    print("backup of \(bytes) bytes; sources: \(try await explorer.sources().count)")
  }
}
