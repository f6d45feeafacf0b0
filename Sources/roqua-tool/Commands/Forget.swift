import ArgumentParser
import GeoStore
import Geodesy
import Roqua

struct Forget: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take back what was imported, or all that lies in a privacy zone.",
    discussion: """
      A source is named by its number, its path, or the first eight digits or more of its SHA-256 \
      (roqua sources lists them). The number goes before the path, the path before the digits: 2 \
      is source 2, whatever the paths of others are. The store is then as if the source had never \
      been imported. With --near and --radius, the kept fixes of all sources within that distance \
      are taken out. Regions, visits and coverage are built anew from what is left, and the \
      store's file is written anew, so that nothing of it stays there. The tracks that were \
      imported are not touched.

      A source that lost a zone stays known: importing its file again changes nothing. To have it \
      back whole, forget the source and import it again.

      Exit status: 0 all done, 1 failed, 2 done, but another program kept the old state of the \
      file open.

      Examples: roqua forget 3 holiday.gpx
                roqua forget --near 41.0256 28.9742 --radius 300m
      """)

  @OptionGroup var store: StoreArguments

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Forget what lies around a point.", valueName: "lat lon"))
  var near: [String] = []

  @Option(help: ArgumentHelp("How far around it: 300, 300m, 2km, 1.5mi.", valueName: "distance"))
  var radius: Length?

  @Flag(help: "Tell what would be forgotten, and change nothing.")
  var dryRun = false

  @Argument(help: "Sources.", completion: Completions.sources)
  var sources: [String] = []

  private func center() throws -> Coordinate? {
    near.isEmpty ? nil : try Position.coordinate(near, option: "--near")
  }

  func validate() throws {
    guard sources.isEmpty != near.isEmpty else {
      throw ValidationError("Name sources, or a zone by --near and --radius.")
    }
    guard near.isEmpty == (radius == nil) else {
      throw ValidationError("--near and --radius go together.")
    }
    _ = try center()
  }

  func run() throws {
    Interruption.prepareRewriting("it is forgotten")
    try Console.reportingErrors {
      let explorer = try store.open(creating: false)
      let result: MaintenanceReport
      if let center = try center(), let radius {
        result = try explorer.forget(near: center, radiusMeters: radius.meters, isDryRun: dryRun)
      } else {
        result = try explorer.forget(
          sources: sources.map(NegativeNumbers.original), isDryRun: dryRun)
      }
      if store.json { Console.print(result.json) } else { print(result) }
      if !dryRun { try Self.checkErased(result) }
    }
  }

  private func print(_ result: MaintenanceReport) {
    guard !result.sources.isEmpty else {
      return Console.print(
        "no source has anything within \(Wording.distance(radius?.meters ?? 0)) of there")
    }
    let verb = dryRun ? "would be forgotten" : "forgotten"
    for source in result.sources {
      let before = source.source
      var parts: [String] = []
      func add(_ taken: Int, of all: Int, _ name: String, _ plural: String) {
        if taken > 0 {
          parts.append("\(Wording.count(taken)) of \(Wording.count(all, name, plural))")
        }
      }
      add(source.fixesDeleted, of: before.kept, "kept fix", "kept fixes")
      add(source.regionsDeleted, of: before.regions, "region", "regions")
      add(source.cellsDeleted, of: before.cells, "cell", "cells")
      if parts.isEmpty { parts = ["the source"] }
      Console.print(
        "\(before.id) \(before.path): \(parts.joined(separator: ", ")) \(verb)")
    }
    Console.print(Self.change(result, isDryRun: dryRun))
    if !dryRun, !near.isEmpty {
      Console.print("The sources stay known: importing one of these files again changes nothing.")
    }
  }

  /// What became of regions and cells. A zone may split one region into two.
  static func change(_ result: MaintenanceReport, isDryRun: Bool = false) -> String {
    func text(_ before: Int, _ after: Int, _ name: String) -> String {
      "\(Wording.count(after, name)) (\(Wording.count(before)) \(isDryRun ? "now" : "before"))"
    }
    let start = isDryRun ? "there would be" : "now"
    return "\(start) \(text(result.before.visitedRegions, result.after.visitedRegions, "region")), "
      + "\(text(result.before.visits, result.after.visits, "visit")), "
      + text(result.before.cells, result.after.cells, "explored cell")
  }

  /// Says so where the old state can still be read from the store's files.
  static func checkErased(_ result: MaintenanceReport) throws {
    guard !result.isErased else { return }
    Console.printError(
      "roqua: done, but another program has the store open, or the disk is full: its file still "
        + "holds what was there before; roqua rebuild, or the next command that changes the store, "
        + "takes it out when it is closed"
    )
    throw ExitCode(2)
  }
}
