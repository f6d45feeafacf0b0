@testable import GeoStore
@testable import SQLiteLayer
@testable import Geodesy
@testable import GridHash
@testable import Roqua

/// Runs every query on a store and changes it in every way. The store fuzzer also uses this file.
///
/// Only store errors may be thrown.
final class StoreQuestions {
  /// The store.
  let explorer: Explorer
  /// The locations of the store's regions.
  let places: [Coordinate]
  /// Errors of an unexpected kind or with malformed text.
  private(set) var complaints: [String] = []
  /// The numbers of queries that returned and of queries that threw an error.
  private(set) var (answers, errors) = (0, 0)

  /// Opens a store; nil if that throws an error.
  init?(storePath: String, around places: [Coordinate]) {
    self.places = places
    guard let explorer = try? Explorer(storePath: storePath, creating: false) else { return nil }
    self.explorer = explorer
  }

  private func ask(_ body: (Explorer) throws -> Void) {
    do {
      try body(explorer)
      answers += 1
    } catch let error as DatabaseError {
      errors += 1
      // SQLite's own messages may quote text from the file.
      if case .damaged(_, let detail, nil) = error, detail.contains(where: \.isNewline) {
        complaints.append("more than one line: \(detail)")
      }
      _ = error.description
    } catch let error as StoreError {
      errors += 1
      _ = error.description
    } catch {
      complaints.append("an error of another kind: \(error)")
    }
  }

  private func read(_ body: (Snapshot) throws -> Void) {
    ask { explorer in try explorer.store.read(body) }
  }

  private func write(_ body: (WriteSession) throws -> Void) {
    ask { explorer in try explorer.store.write(body) }
  }

  /// Checks the store.
  func check() {
    ask { explorer in _ = try explorer.check().json.description }
  }

  /// Runs all queries except the check of the store, which takes longer than the rest.
  func askAll() {
    askForCounts()
    askForRegions()
    askForCells()
    askForFixes()
    ask { explorer in
      _ = try explorer.statistics(by: [.year, .day]).json().description
    }
    ask { explorer in
      for visit in try explorer.placeVisits(by: .country) { _ = visit.json(.country).description }
    }
  }

  private func askForCounts() {
    read { snapshot in
      _ = try snapshot.counts()
    }
    for level in PlaceLevel.allCases {
      read { snapshot in
        for place in try snapshot.counts(by: level) {
          _ = (place.firstTime?.iso8601, place.lastTime?.day)
        }
      }
    }
    read { snapshot in
      try snapshot.forEachRegionSpan { _, count, first, last in
        _ = (count + 1, first?.iso8601, last?.iso8601)
      }
    }
    ask { explorer in
      for source in try explorer.sources() { _ = source.json.description }
    }
    ask { explorer in _ = try explorer.filterSettings() }
  }

  private func askForRegions() {
    read { snapshot in
      for (index, region) in try snapshot.allRegions().enumerated() {
        if index < 4 { _ = region.json.description }
        for visit in try snapshot.visits(toRegion: region.id) {
          _ = visit.end.millisecondsSince1970 - visit.start.millisecondsSince1970
        }
      }
    }
    for place in places {
      for radius in place == places[0] ? [300.0, 5_000, 1_000_000] : [5_000] {
        ask { explorer in
          // The second answer comes from memory.
          for _ in 0..<2 {
            let matches = try explorer.regions(near: place, radiusMeters: radius)
            _ = matches.first?.json.description
          }
        }
      }
      ask { explorer in _ = try explorer.nearestRegions(to: place, count: 3)
      }
      var query = RegionQuery(
        area: .box(BoundingBox(around: place, radiusMeters: 3_000)))
      query.times = Timestamp.writable
      ask { [query] explorer in
        _ = try explorer.regions(matching: query)
      }
    }
    ask { explorer in
      _ = try explorer.countRegions(matching: RegionQuery())
    }
  }

  private func askForCells() {
    read { snapshot in _ = try snapshot.exploredCellCount() }
    read { snapshot in _ = try snapshot.coverage().areaSquareMeters }
    read { snapshot in _ = try snapshot.ownCellsOfSources().count }
    read { snapshot in _ = try snapshot.serializeCoverage { _ in true } }
  }

  private func askForFixes() {
    read { snapshot in
      var count = 0
      try snapshot.forEachChunkOfKeptFixes { count += $0.count }
    }
    read { snapshot in
      try snapshot.forEachChunkOfKeptFixesBySource { source, fixes in
        _ = (source, fixes.last?.time?.iso8601)
      }
    }
    read { snapshot in _ = try snapshot.lastTimesNearLastKeptFix() }
  }

  /// The number of ways to change the store.
  static let changeCount = 7

