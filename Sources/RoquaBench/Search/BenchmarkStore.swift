import Foundation
import GeoStore
import Geodesy
import SQLiteLayer

/// A store full of regions to search, and the cost of making it.
package struct BenchmarkStore {
  /// The store.
  package let store: Store
  /// Its number of regions.
  package let regionCount: Int
  /// Kept fixes written, and the seconds that took on one thread; nil for an existing store.
  package let filling: (fixes: Int, seconds: Double)?

  /// Makes a store at `path` with at least `wanted` regions along simulated tracks.
  ///
  /// - Throws: ``DatabaseError``.
  package static func make(
    path: String, regions wanted: Int, seed: UInt64
  ) throws -> BenchmarkStore {
    let store = try Store(path: path, creating: true, options: options)
    // More towns for more regions, so that ten times the regions lie on three times the area.
    let townCount = max(10, Int(60 * (Double(wanted) / 1e6).squareRoot()))
    var tracks = SimulatedTracks(seed: seed, townCount: townCount)
    var (regions, fixes, sources, seconds) = (0, 0, 0, 0.0)
    while regions < wanted {
      let kept = tracks.nextSource(trackCount: max(1, min(20, wanted / 1_000)))
      let source = SourceDescription(
        sha256: "\(sources)", path: "\(sources).gpx", format: "gpx", bytes: kept.count,
        points: kept.count,
        firstTime: kept.first?.time, lastTime: kept.last?.time, report: "{}")
      let start = Clock.processorSeconds()
      let changes = try store.write { session in
        let writer = try session.beginSource()
        try writer.append(kept)
        return try writer.finish(source)
      }
      seconds += Clock.processorSeconds() - start
      regions += changes.regionsAdded
      fixes += kept.count
      sources += 1
    }
    try store.checkpoint()
    return BenchmarkStore(store: store, regionCount: regions, filling: (fixes, seconds))
  }

  /// Copies the user's store into `folder` and opens the copy. Nothing is written to the store or
  /// its folder.
  ///
  /// - Throws: ``DatabaseError`` or ``BenchmarkError``.
  package static func open(path: String, copyingInto folder: String) throws -> BenchmarkStore {
    let copy = folder + "/store.sqlite"
    try StoreCopy.make(of: path, at: copy)
    let store = try Store(path: copy, creating: false, options: options)
    let count = try store.read { snapshot in
      try snapshot.counts().visitedRegions
    }
    return BenchmarkStore(store: store, regionCount: count, filling: nil)
  }

  private static var options: StoreOptions {
    // Invented places, so that rows have texts; made once, as a geocoder's are along a track.
    let names = (0..<60).map { number in
      PlaceNames(
        countryCode: "C\(number)", country: "Country \(number)", region: "Region \(number)",
        district: nil,
        city: "A city of country \(number)")
    }
    return StoreOptions(placeNames: { names[min(59, Int(($0.longitudeDegrees + 180) / 6))] })
  }
}
