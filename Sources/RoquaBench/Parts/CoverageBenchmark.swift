import Foundation
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
      var hashes = AppWay()
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
    var hashes = AppWay()
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

/// What the Roqua app does: a set of hashes `"row_column"`; around a fix, each cell of a square is tested by the
/// haversine formula. For tracks away from the poles and from ±180°.
struct AppWay {
  private(set) var hashes: Set<String> = []
  private let radiusMeters = 150.0
  private let step = 75.0 / 111_000

  /// Marks the disc around a fix.
  mutating func mark(_ coordinate: Coordinate) {
    let (latitude, longitude) = (coordinate.latitudeDegrees, coordinate.longitudeDegrees)
    let latitudeReach = radiusMeters / 111_000 + step
    let longitudeReach = radiusMeters / (111_000 * cos(latitude * .pi / 180)) + step
    let rows = Int((latitude - latitudeReach + 90) / step)...Int((latitude + latitudeReach + 90) / step)
    let columns =
      Int((longitude - longitudeReach + 180) / step)...Int((longitude + longitudeReach + 180) / step)
    for row in rows {
      let centerLatitude = (Double(row) + 0.5) * step - 90
      for column in columns {
        let centerLongitude = (Double(column) + 0.5) * step - 180
        if Self.haversine(latitude, longitude, centerLatitude, centerLongitude) <= radiusMeters {
          hashes.insert("\(row)_\(column)")
        }
      }
    }
  }

  private static func haversine(
    _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double
  ) -> Double {
    let (a, b) = (latitude1 * .pi / 180, latitude2 * .pi / 180)
    let dLatitude = sin((b - a) / 2)
    let dLongitude = sin((longitude2 - longitude1) * .pi / 360)
    let h = dLatitude * dLatitude + cos(a) * cos(b) * dLongitude * dLongitude
    return 2 * 6_371_007.2 * asin(min(1, h.squareRoot()))
  }
}
