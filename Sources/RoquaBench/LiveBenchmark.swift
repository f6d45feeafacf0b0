import Foundation
import GeoStore

/// How many fixes a second a recording stores, each in a transaction of its own.
public enum LiveBenchmark {
  /// Records simulated tracks into a new store at `path`.
  ///
  /// - Throws: ``StoreError``, and ``BenchmarkError`` where the store does not hold what was recorded.
  public static func run(path: String, fixes wanted: Int, seed: UInt64) throws -> (
    fixes: Int, seconds: Double
  ) {
    let store = try Store(path: path, creating: true)
    let recording = try store.beginLiveSource(
      identifier: String(repeating: "0", count: 64), name: "recording", format: "live")
    var tracks = SimulatedTracks(seed: seed)
    let fixes = Array(
      tracks.nextSource(trackCount: 1 + wanted / SimulatedTracks.fixesPerTrack).prefix(wanted))
    let time = try Clock.wallSeconds { () throws in
      for fix in fixes { _ = try recording.append([fix], points: 1) }
    }
    let kept = try store.read { (snapshot) throws(StoreError) in try snapshot.counts().keptFixes }
    guard kept == fixes.count else { throw BenchmarkError("The store has \(kept) fixes of \(fixes.count).") }
    return (fixes.count, time.seconds)
  }
}
