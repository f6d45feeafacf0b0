import Geodesy
import GridHash
import RivalDiscs

/// Discs a second along tracks into a coverage that holds other tracks of the same country already.
///
/// Two coverages and two kinds of tracks: near the equator and at 48°. All three sets hold the same cells before they
/// are timed, and after. Runs take turns, each from the same state.
func benchmarkDiscs(rounds: Int) {
  for (name, latitude) in [("0–4° N", 0.0...4.0), ("46–50° N", 46.0...50.0)] {
    var random = SplitMix64(seed: 1)
    let warm = (0..<100).flatMap { _ in track(10_000, latitude: latitude, longitude: 5...12, using: &random) }
    let fresh = (0..<100).flatMap { _ in track(10_000, latitude: latitude, longitude: 5...12, using: &random)
    }
    let few = Array(fresh.prefix(20_000))
    func degrees(_ coordinates: [Coordinate]) -> [Double] {
      coordinates.flatMap { [$0.latitudeDegrees, $0.longitudeDegrees] }
    }
    let freshDegrees = degrees(fresh)

    var warmed = Coverage()
    warmed.mark(contentsOf: warm)
    guard let roaring = rival_roaring_create(150) else { return }
    defer { rival_roaring_free(roaring) }
    rival_roaring_mark(roaring, degrees(warm), warm.count)
    check(rival_roaring_count(roaring) == UInt64(warmed.count), "roaring bitmap of the warm tracks")

    var (ours, again, rivals, app): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    for _ in 0..<rounds {
      var coverage = warmed
      coverage.insert(Cell(row: 0, column: 0))  // makes the copy its own before the clock runs
      ours.append(seconds { coverage.mark(contentsOf: fresh) } / Double(fresh.count))
      let count = coverage.count - 1
      again.append(seconds { coverage.mark(contentsOf: fresh) } / Double(fresh.count))
      check(coverage.count - 1 == count, "marking again")

      guard let copy = rival_roaring_copy(roaring) else { return }
      defer { rival_roaring_free(copy) }
      rivals.append(seconds { rival_roaring_mark(copy, freshDegrees, fresh.count) } / Double(fresh.count))
      check(rival_roaring_count(copy) == UInt64(count), "roaring bitmap of all tracks")

      var hashes = AppWay()
      app.append(seconds { for coordinate in few { hashes.mark(coordinate) } } / Double(few.count))
      var same = Coverage()
      same.mark(contentsOf: few)
      check(hashes.hashes.count == same.count, "the app's hashes")
    }
    let (our, rival, apps) = (median(ours), median(rivals), median(app))
    say("discs at \(name), \(rounds) rounds of \(fresh.count) (the app's way: \(few.count))")
    say(
      "  new ground       \(text(1e-6 / our)) M/s, ×\(text(apps / our, 0)) the app's way, ×\(text(rival / our)) roaring"
    )
    say("  again            \(text(1e-6 / median(again))) M/s")
    say("  roaring bitmap   \(text(1e-6 / rival)) M/s")
    say("  the app's way    \(text(1e-6 / apps, 3)) M/s")
    say(
      "  memory a cell    \(text(Double(warmed.memoryBytes) / Double(warmed.count), 2)) bytes; roaring, serial: "
        + "\(text(Double(rival_roaring_bytes(roaring)) / Double(warmed.count), 2))")
  }
}
