import ArgumentParser
import CProcessMemory
import Foundation
import GeoStore
import Roqua
import SQLiteLayer
import TrackIngest

extension ExtraPoints: ExpressibleByArgument {}

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import tracks into the store.",
    discussion: """
      Reads track files (see roqua help formats), plain, compressed with gzip or in zip or tar \
      archives, and searches folders recursively. Formats are detected by content. A file whose \
      bytes are in the store already changes nothing. Each file is stored completely or not at all.

      The summary at the end counts all files together. Lines about single files are for warnings, \
      and for files of which no point could be kept; --verbose has every file.

      Files that hold tracks in formats that are not supported yet are skipped and counted by \
      format; the exit status is then 2. Files without tracks are ignored and counted.

      Ctrl-C keeps the files that were stored and prints the report so far; run the same command \
      again to import the rest.

      Exit status: 0 success, 1 failure, 2 some files refused or not supported, 64 wrong usage, \
      130 interrupted.
      """)

  @OptionGroup var store: StoreArguments

  @Flag(name: .shortAndLong, help: "Print a line for each file.")
  var verbose = false

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  @Flag(help: "Report what would be imported, without changing anything.")
  var dryRun = false

  @Flag(
    help: """
      Explain what each file is and what becomes of its parts, without changing anything: \
      --verbose lists every position that is left out.
      """)
  var explain = false

  @Option(
    help: ArgumentHelp(
      """
      Import routes, waypoints or both in addition to track points: routes,waypoints. Files that \
      are already imported stay as they are.
      """,
      valueName: "kinds"
    ), completion: .list(["routes", "waypoints", "routes,waypoints"]))
  var include: String?

  @Option(
    help: ArgumentHelp(
      "Assign columns of tables (CSV), by name or number: "
        + "latitude=3,longitude=4,time=when,accuracy=5.",
      valueName: "list"))
  var columns: TableColumns?

  @Argument(help: "Files and folders to import; - for standard input.", completion: .file())
  var paths: [String]

  func validate() throws {
    _ = try extras()
    guard paths.count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("Standard input (-) can be given only once.")
    }
    guard !verbose || !quiet else {
      throw ValidationError("--verbose cannot be combined with --quiet.")
    }
    guard !explain || !quiet else {
      throw ValidationError("--explain cannot be combined with --quiet.")
    }
    guard !explain || !dryRun else {
      throw ValidationError("--explain changes nothing, so it needs no --dry-run.")
    }
    guard !store.json || !quiet else {
      throw ValidationError("--json cannot be combined with --quiet.")
    }
  }

  private func extras() throws -> Set<ExtraPoints> {
    try Set(
      (include ?? "").split(separator: ",").map { name in
        guard let kind = ExtraPoints(rawValue: String(name)) else {
          throw ValidationError("--include takes routes, waypoints or routes,waypoints.")
        }
        return kind
      })
  }

  func run() throws {
    if explain { return try Console.reportingErrors(printExplanation) }
    let cancellation = Cancellation()
    var options = ImportOptions()
    options.extras = try extras()
    options.columns = columns
    options.isDryRun = dryRun
    options.bringsInLog = true
    options.cancellation = cancellation
    let progress = quiet ? nil : ImportProgress()
    options.meter = progress?.meter
    Interruption.prepareCanceling(
      cancellation,
      working: dryRun
        ? "nothing was changed"
        : "finished files are in the store; run the same command again to import the rest")
    try Console.reportingErrors {
      let result = Result { try importedOrPreviewed(options) }
      progress?.end()
      let (report, filter, flightsExplore) = try result.get()
      if store.json {
        Console.print(report.json)
      } else {
        ImportSummary(
          report: report, filter: filter, flightsExplore: flightsExplore, isDryRun: dryRun,
          extras: options.extras,
          detail: quiet ? .nothing : verbose ? .everyFile : .summary
        ).print()
      }
      printErrors(report)
      printFailure(report)
      if !dryRun, report.count(.imported) > 0 {
        try SharedStoreAdvice.printForgotten(at: store.path)
      }
      Interruption.endIfCanceled(saying: interruptedLine(report))
      try Self.finish(report, paths: typedPaths)
    }
  }

  /// Explains the files. Their own lines say why any is refused.
  private func printExplanation() throws {
    let explorer: Explorer?
    do { explorer = try store.open(creating: false) } catch DatabaseError.missing { explorer = nil }
    let explainer = try ImportExplainer(
      explorer, including: extras(), columns: columns, isWhole: verbose)
    let lines = ExplanationLines(explainer.settings, extras: try extras())
    let isJSON = store.json
    let report = explainer.explain(typedPaths) { step in
      if isJSON { return Console.print(step.json) }
      lines.lines(of: step).forEach(Console.print)
    }
    try Self.finish(report, paths: typedPaths)
  }

  /// What to do about a refused file that has the name of a table, if no columns were stated, or of
  /// a photo; empty for any other.
  private func advice(on error: IngestError, of path: String) -> String {
    guard error.code == .unknownFormat else { return "" }
    let kind = URL(fileURLWithPath: path).pathExtension.lowercased()
    if columns == nil, ["csv", "tsv"].contains(kind) { return " If it is a table, use --columns." }
    return PhotoKinds.isPhoto(kind)
      ? " roqua photos proposes positions for photos that have none." : ""
  }

  private func printErrors(_ report: ImportReport) {
    for file in report.files {
      guard let error = file.track.error else { continue }
      let place = error.line.map { ":\($0)" } ?? ""
      Console.printError(
        "roqua: \(file.path)\(place): \(error.message)\(advice(on: error, of: file.path))")
    }
    for (archive, count) in report.unlistedRefusals {
      let refused = count == 1 ? "was refused" : "were refused"
      Console.printError(
        "roqua: \(archive): \(Wording.count(count, "more file")) in it \(refused)")
    }
    for kind in UnsupportedKind.allCases {
      guard let count = report.unsupported[kind] else { continue }
      Console.printError(
        "roqua: \(Wording.count(count, "\(kind.name) file")) skipped: not supported yet"
          + (kind.advice.map { "; \($0)" } ?? ""))
    }
  }

  /// Says that the store failed: what is in it if that ended the import, otherwise why. A file that
  /// was being written has the reason in a line of its own.
  private func printFailure(_ report: ImportReport) {
    guard let failure = report.failure else { return }
    if !report.files.contains(where: { $0.track.error?.code == .store }) {
      Console.printError("roqua: \(failure)")
    } else if !dryRun, report.count(.imported) > 0 {
      Console.printError("roqua: the import ended there: \(soFar(report))")
    }
  }

  private func interruptedLine(_ report: ImportReport) -> String {
    if dryRun { return "nothing was changed" }
    return report.isCancelled
      ? soFar(report) : Wording.count(report.count(.imported), "file") + " imported"
  }

  /// `12 files imported; run the same command again to import the rest`.
  private func soFar(_ report: ImportReport) -> String {
    "\(Wording.count(report.count(.imported), "file")) imported; "
      + "run the same command again to import the rest"
  }

  /// Imports; or, in a dry run, reads only, without making a store where there is none.
  private func importedOrPreviewed(
    _ options: ImportOptions
  ) throws -> (report: ImportReport, filter: FilterSettings, flightsExplore: Bool) {
    let paths = typedPaths
    do {
      // A store is not made for a path that is not there.
      let explorer = try store.open(creating: !dryRun && Explorer.finds(anyOf: paths))
      unmapStartupPages()
      let report = try explorer.importTracks(paths, options: options)
      do {
        // Once it is canceled, reading still works, but does not wait for another process.
        let (filter, flightsExplore) = try Cancellation.$current.withValue(options.cancellation) {
          (try explorer.filterSettings(), try explorer.settings().flightsExplore)
        }
        return (report, filter, flightsExplore)
      } catch DatabaseError.interrupted where options.cancellation?.isCancelled == true {
        return (report, FilterSettings(), false)
      }
    } catch DatabaseError.missing {
      return (Explorer.preview(paths, options: options), FilterSettings(), false)
    }
  }

  /// Gives pages back when the import has been running for a moment: its first files, too, use code
  /// that the rest does not. A short import ends before.
  private func unmapStartupPages() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(100)) {
      cprocessmemory_unmap_startup_pages()
    }
  }

  /// A file may be called `-5.gpx`, and so be taken for a number.
  private var typedPaths: [String] { paths.map(NegativeNumbers.original) }

  private static func finish(_ report: ImportReport, paths: [String]) throws {
    let refused = report.count(.refused)
    if report.files.isEmpty, report.unsupported.isEmpty {
      let seen =
        report.ignored > 0
        ? " (\(Wording.count(report.ignored, "file")) of other formats)" : ""
      let advice = ImportSummary.ignoresPhotos(report) ? "; \(ImportSummary.photoAdvice)" : ""
      Console.printError(
        "roqua: no tracks found in \(paths.joined(separator: ", "))\(seen)\(advice)")
      throw ExitCode.failure
    }
    if report.failure != nil { throw ExitCode.failure }
    if !report.unsupported.isEmpty { throw ExitCode(2) }
    if refused == report.fileCount { throw ExitCode.failure }
    if refused > 0 { throw ExitCode(2) }
  }
}
