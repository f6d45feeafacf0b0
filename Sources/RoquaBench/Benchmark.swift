import Foundation
import GeoStore
import Geodesy
import Roqua

/// What `roqua bench` does: makes what is asked for in a folder of its own, times it and reports.
public struct Benchmark {
  /// What to time.
  public var parts: [BenchmarkPart] = BenchmarkPart.allCases
  /// Regions to make, at least.
  public var regions = 1_000_000
  /// Places to ask around.
  public var questions = 200
  /// A store to search instead of one that is made; it is copied, and only read.
  public var storePath: String?
  /// What is made, and asked, follows from it.
  public var seed: UInt64 = 1
  /// Whether to leave the rivals out of the searches.
  public var isAlone = false
  /// Whether to write what was asked and answered into the folder, for other programs to be asked the same.
  public var writesAnswers = false
  /// Told what is being done, in words.
  public var onStep: (String) -> Void = { _ in }

  /// Everything, with defaults.
  public init() {}

  /// Runs the parts in a folder, which must be empty; what is made there stays.
  ///
  /// - Throws: ``BenchmarkError`` where an answer is wrong or something cannot be made; ``StoreError``,
  ///   ``ExplorerError`` or an error of Foundation where a file cannot be written.
  public func run(in folder: String) throws -> BenchmarkReport {
    var report = BenchmarkReport(seed: seed)
    try search(folder, &report)
    for part in parts {
      switch part {
      case .near, .bbox, .nearest: continue
      case .import:
        onStep("reading tracks and keeping fixes")
        var benchmark = ImportBenchmark(folder: folder, seed: seed)
        // A small run is small everywhere.
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
      onStep("making a store of \(regions) regions")
      made = try BenchmarkStore.make(path: folder + "/store.sqlite", regions: regions, seed: seed)
    }
    report.regions = made.regionCount
    if let filling = made.filling {
      report.builds.append(.init(name: "the store, of \(filling.fixes) kept fixes", seconds: filling.seconds))
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
