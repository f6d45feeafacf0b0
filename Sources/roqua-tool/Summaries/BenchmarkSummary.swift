import Foundation
import RoquaBench

/// Measurements in words and a table.
struct BenchmarkSummary {
  let report: BenchmarkReport

  func print() {
    printMachine()
    if !report.builds.isEmpty { printBuilds() }
    for part in BenchmarkPart.allCases { printPart(report.measurements.filter { $0.part == part }) }
    Console.print("")
    Console.print(
      "The ratio is the median divided by Roqua's. p95 and p99 are over searches, or over rounds "
        + "or batches")
    Console.print("where thousands are measured together.")
  }

  private func printMachine() {
    let machine = report.machine
    var table = Table([.left, .left])
    table.add([
      "machine",
      "\(machine.processor), \(Wording.count(machine.cores, "core"))"
        + (machine.load.map { ", load \(Wording.decimal($0, 1)) at the start" } ?? ""),
    ])
    table.add(["system", machine.system])
    table.add([
      "versions",
      "Swift \(machine.swift)\(machine.isOptimized ? "" : " without optimization"), "
        + "SQLite \(machine.sqlite)",
    ])
    table.add(["commit", machine.commit.map { String($0.prefix(12)) } ?? "unknown"])
    table.add(["date", String(machine.date.iso8601.prefix(10)) + ", seed \(report.seed)"])
    if let regions = report.regions {
      table.add([
        "store",
        "\(Wording.count(regions, "region"))\(report.isUsersStore ? ", a copy of your store" : "")",
      ])
    }
    table.lines().forEach(Console.print)
    if !machine.isOptimized {
      Console.print("")
      Console.print("This is a debug build: its times mean nothing. Build with -c release.")
    }
  }

  private func printBuilds() {
    Console.print("")
    Console.print("built before measuring")
    var table = Table([.left, .right])
    for build in report.builds {
      table.add([build.name, "\(Wording.decimal(build.seconds, 2)) s"])
    }
    table.lines(indent: "  ").forEach(Console.print)
  }

  private func printPart(_ measurements: [RoquaBench.Measurement]) {
    guard !measurements.isEmpty else { return }
    var table = Table([.left, .left, .right, .right, .right, .right, .right, .right])
    table.add(["search", "implementation", "rows", "median", "p95", "p99", "per second", "ratio"])
    var last = ""
    for row in measurements {
      table.add([
        row.question == last ? "" : row.question, row.contender,
        row.meanHits.map { Wording.decimal($0, $0 < 100 ? 1 : 0) } ?? "",
        Self.time(row.times.median),
        Self.time(row.times.p95), Self.time(row.times.p99), Self.rate(row),
        row.ratio.map { Wording.decimal($0, $0 < 10 ? 2 : 0) } ?? "",
      ])
      last = row.question
    }
    Console.print("")
    table.lines().forEach(Console.print)
  }

  private static func rate(_ row: RoquaBench.Measurement) -> String {
    let plural =
      row.unit == "search" ? "searches" : row.unit == "kept fix" ? "kept fixes" : row.unit + "s"
    let pieces = "\(amount(row.throughput)) \(plural)"
    return row.bytesPerSecond.map { "\(Wording.bytes(Int($0))), \(pieces)" } ?? pieces
  }

  /// `12.3 M`, `850 k`, `70`.
  static func amount(_ value: Double) -> String {
    let (scaled, unit) =
      value >= 1e6 ? (value / 1e6, " M") : value >= 1e3 ? (value / 1e3, " k") : (value, "")
    return Wording.decimal(scaled, scaled < 99.95 ? 1 : 0) + unit
  }

  /// `340 ns`, `1.25 µs`, `12.5 ms`, `1.25 s`: three digits.
  static func time(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "–" }
    var (value, unit) = (seconds, "s")
    for smaller in ["ms", "µs", "ns"] where value < 0.9995 {
      (value, unit) = (value * 1_000, smaller)
    }
    return Wording.decimal(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0) + " " + unit
  }
}

/// Shows the current step on one line of a terminal; nothing elsewhere.
struct StepLine: Sendable {
  private let isShown: Bool

  init(isShown: Bool) { self.isShown = isShown && isatty(STDERR_FILENO) == 1 }

  /// Shows a step in place of the last one.
  func show(_ step: String) { write("\(step) …") }

  /// Erases the line.
  func clear() { write("") }

  private func write(_ text: String) {
    if isShown { Console.overwriteLine(with: text) }
  }
}
