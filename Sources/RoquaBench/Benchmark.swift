import Foundation
import GeoStore
import Geodesy
import Roqua
import SQLiteLayer

/// A run of `roqua bench`: generates data in its own folder, times the parts and reports.
package struct Benchmark {
  /// The parts to time.
  package var parts: [BenchmarkPart] = BenchmarkPart.allCases
  /// The minimum number of regions to generate.
  package var regions = 1_000_000
  /// The number of places to search around.
  package var questions = 200
  /// A store to search instead of a generated one. It is copied and never written.
  package var storePath: String?
  /// The seed of all generated data and questions.
  package var seed: UInt64 = 1
  /// True to leave the competitors out of the searches.
  package var isAlone = false
  /// True to write questions and answers into the folder, so that other programs can answer the
  /// same questions.
  package var writesAnswers = false
  /// Called before each step with its description.
  package var onStep: (String) -> Void = { _ in }

  /// Creates a run of all parts with default sizes.
  package init() {}

  /// Runs the parts in a folder, which must be empty; generated files stay there.
  ///
  /// - Throws: ``BenchmarkError`` if an answer is wrong or data cannot be generated;
  ///   ``DatabaseError``, ``ExplorerError`` or a Foundation error if a file cannot be written.
  package func run(in folder: String) throws -> BenchmarkReport {
    var report = BenchmarkReport(seed: seed)
    try search(folder, &report)
    for part in parts {
      switch part {
      case .near, .bbox, .nearest: continue
      case .import:
        onStep("reading tracks and keeping fixes")
        var benchmark = ImportBenchmark(folder: folder, seed: seed)
        // A small run is small in every part.
        let share = min(1, Double(regions) / 1e6 * 4)
        benchmark.bytes = max(200_000, Int(Double(benchmark.bytes) * share))
        benchmark.fixes = max(2_000, Int(Double(benchmark.fixes) * share))
        benchmark.regions = min(1_000_000, regions)
        benchmark.liveFixes = max(100, Int(Double(benchmark.liveFixes) * share))
        report.measurements += try benchmark.run()
      case .coverage:
        onStep("marking discs")
        report.measurements += try CoverageBenchmark.run(
          seed: seed, discs: min(250_000, max(10_000, regions)))
      case .geocode:
        onStep("looking up places")
        let lookups = min(200_000, max(2_000, regions))
        let benchmark = try GeocodeBenchmark(seed: seed, lookups: lookups)
        if writesAnswers { try benchmark.writeAnswers(to: folder + "/places.tsv") }
        report.measurements += try benchmark.run()
      }
    }
    return report
  }

  private func search(_ folder: String, _ report: inout BenchmarkReport) throws {
    let questions = parts.flatMap(SearchBenchmark.Question.all(of:))
    guard !questions.isEmpty else { return }
    let made: BenchmarkStore
    if let storePath {
      onStep("copying the store")
      made = try BenchmarkStore.open(path: storePath, copyingInto: folder)
      report.isUsersStore = true
    } else {
      onStep("creating a store of \(regions) regions")
      made = try BenchmarkStore.make(path: folder + "/store.sqlite", regions: regions, seed: seed)
    }
    report.regions = made.regionCount
    if let filling = made.filling {
      report.builds.append(
        .init(name: "the store with \(filling.fixes) kept fixes", seconds: filling.seconds))
    }
    onStep("building other indexes over \(made.regionCount) regions")
    let search = try SearchBenchmark(
      made, folder: folder, questions: self.questions, seed: seed, alone: isAlone)
    report.builds += search.builds
    if writesAnswers { try search.writeAnswers(of: questions, to: folder + "/searches.tsv") }
    for question in questions {
      onStep(question.name)
      report.measurements += try search.run(question)
    }
  }
}
