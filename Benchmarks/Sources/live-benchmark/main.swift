import BenchmarkSupport
import Foundation
import Geodesy
import Roqua
import Session

// live-benchmark [--quick] [FOLDER]   fixes a second through a live session: in memory, and durable
// in FOLDER, which says on which disk; by default the temporary folder. `make bench-live` runs it.

var arguments = Array(CommandLine.arguments.dropFirst())
let isQuick = arguments.contains("--quick")
arguments.removeAll { $0 == "--quick" }
let rounds = isQuick ? 1 : 5
let memoryFixes = isQuick ? 100_000 : 1_000_000
let durableFixes = isQuick ? 1_000 : 5_000
let batchedFixes = isQuick ? 50_000 : 200_000
/// The most fixes that `roqua live` stores together.
let liveBatch = 4_096

let parent =
  arguments.first.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
let processID = ProcessInfo.processInfo.processIdentifier
let folder = parent.appending(path: "roqua-live-benchmark-\(processID)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

say("| question | contender | measured | must | |")
say("| --- | --- | --- | --- | --- |")

func row(_ question: String, _ contender: String, _ rate: Double, must: Double?, _ note: String) {
  let verdict = must.map { rate >= $0 ? ", reached" : ", **missed**" } ?? ""
  let limit = must.map { "\(text($0 / 1e3, 0)) k fixes/s\(verdict)" } ?? ""
  say("| \(question) | \(contender) | \(text(rate / 1e3)) k fixes/s | \(limit) | \(note) |")
}

// MARK: In memory

let like = LiveRules(filter: FilterSettings(minimumIntervalSeconds: 0))
let mixed = Walk.mixed(memoryFixes, seed: 1)
let kept = Walk.kept(memoryFixes, seed: 2)
let before = Double(ProcessUsage.peakMemoryBytes) / 1e6
for (question, fixes, rules) in [
  ("a receiver's second, interval 5 s", mixed, LiveRules()), ("every fix kept", kept, like),
] {
  for (contender, batch) in [("one fix an action", 1), ("\(liveBatch) fixes an action", liveBatch)]
  {
    var results: [MemoryRates.Result] = []
    for _ in 0..<rounds { results.append(await MemoryRates.measure(fixes, rules, batch: batch)) }
    check(Set(results.map(\.kept)).count == 1, "the same fixes are kept every time")
    let note = "\(results[0].kept) kept, \(results[0].events) events"
    row("in memory: \(question)", contender, median(results.map(\.rate)), must: 100_000, note)
  }
}
say("")
say(
  "Peak memory \(text(Double(ProcessUsage.peakMemoryBytes) / 1e6, 0)) MB, of which "
    + "\(text(before, 0)) MB before the first action: the fixes of the benchmark itself. "
    + "One listener reads and one never does.")
say("")

// MARK: Durable

say("| question | contender | measured | must | ratio |")
say("| --- | --- | --- | --- | --- |")
for (question, count, batch) in [
  ("durable: one fix a transaction", durableFixes, 1),
  ("durable: \(liveBatch) fixes a transaction", batchedFixes, liveBatch),
] {
  let fixes = Walk.kept(count, seed: 3)
  var (ours, bare, syncs): ([Double], [Double], [Double]) = ([], [], [])
  for round in 0..<rounds {
    let name = "\(batch)-\(round)"
    ours.append(
      try await DurableRates.recorded(
        fixes, batch: batch, at: folder.appending(path: "store-\(name).sqlite").path))
    bare.append(
      DurableRates.bare(
        fixes, batch: batch, at: folder.appending(path: "bare-\(name).sqlite").path))
    syncs.append(DurableRates.syncs(1_000, at: folder.appending(path: "syncs").path))
  }
  let (recorded, alone, synced) = (median(ours), median(bare), median(syncs))
  row(question, "Roqua, with regions, visits and coverage", recorded, must: 10_000, "1.00")
  row(question, "SQLite alone, a row of three numbers", alone, must: nil, text(recorded / alone, 2))
  guard batch == 1 else { continue }
  row(
    question, "lower bound: a page written and synced", synced, must: nil,
    text(recorded / synced, 2))
}
