import Geodesy
import GridHash

/// Marking discs along tracks in a coverage that holds other tracks around the same towns.
enum CoverageBenchmark {
  /// Discs timed together.
  static let batch = 5_000
  /// Discs that the app baseline marks, at about 10 µs each.
  static let few = 5_000

  /// Times discs in a newly explored area, the same discs again, and the app baseline.
  ///
  /// - Throws: ``BenchmarkError`` if the cells differ from those of the app baseline.
  static func run(seed: UInt64, discs: Int = 250_000, rounds: Int = 3) throws -> [Measurement] {
    var tracks = SimulatedTracks(seed: seed)
    func next(_ count: Int) -> [Coordinate] {
      var discs: [Coordinate] = []
      while discs.count < count {
        // The app baseline does not handle ±180°.
        discs += tracks.next().map(\.coordinate).filter { abs($0.longitudeDegrees) < 179.9 }
      }
      return discs
    }
    let warm = next(discs)
    let fresh = next(discs)
    try check(Array(fresh.prefix(few)))

    var (new, again, app): ([Double], [Double], [Double]) = ([], [], [])
    let few = Array(fresh.prefix(few))
    for _ in 0..<rounds {
      var coverage = Coverage()
      coverage.mark(contentsOf: warm)
      new += time(&coverage, fresh)
      again += time(&coverage, fresh)
      var baseline = AppBaseline()
      for batch in stride(from: 0, to: few.count, by: 500) {
        let part = few[batch..<min(batch + 500, few.count)]
        let start = Clock.processorSeconds()
        for coordinate in part { baseline.mark(coordinate) }
        app.append((Clock.processorSeconds() - start) / Double(part.count))
      }
    }
    let (ours, theirs) = (Sample(new), Sample(app))
    func measurement(_ question: String, _ contender: String, _ times: Sample, _ ratio: Double?)
      -> Measurement
    {
      Measurement(.coverage, question, contender, unit: "disc", times, ratio: ratio)
    }
    return [
      measurement("discs, newly explored area", "Roqua", ours, 1),
      measurement(
        "discs, newly explored area", "app baseline: a Set<String> of hashes", theirs,
        theirs.median / ours.median),
      measurement("discs, already explored area", "Roqua", Sample(again), nil),
    ]
  }

  /// Seconds per disc of each batch.
  private static func time(_ coverage: inout Coverage, _ discs: [Coordinate]) -> [Double] {
    var times: [Double] = []
    // Sound: `mark` keeps no pointer, and each batch lies within the array.
    discs.withUnsafeBufferPointer { discs in
      for first in stride(from: 0, to: discs.count - batch + 1, by: batch) {
        let start = Clock.processorSeconds()
        coverage.mark(contentsOf: UnsafeBufferPointer(rebasing: discs[first..<first + batch]))
        times.append((Clock.processorSeconds() - start) / Double(batch))
      }
    }
    return times
  }

  /// Compares the cells of some discs with those of the app baseline.
  static func check(_ discs: [Coordinate]) throws {
    var coverage = Coverage()
    coverage.mark(contentsOf: discs)
    var baseline = AppBaseline()
    for coordinate in discs { baseline.mark(coordinate) }
    let isSame =
      baseline.hashes.count == coverage.count
      && baseline.hashes.allSatisfy { hash in Cell(gridHash: hash).map(coverage.contains) ?? false }
    guard isSame else {
      throw BenchmarkError(
        "\(coverage.count) cells were marked, but \(baseline.hashes.count) by the app baseline.")
    }
  }
}
