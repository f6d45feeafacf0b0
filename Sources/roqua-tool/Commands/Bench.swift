import ArgumentParser
import ByteStreams
import Foundation
import Geodesy
import GeoStore
import Roqua
import RoquaBench

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time Roqua on this machine, beside other ways to do the same.",
    discussion: """
      Makes tracks by a seed, or takes a copy of your store with --store; the store itself is only \
      read. Every answer is compared before it is timed: searches with a look at every region, \
      points with those that were written, cells with the app's way, cities with a look at every \
      city. Times are those of one processor, except for the whole import, which is timed by the \
      clock.

      For developers: --hot-path NAME --count N does one kind of work N times and prints how \
      often, so that scripts/instructions can count its instructions. Names: \
      \(HotPath.allCases.map(\.rawValue).joined(separator: ", ")).
      """)

  enum Part: String, CaseIterable, ExpressibleByArgument {
    case near, bbox, nearest, `import`, coverage, geocode, all

    var parts: [BenchmarkPart] {
      BenchmarkPart(rawValue: rawValue).map { [$0] } ?? BenchmarkPart.allCases
    }
  }

  @Argument(help: "What to time: near, bbox, nearest, import, coverage, geocode; all by default.")
  var parts: [Part] = [.all]

  @Option(help: "How many regions to make: 100k, 1M.")
  var regions = Amount(count: 1_000_000)

  @Option(help: "How many places to ask around.")
  var questions: Int = 200

  @Option(
    help: ArgumentHelp("A store to search, instead of one that is made.", valueName: "path"),
    completion: .file())
  var store: String?

  @Option(help: "What the made tracks and the places follow from.")
  var seed: UInt64 = 1

  @Flag(help: "Answer in JSON.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Keep what was made in this new folder.", valueName: "folder", visibility: .hidden))
  var keep: String?

  @Flag(help: ArgumentHelp("Leave the other ways to search out.", visibility: .hidden))
  var alone = false

  @Option(help: ArgumentHelp("Do one kind of work and nothing else.", visibility: .hidden))
  var hotPath: HotPath?

  @Option(help: ArgumentHelp("How often.", visibility: .hidden))
  var count: Int = 0

  func validate() throws {
    guard questions > 0 else { throw ValidationError("--questions must be at least 1.") }
    guard count >= 0 else { throw ValidationError("--count must not be below 0.") }
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
        "\(folder): the folder cannot be made (\(String(cString: strerror(errno))))")
    }
    defer { if keep == nil { try? FileManager.default.removeItem(atPath: folder) } }
    try body(folder)
  }
}

extension HotPath: ExpressibleByArgument {}

/// A number with `k` or `M` behind it.
struct Amount: ExpressibleByArgument, CustomStringConvertible {
  let count: Int

  init(count: Int) { self.count = count }

  init?(argument: String) {
    let units: [Character: Double] = ["k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6]
    let unit = argument.last.flatMap { units[$0] }
    guard let value = DecimalNumber.value(of: unit == nil ? argument : String(argument.dropLast())),
      value >= 1,
      value * (unit ?? 1) <= 1e9
    else { return nil }
    count = Int(value * (unit ?? 1))
  }

  /// As it may be given: `1M`.
  var description: String {
    if count % 1_000_000 == 0 { return "\(count / 1_000_000)M" }
    return count % 1_000 == 0 ? "\(count / 1_000)k" : "\(count)"
  }

  var defaultValueDescription: String { description }
}
