import Geodesy
import GridHash

/// Discs along tracks into a coverage that holds other tracks around the same towns already.
enum CoverageBenchmark {
  /// Discs that are timed at once.
  static let batch = 5_000
  /// Discs that the app's way marks: it takes some 10 µs for each.
  static let few = 5_000

  /// Times discs on new ground, discs again on the same ground, and the app's way.
  ///
  /// - Throws: ``BenchmarkError`` where the cells are not the app's.
  static func run(seed: UInt64, discs: Int = 250_000, rounds: Int = 3) throws -> [Measurement] {
    var tracks = SimulatedTracks(seed: seed)
    func next(_ count: Int) -> [Coordinate] {
      var discs: [Coordinate] = []
      while discs.count < count {
        // The app's way knows no ±180°.
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
      var hashes = AppBaseline()
      for batch in stride(from: 0, to: few.count, by: 500) {
        let part = few[batch..<min(batch + 500, few.count)]
        let start = Clock.processorSeconds()
        for coordinate in part { hashes.mark(coordinate) }
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
      measurement("discs on new ground", "Roqua", ours, 1),
      measurement(
        "discs on new ground", "the app's way: a Set<String> of hashes", theirs, theirs.median / ours.median),
      measurement("discs on known ground", "Roqua", Sample(again), nil),
    ]
  }

  /// Seconds a disc, of each batch.
  private static func time(_ coverage: inout Coverage, _ discs: [Coordinate]) -> [Double] {
    var times: [Double] = []
    discs.withUnsafeBufferPointer { discs in
      for first in stride(from: 0, to: discs.count - batch + 1, by: batch) {
        let start = Clock.processorSeconds()
        coverage.mark(contentsOf: UnsafeBufferPointer(rebasing: discs[first..<first + batch]))
        times.append((Clock.processorSeconds() - start) / Double(batch))
      }
    }
    return times
  }

  /// Compares the cells of some discs with those of the app's way.
  static func check(_ discs: [Coordinate]) throws {
    var coverage = Coverage()
    coverage.mark(contentsOf: discs)
    var hashes = AppBaseline()
    for coordinate in discs { hashes.mark(coordinate) }
    let isSame =
      hashes.hashes.count == coverage.count
      && hashes.hashes.allSatisfy { hash in Cell(gridHash: hash).map(coverage.contains) ?? false }
    guard isSame else {
      throw BenchmarkError(
        "\(coverage.count) cells were marked, and \(hashes.hashes.count) by the app's way.")
    }
  }
}
