import ArgumentParser
import GeoStore
import Roqua

struct Adopt: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Import the data of the Roqua app.",
    discussion: """
      Regions of the app's database keep their visits and counts; explored circles become regions \
      without a time, grid hashes become explored cells. Each file becomes a source (roqua \
      sources), which can be forgotten. Adopting the same content again changes nothing. The app's \
      files are not changed.

      Exit status: 0 success, 1 failure, 2 some rows or entries left out, 64 wrong usage.
      """)

  @OptionGroup var store: StoreArguments

  @Option(
    help: ArgumentHelp(
      "Adopt explored circles: a JSON list of {\"latitude\": …, \"longitude\": …}.",
      valueName: "file"),
    completion: .file())
  var exploredCircles: String?

  @Option(
    help: ArgumentHelp("Adopt grid hashes: a JSON list of \"row_column\".", valueName: "file"),
    completion: .file())
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
      throw ValidationError("Give the app's database, --explored-circles or --grid-hashes.")
    }
  }

  func run() throws {
    Interruption.prepare(
      working: "nothing was adopted; run the same command again to restart",
      committed: "everything was adopted")
    try Console.reportingErrors {
      for path in [request.database, request.exploredCircles, request.gridHashes] {
        if let path { try ExistingFile.check(path) }
      }
      // No store is created for data that cannot be adopted.
      let report = try WorkProgress.showing { meter in
        meter.begin(.adopting)
        try Explorer.checkAdoptable(request)
        return try store.open(creating: true).adopt(request)
      }
      if store.json { Console.print(report.json) } else { Self.print(report) }
      if report.isPartial { throw ExitCode(2) }
    }
  }

  private static func print(_ report: AdoptReport) {
    for part in report.parts {
      let path = part.path
      if part.isDuplicate {
        Console.print("\(path): already in the store; nothing changed")
        continue
      }
      Console.print(
        "\(path): \(Wording.count(part.taken)) of "
          + "\(Wording.count(part.entries, part.singular, part.plural)) adopted"
      )
      if part.withheld > 0 {
        Console.print("  \(Wording.count(part.withheld)) left out: in a privacy zone")
      }
      for problem in part.problems {
        let outcome = problem.isLeftOut ? "; left out" : ""
        Console.print("  \(part.singular) \(problem.index) \(problem.message)\(outcome)")
      }
      if part.problemCount > part.problems.count {
        Console.print(
          "  and \(Wording.count(part.problemCount - part.problems.count)) more problems")
      }
    }
    if !report.parts.allSatisfy(\.isDuplicate) {
      let (before, after) = (report.before, report.after)
      Console.print(
        "The store has \(Wording.count(after.visitedRegions, "region")) "
          + "(\(Wording.count(before.visitedRegions)) before), "
          + "\(Wording.count(after.visits, "visit")) (\(Wording.count(before.visits)) before), "
          + "\(Wording.count(after.cells, "explored cell")) "
          + "(\(Wording.count(before.cells)) before).")
    }
  }
}

extension AdoptReport.Part {
  fileprivate var singular: String { format == "roqua-app" ? "row" : "entry" }
  fileprivate var plural: String { format == "roqua-app" ? "rows" : "entries" }
}
