import ArgumentParser
import ByteStreams
import Foundation
import Geodesy
import GeoStore
import Roqua
import RoquaBench

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the speed of Roqua on this machine, and compare it with alternatives.",
    discussion: """
      Generates tracks from a seed, or copies the store given by --store, which is not changed. \
      Every answer is verified before it is timed: searches against a scan of all regions, points \
      against those that were written, cells against the app baseline, cities against a scan of \
      all cities. Times are processor times of one core; only the complete import, a list of \
      places, and what says so are measured in wall-clock time.

      For developers: --hot-path NAME --count N runs one hot path N times and prints the number, \
      so that scripts/instructions can count its instructions. Names: \
      \(HotPath.allCases.map(\.rawValue).joined(separator: ", ")).
      """)

  enum Part: String, CaseIterable, ExpressibleByArgument {
    case near, bbox, nearest, `import`, coverage, geocode, all

    var parts: [BenchmarkPart] {
      BenchmarkPart(rawValue: rawValue).map { [$0] } ?? BenchmarkPart.allCases
    }
  }

  @Argument(help: "What to measure: near, bbox, nearest, import, coverage, geocode or all.")
  var parts: [Part] = [.all]

  @Option(
    help: "Generate this many regions: 100k, 1M. (default: 1M)", transform: Amount.parse)
  var regions = Amount(count: 1_000_000)

  @Option(help: "Search around this many places.")
  var questions: Int = 200

  @Option(
    help: ArgumentHelp(
      "Search a copy of this store instead of a generated one.", valueName: "path"),
    completion: .file())
  var store: String?

  @Option(help: "Generate tracks and places from this seed.")
  var seed: UInt64 = 1

  @Flag(help: "Print JSON.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Keep the generated files in this new folder.", valueName: "folder", visibility: .hidden))
  var keep: String?

  @Flag(help: ArgumentHelp("Leave out the alternatives.", visibility: .hidden))
  var alone = false

  @Option(help: ArgumentHelp("Run one hot path and nothing else.", visibility: .hidden))
  var hotPath: HotPath?

  @Option(help: ArgumentHelp("Run the hot path this many times.", visibility: .hidden))
  var count: Int = 0

  func validate() throws {
    guard questions > 0 else { throw ValidationError("--questions must be at least 1.") }
    guard count >= 0 else { throw ValidationError("--count must not be negative.") }
  }

  func run() throws {
    try Console.reportingErrors {
      do {
        try inFolder { folder in
          if let hotPath {
            Console.print("\(hotPath.rawValue) \(try hotPath.run(count: count, in: folder))")
          } else {
            try measure(in: folder)
          }
        }
      } catch let error as BenchmarkError {
        Console.printError("roqua: " + error.description)
        throw ExitCode.failure
      }
    }
  }

  private func measure(in folder: String) throws {
    var benchmark = Benchmark()
    let asked = Set(parts.flatMap(\.parts))
    benchmark.parts = BenchmarkPart.allCases.filter(asked.contains)
    benchmark.writesAnswers = keep != nil
    benchmark.regions = regions.count
    benchmark.questions = questions
    benchmark.storePath = store.map(NegativeNumbers.original)
    benchmark.seed = seed
    benchmark.isAlone = alone
    let progress = StepLine(isShown: !json)
    benchmark.onStep = progress.show
    let report = try benchmark.run(in: folder)
    progress.clear()
    if json {
      Console.print(report.json)
    } else {
      BenchmarkSummary(report: report).print()
    }
  }

  /// A folder for what is made: `--keep`, or one that is gone afterwards.
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder =
      keep.map(NegativeNumbers.original)
      ?? FilePath(FilePath.temporaryFolder).appending("roqua-bench-\(UUID().uuidString)")
    guard mkdir(folder, 0o700) == 0 else {
      throw Console.Failure(
        "\(folder): the folder cannot be created (\(String(cString: strerror(errno))))")
    }
    defer { if keep == nil { try? FileManager.default.removeItem(atPath: folder) } }
    try body(folder)
  }
}

extension HotPath: ExpressibleByArgument {}

/// A number with `k` or `M` behind it.
struct Amount {
  let count: Int

  init(count: Int) { self.count = count }

  /// Reads a number, also with a unit.
  ///
  /// - Throws: ``ArgumentFlaw``.
  static func parse(_ argument: String) throws(ArgumentFlaw) -> Amount {
    let units: [Character: Double] = ["k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6]
    let unit = argument.last.flatMap { units[$0] }
    guard let value = DecimalNumber.value(of: unit == nil ? argument : String(argument.dropLast())),
      value >= 1,
      value * (unit ?? 1) <= 1e9
    else { throw ArgumentFlaw("must be a number from 1 to 1000M, such as 100k or 1M.") }
    return Amount(count: Int(value * (unit ?? 1)))
  }
}
