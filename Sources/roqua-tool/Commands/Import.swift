import ArgumentParser
import Foundation
import GeoStore
import Roqua
import SQLiteLayer
import TrackIngest

extension ExtraPoints: ExpressibleByArgument {}

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read tracks into the store.",
    discussion: """
      Takes GPX and NMEA 0183 files, told apart by their content, also compressed with gzip; zip \
      archives of them; folders with all that lies below them; and - for standard input. A file \
      whose bytes are in the store already changes nothing. Each file is stored whole or not at all.

      Files of other kinds that hold tracks (FIT, TCX, KML, Google Timeline ...) are counted by \
      kind and skipped; the exit status is 2 then. Files that hold no tracks are only counted.

      Ctrl-C keeps what was finished; the same command goes on from there.

      Exit status: 0 all done, 1 failed, 2 some files refused or not supported, 64 wrong usage, 130 interrupted.
      """)

  @OptionGroup var store: StoreArguments

  @Flag(help: "Read and report, and change nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Points to take beside track points, joined by commas: routes, waypoints.", valueName: "kinds"
    ), completion: .list(["routes", "waypoints", "routes,waypoints"]))
  var include: String?

  @Argument(help: "Files and folders; - is standard input.", completion: .file())
  var paths: [String]

  func validate() throws {
    _ = try extras()
    guard paths.count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("There is one standard input: give - once.")
    }
  }

  private func extras() throws -> Set<ExtraPoints> {
    try Set(
      (include ?? "").split(separator: ",").map { name in
        guard let kind = ExtraPoints(rawValue: String(name)) else {
          throw ValidationError("--include takes routes, waypoints or both, joined by a comma.")
        }
        return kind
      })
  }

  func run() throws {
    var options = ImportOptions()
    options.extras = try extras()
    options.isDryRun = dryRun
    options.bringsInLog = true
    let progress = ProgressLine()
    options.meter = progress?.meter
    let kept =
      dryRun
      ? "nothing was changed"
      : "what was finished is in the store, and the same command goes on from there"
    Interruption.prepare(working: kept, committed: kept)
    try Console.reportingErrors {
      let result = Result { try importedOrPreviewed(options) }
      progress?.end()
      let (report, filter) = try result.get()
      if store.json {
        Console.print(report.json)
      } else {
        ImportSummary(report: report, filter: filter, isDryRun: dryRun, extras: options.extras)
          .print()
      }
      for file in report.files {
        guard let error = file.track.error else { continue }
        let place = error.line.map { ":\($0)" } ?? ""
        Console.printError("roqua: \(file.path)\(place): \(error.message)")
      }
      for kind in UnsupportedKind.allCases {
        guard let count = report.unsupported[kind] else { continue }
        Console.printError(
          "roqua: \(Wording.count(count, "\(kind.name) file")) skipped: not supported yet")
      }
      try Self.finish(report, paths: typedPaths)
    }
  }

  /// Imports; or, in a dry run, reads only, without making a store where there is none.
  private func importedOrPreviewed(
    _ options: ImportOptions
  ) throws -> (ImportReport, FilterSettings) {
    let paths = typedPaths
    do {
      // A store is not made for a path that is not there.
      let explorer = try store.open(creating: !dryRun && Explorer.finds(anyOf: paths))
      return (try explorer.importTracks(paths, options: options), try explorer.filterSettings())
    } catch DatabaseError.missing {
      return (Explorer.preview(paths, options: options), FilterSettings())
    }
  }

  /// A file may be called `-5.gpx`, and so be taken for a number.
  private var typedPaths: [String] { paths.map(NegativeNumbers.original) }

  private static func finish(_ report: ImportReport, paths: [String]) throws {
    let refused = report.count(.refused)
    if report.files.isEmpty, report.unsupported.isEmpty {
      let seen =
        report.ignored > 0 ? " (\(Wording.count(report.ignored, "file")) of other kinds)" : ""
      Console.printError("roqua: no tracks in \(paths.joined(separator: ", "))\(seen)")
      throw ExitCode.failure
    }
    if report.failure != nil { throw ExitCode.failure }
    if !report.unsupported.isEmpty { throw ExitCode(2) }
    if refused == report.files.count { throw ExitCode.failure }
    if refused > 0 { throw ExitCode(2) }
  }
}
