import Foundation
import GeoStore
import Geocode
import Geodesy
import GridHash
import TrackIngest
import SQLiteLayer

/// Work that an import or a search repeats many times, isolated so that its instructions can be
/// counted: the cost of `count` units is the difference from a run with none.
package enum HotPath: String, CaseIterable, Sendable {
  /// A GPX point decoded and filtered.
  case gpxPoint = "gpx-point"
  /// An NMEA epoch of two sentences decoded and filtered.
  case nmeaEpoch = "nmea-epoch"
  /// A disc marked in a newly explored area.
  case disc
  /// The regions within 2 km, as values, around a center that was searched before.
  case near
  /// A country looked up where people live.
  case country
  /// A whole place looked up where people live, as codes.
  case place
  /// A fix kept in a store, with its region, visit and cells.
  case keptFix = "kept-fix"
  /// A fix kept in a recording, in its own transaction.
  case recordedFix = "recorded-fix"

  /// Number of different units of work that are prepared; ``run(count:in:)`` repeats them.
  static let prepared = 10_000

  /// Does `count` units of work after a preparation that does not depend on it. A path that reads
  /// text reads whole texts.
  ///
  /// - Returns: the number of units done.
  /// - Throws: ``BenchmarkError`` if there is nothing to do; errors of the store.
  package func run(count: Int, in folder: String) throws -> Int {
    switch self {
    case .gpxPoint: return try read(SimulatedLog.gpx(bytes: 400_000, seed: 1), count)
    case .nmeaEpoch: return try read(SimulatedLog.nmea(bytes: 400_000, seed: 1), count)
    case .disc: return mark(count)
    case .near: return try near(count, folder)
    case .country, .place: return try geocode(count)
    case .keptFix: return try keep(count, folder)
    case .recordedFix: return try record(count, folder)
    }
  }

  private func read(_ log: SimulatedLog, _ count: Int) throws -> Int {
    let passes = count / log.points.count
    for _ in 0..<passes {
      guard ImportBenchmark.read(log.bytes).points == log.points.count else {
        throw BenchmarkError("Not all points were read.")
      }
    }
    return passes * log.points.count
  }

  private static func fixes() -> [KeptFix] {
    var tracks = SimulatedTracks(seed: 1, townCount: 2)
    var fixes: [KeptFix] = []
    while fixes.count < prepared { fixes += tracks.next() }
    return Array(fixes.prefix(prepared))
  }

  private func mark(_ count: Int) -> Int {
    let discs = Self.fixes().map(\.coordinate)
    var coverage = Coverage()
    let done = min(count, discs.count)
    coverage.mark(contentsOf: discs.prefix(done))
    return done
  }

  private func near(_ count: Int, _ folder: String) throws -> Int {
    let store = try Store(path: folder + "/store.sqlite", creating: true)
    let fixes = Self.fixes()
    try ImportBenchmark.keep(fixes, "hot", in: store)
    let centers = stride(from: 0, to: fixes.count, by: 500).map { fixes[$0].coordinate }
    return try store.read { snapshot in
      // The second search of a tile reads all its rows into the cache.
      for center in centers + centers {
        _ = try snapshot.regions(near: center, radiusMeters: 2_000)
      }
      for index in 0..<count {
        _ = try snapshot.regions(near: centers[index % centers.count], radiusMeters: 2_000)
      }
      return count
    }
  }

  private func geocode(_ count: Int) throws -> Int {
    let benchmark = try GeocodeBenchmark(seed: 1, lookups: 2_000)
    let points = benchmark.people
    guard !points.isEmpty else { throw BenchmarkError("No places were found.") }
    let geocoder = benchmark.geocoder
    var sum = 0
    for index in 0..<count {
      let point = points[index % points.count]
      if self == .country {
        sum &+= Int(geocoder.countryIndex(at: point)?.rawValue ?? 0)
      } else {
        sum &+= Int(geocoder.codes(at: point).city?.rawValue ?? 0)
      }
    }
    withExtendedLifetime(sum) {}
    return count
  }

  private func keep(_ count: Int, _ folder: String) throws -> Int {
    let fixes = Self.fixes()
    let store = try Store(path: folder + "/store.sqlite", creating: true)
    try ImportBenchmark.keep(Array(fixes.prefix(count)), "hot", in: store)
    return min(count, fixes.count)
  }

  private func record(_ count: Int, _ folder: String) throws -> Int {
    let fixes = Self.fixes()
    let store = try Store(path: folder + "/store.sqlite", creating: true)
    let recording = try ImportBenchmark.beginRecording(in: store)
    for fix in fixes.prefix(count) { _ = try recording.append([fix], points: 1) }
    return min(count, fixes.count)
  }
}
