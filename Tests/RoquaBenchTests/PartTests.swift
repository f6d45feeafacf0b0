import Foundation
import Geodesy
import Roqua
import TestSupport
import Testing

@testable import RoquaBench

@Suite struct PartTests {
  /// A small report of all parts except the searches.
  private static func report() throws -> BenchmarkReport {
    let folder = try TemporaryFolder()
    var benchmark = Benchmark()
    benchmark.parts = [.import, .coverage, .geocode]
    benchmark.regions = 2_000
    return try benchmark.run(in: folder.path)
  }

  @Test func `all parts are measured, and their JSON can be read back`() throws {
    let report = try Self.report()
    let tree = try JSONTree(parsing: report.json.description)
    #expect(
      tree.names == ["machine", "seed", "regions", "store", "builds", "measurements"])
    #expect(
      tree.machine.names == [
        "processor", "cores", "system", "swift", "optimized", "sqlite", "commit", "date", "load",
      ])
    #expect(tree.regions.isNull)
    let rows = tree.measurements.elements
    #expect(rows.count == report.measurements.count)
    #expect(Set(rows.map(\.part)) == [.string("import"), .string("coverage"), .string("geocode")])
    for row in rows {
      #expect(
        row.names == [
          "part", "question", "contender", "unit", "samples", "medianSeconds", "meanSeconds",
          "p95Seconds", "p99Seconds", "throughputPerSecond", "ratio", "meanHits", "bytesPerSecond",
        ])
      #expect((row.medianSeconds.double ?? 0) > 0)
      #expect((row.p95Seconds.double ?? 0) >= (row.medianSeconds.double ?? 1))
      #expect((row.p99Seconds.double ?? 0) >= (row.p95Seconds.double ?? 1))
    }
  }

  @Test func `a wrong set of cells is detected`() throws {
    let place = try Coordinate(latitudeDegrees: 48, longitudeDegrees: 11)
    try CoverageBenchmark.check([place])
    // The app baseline does not handle ±180°, so it is wrong there.
    let edge = try Coordinate(latitudeDegrees: 10, longitudeDegrees: 179.9999)
    #expect(throws: BenchmarkError.self) { try CoverageBenchmark.check([edge]) }
  }

  @Test func `a hot path does the requested amount of work`() throws {
    for path in HotPath.allCases {
      for count in [0, 5_000] {
        let folder = try TemporaryFolder()
        let wanted = path == .near ? count / 50 : count
        let done = try path.run(count: wanted, in: folder.path)
        switch path {
        case .gpxPoint, .nmeaEpoch: #expect(done <= count && (count == 0 || done > 0), "\(path)")
        default: #expect(done == wanted, "\(path)")
        }
      }
    }
  }
}
