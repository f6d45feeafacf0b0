import ArgumentParser
import GeoStore
import Roqua

struct Adopt: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take over what the Roqua app has stored.",
    discussion: """
      The app's database keeps its regions, visits and counts; explored circles become regions of \
      unknown time, grid hashes explored cells. Each is a source (roqua sources) and can be \
      forgotten. The same content again changes nothing. The app's files are only read.

      Exit status: 0 all done, 1 failed, 2 some rows or entries were left out, 64 wrong usage.
      """)

  @OptionGroup var store: StoreArguments

  @Option(
    help: ArgumentHelp("A JSON list of {\"latitude\": …, \"longitude\": …}.", valueName: "file"),
    completion: .file())
  var exploredCircles: String?

  @Option(
    help: ArgumentHelp("A JSON list of \"row_column\".", valueName: "file"), completion: .file())
  var gridHashes: String?

  @Argument(help: "The app's database.", completion: .file())
  var database: String?

  private var request: AdoptRequest {
    AdoptRequest(
      database: database.map(NegativeNumbers.original),
      exploredCircles: exploredCircles.map(NegativeNumbers.original),
      gridHashes: gridHashes.map(NegativeNumbers.original))
  }

  func validate() throws {
    guard database != nil || exploredCircles != nil || gridHashes != nil else {
      throw ValidationError("Name the app's database, --explored-circles or --grid-hashes.")
    }
  }

  func run() throws {
    Interruption.prepare(
      working: "nothing was taken over; the same command begins anew",
      committed: "all is taken over")
    try Console.reportingErrors {
      // A store is not made for what cannot be adopted.
      try Explorer.checkAdoptable(request)
      let report = try store.open(creating: true).adopt(request)
      if store.json { Console.print(report.json) } else { Self.print(report) }
      if report.isPartial { throw ExitCode(2) }
    }
  }

  private static func print(_ report: AdoptReport) {
    for part in report.parts {
      let path = part.path
      if part.isDuplicate {
        Console.print("\(path): in the store already, nothing changed")
        continue
      }
      Console.print(
        "\(path): \(Wording.count(part.taken)) of "
          + "\(Wording.count(part.entries, part.singular, part.plural)) taken"
      )
      for problem in part.problems {
        let outcome = problem.isLeftOut ? "; left out" : ""
        Console.print("  \(part.singular) \(problem.index) \(problem.message)\(outcome)")
      }
      if part.problemCount > part.problems.count {
        Console.print(
          "  and \(Wording.count(part.problemCount - part.problems.count)) more like these")
      }
    }
    if !report.parts.allSatisfy(\.isDuplicate) {
      let (before, after) = (report.before, report.after)
      Console.print(
        "now \(Wording.count(after.visitedRegions, "region")) "
          + "(\(Wording.count(before.visitedRegions)) before), "
          + "\(Wording.count(after.visits, "visit")) (\(Wording.count(before.visits)) before), "
          + "\(Wording.count(after.cells, "explored cell")) (\(Wording.count(before.cells)) before)"
      )
    }
  }
}

extension AdoptReport.Part {
  fileprivate var singular: String { format == "roqua-app" ? "row" : "entry" }
  fileprivate var plural: String { format == "roqua-app" ? "rows" : "entries" }
}