  /// Changes the store in one of ``changeCount`` ways, counted from 0.
  func change(_ number: Int) {
    let fixes = places.map {
      KeptFix(
        coordinate: $0, time: Timestamp(millisecondsSince1970: 1_714_557_650_000),
        accuracyMeters: 5, startsSegment: true)
    }
    switch number {
    case 0: importFixes(fixes)
    case 1: record(fixes)
    case 2: adoptRegion()
    case 3:
      ask { explorer in
        _ = try explorer.forget(near: places[0], radiusMeters: 200).json.description
      }
    case 4:
      for source in 1...3 {
        ask { explorer in
          let isDryRun = source > 1
          _ = try explorer.forget(sources: ["\(source)"], isDryRun: isDryRun).json.description
        }
      }
    case 5: ask { explorer in try explorer.set(.visitGapMinutes, to: 45) }
    default:
      ask { explorer in _ = try explorer.rebuild().json.description }
    }
  }

  private func importFixes(_ fixes: [KeptFix]) {
    write { session in
      let source = try session.beginSource()
      try source.append(fixes)
      var description = Self.description(sha256: String(repeating: "1", count: 64))
      (description.firstTime, description.lastTime) = (fixes[0].time, fixes[0].time)
      _ = try source.finish(description)
    }
  }

  private func record(_ fixes: [KeptFix]) {
    ask { explorer in
      let recording = try explorer.store.beginRecording(
        identifier: String(repeating: "2", count: 64), name: "live", format: "live")
      for fix in fixes { _ = try recording.append([fix], points: 1) }
      try recording.finish(report: "{}")
    }
  }

  private func adoptRegion() {
    write { session in
      var region = SourceRegion(center: places[0], original: "{}")
      region.visitCount = 3
      let writer = try session.beginRegionSource()
      try writer.append(region)
      try writer.finish(Self.description(sha256: String(repeating: "3", count: 64)))
      try session.rebuild()
    }
  }

  private static func description(sha256: String) -> SourceDescription {
    SourceDescription(
      sha256: sha256, path: "new", format: "gpx", bytes: 1, points: 9, firstTime: nil,
      lastTime: nil, report: "{}")
  }

  /// Fills a new store with one source of each kind.
  static func fill(_ store: Store, around places: [Coordinate]) throws {
    try store.write { session in
      for (number, start) in [0, 7_000_000].enumerated() {
        let source = try session.beginSource()
        for place in places {
          try source.append(
            (0..<12).map { index in
              let north = place.latitudeE7 + Int32(index) * 9_000
              return KeptFix(
                coordinate: Coordinate(latitudeE7: north, longitudeE7: place.longitudeE7) ?? place,
                time: index == 5
                  ? nil
                  : Timestamp(
                    millisecondsSince1970: 1_714_557_600_000 + Int64(start + index * 40_000)),
                accuracyMeters: index % 3 == 0 ? nil : Double(index), startsSegment: index == 0)
            })
        }
        var description = Self.description(
          sha256: String(repeating: number == 0 ? "a" : "b", count: 64))
        (description.path, description.points) = ("\(number).gpx", 40)
        description.firstTime = Timestamp(millisecondsSince1970: 1_714_557_600_000)
        description.lastTime = Timestamp(millisecondsSince1970: 1_714_565_600_000)
        description.report = #"{"dropped":{"tooClose":2},"warnings":[]}"#
        _ = try source.finish(description)
      }
      var cells = Coverage(grid: session.settings.grid)
      cells.mark(discAround: places[0])
      let cellWriter = try session.beginCellSource(grid: cells.grid)
      for (key, tile) in cells.tiles { try cellWriter.append(tile, at: key) }
      _ = try cellWriter.finish(description(sha256: String(repeating: "c", count: 64)))
      let regionWriter = try session.beginRegionSource()
      for (index, place) in places.enumerated() {
        var region = SourceRegion(center: place, original: "{}")
        (region.radiusMeters, region.visitCount) = (index == 0 ? nil : 200, index == 1 ? nil : 4)
        region.start = Timestamp(millisecondsSince1970: 1_600_000_000_000)
        region.end = Timestamp(millisecondsSince1970: 1_600_900_000_000)
        try regionWriter.append(region)
      }
      var description = Self.description(sha256: String(repeating: "d", count: 64))
      description.firstTime = Timestamp(millisecondsSince1970: 1_600_000_000_000)
      description.lastTime = Timestamp(millisecondsSince1970: 1_600_900_000_000)
      try regionWriter.finish(description)
      try session.set(.trackingDistanceMeters, to: 40)
      try session.set(.visitGapMinutes, to: 20)
      try session.rebuild()
    }
    try store.checkpoint()
  }
}
