import BenchmarkSupport
import Geodesy
import GridHash
import RoaringDiscs

/// Times discs along tracks into a coverage that already contains other tracks of the same country.
///
/// Two coverages and two kinds of tracks: near the equator and at 48°. Before and after timing, all
/// contenders contain the same cells. They take turns, each from the same state.
func benchmarkDiscs(rounds: Int) {
  for (name, latitude) in [("0–4° N", 0.0...4.0), ("46–50° N", 46.0...50.0)] {
    var random = SplitMix64(seed: 1)
    func tracks() -> [Coordinate] {
      (0..<100).flatMap { _ in
        track(10_000, latitude: latitude, longitude: 5...12, using: &random)
      }
    }
    let warm = tracks()
    let fresh = tracks()
    let few = Array(fresh.prefix(20_000))
    func degrees(_ coordinates: [Coordinate]) -> [Double] {
      coordinates.flatMap { [$0.latitudeDegrees, $0.longitudeDegrees] }
    }
    let freshDegrees = degrees(fresh)

    var warmed = Coverage()
    warmed.mark(contentsOf: warm)
    // Sound: the bitmaps belong to this function, which frees them; each call of `mark` reads
    // `count` pairs from an array with that many pairs.
    // The second number is the radius of the sphere whose surface equals the Earth's, in meters.
    guard let roaring = roaring_discs_create(150, 6_371_007.2) else {
      fail("no memory for the roaring bitmaps")
    }
    defer { roaring_discs_free(roaring) }
    roaring_discs_mark(roaring, degrees(warm), warm.count)
    check(roaring_discs_count(roaring) == UInt64(warmed.count), "roaring bitmap of the warm tracks")

    var (new, again, bitmap, app): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    for _ in 0..<rounds {
      var coverage = warmed
      coverage.insert(Cell(row: 0, column: 0))  // makes the copy unique before the clock runs
      new.append(Clock.wallSeconds { coverage.mark(contentsOf: fresh) } / Double(fresh.count))
      let count = coverage.count - 1
      again.append(Clock.wallSeconds { coverage.mark(contentsOf: fresh) } / Double(fresh.count))
      check(coverage.count - 1 == count, "marking again")

      guard let copy = roaring_discs_copy(roaring) else { fail("no memory for a copy") }
      defer { roaring_discs_free(copy) }
      bitmap.append(
        Clock.wallSeconds { roaring_discs_mark(copy, freshDegrees, fresh.count) }
          / Double(fresh.count))
      check(roaring_discs_count(copy) == UInt64(count), "roaring bitmap of all tracks")

      var baseline = AppBaseline()
      app.append(
        Clock.wallSeconds { for coordinate in few { baseline.mark(coordinate) } }
          / Double(few.count))
      var same = Coverage()
      same.mark(contentsOf: few)
      check(baseline.hashes.count == same.count, "the hashes of the app baseline")
    }
    report(
      name, rounds: rounds, discs: (fresh.count, few.count), new: median(new),
      again: median(again), bitmap: median(bitmap), app: median(app))
    let cells = Double(warmed.count)
    say(
      "  memory per cell  \(text(Double(warmed.memoryBytes) / cells, 2)) bytes; roaring, serial: "
        + text(Double(roaring_discs_bytes(roaring)) / cells, 2))
  }
}

/// Prints the seconds per disc of each contender, as `competitors/coverage.py` reads them.
private func report(
  _ name: String, rounds: Int, discs: (all: Int, few: Int), new: Double, again: Double,
  bitmap: Double, app: Double
) {
  say("discs at \(name), \(rounds) rounds of \(discs.all) (app baseline: \(discs.few))")
  say(
    "  new area         \(text(1e-6 / new)) M/s, ×\(text(app / new, 0)) the app baseline, "
      + "×\(text(bitmap / new)) roaring")
  say("  known area       \(text(1e-6 / again)) M/s")
  say("  roaring bitmap   \(text(1e-6 / bitmap)) M/s")
  say("  app baseline     \(text(1e-6 / app, 3)) M/s")
}
