import ArgumentParser
import Foundation
import GeoStore
import Roqua
import RoquaBench

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time Roqua on this machine, beside other ways to do the same.",
    discussion: """
      Makes tracks by a seed, or takes your store with --store, which is only read. Every answer is compared with a look \
      at every region before it is timed.
      """)

  enum Part: String, CaseIterable, ExpressibleByArgument {
    case near, bbox, nearest, all
  }

  @Argument(help: "What to time: near, bbox, nearest or all.")
  var part: Part = .all

  @Option(help: "How many regions to make: 100k, 1M.")
  var regions: Amount = Amount(count: 1_000_000)

  @Option(help: "How many places to ask around.")
  var questions: Int = 200

  @Option(help: "A store to search instead of one that is made.")
  var store: String?

  @Option(help: "What the made tracks and the places follow from.")
  var seed: UInt64 = 1

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    guard questions > 0 else { throw ValidationError("--questions must be at least 1.") }
  }

  func run() throws {
    let folder = NSTemporaryDirectory() + "roqua-bench-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let made =
      try store.map(BenchmarkStore.open)
      ?? BenchmarkStore.make(path: folder + "/store.sqlite", regions: regions.count, seed: seed)
    let bench = try SearchBenchmark(made, folder: folder, questions: questions, seed: seed)
    if let filling = made.filling {
      print(
        "filled: \(filling.fixes) fixes, \(made.regionCount) regions, \(Int(Double(filling.fixes) / filling.seconds)) fixes/s"
      )
    }
    for build in bench.buildSeconds { print("build", build.name, build.seconds) }
    var questions: [SearchBenchmark.Question] = []
    if part == .near || part == .all { questions += [.near(500), .near(2_000), .near(10_000)] }
    if part == .bbox || part == .all { questions += [.box(1_000), .box(10_000)] }
    if part == .nearest || part == .all { questions += [.nearest(1), .nearest(20)] }
    for question in questions {
      for row in try bench.run(question) {
        print(
          question.name, row.contender, "hits", row.meanHits, "median µs", row.times.median * 1e6, "p99",
          row.times.p99 * 1e6, "ratio", row.ratio)
      }
    }
  }
}

/// A number with `k` or `M` behind it.
struct Amount: ExpressibleByArgument {
  let count: Int

  init(count: Int) { self.count = count }

  init?(argument: String) {
    let units: [Character: Double] = ["k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6]
    let unit = argument.last.flatMap { units[$0] }
    guard let value = Double(unit == nil ? argument : String(argument.dropLast())), value >= 1,
      value * (unit ?? 1) <= 1e9
    else { return nil }
    count = Int(value * (unit ?? 1))
  }
}
