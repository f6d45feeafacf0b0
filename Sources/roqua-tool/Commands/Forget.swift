import ArgumentParser
import GeoStore
import Geodesy
import Roqua

struct Forget: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Delete imported sources, or everything around a point.",
    discussion: """
      A source is identified by its number, its path, or at least eight leading digits of its \
      SHA-256, tried in this order (roqua sources lists them). Afterward the store is as if the \
      source had never been imported. With --near and --radius, the kept fixes of all sources \
      within that distance are deleted. Regions, visits and coverage are updated, and the deleted \
      data is erased from the store's file. Your track files are not changed.

      After --near, importing the same files again does not restore what was deleted. To get it \
      back, forget the source and import its file again. In a store that several devices share \
      (roqua sync), the next sync forgets on all devices, permanently.

      Exit status: 0 success, 1 failure, 2 deleted but not yet erased because another program has \
      the file open, 64 wrong usage or no such source.

      Examples: roqua forget 3 holiday.gpx
                roqua forget --near 41.0256 28.9742 --radius 300m
      """)

  @OptionGroup var store: StoreArguments

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Delete everything around a point.", valueName: "lat lon"))
  var near: [String] = []

  @Option(
    help: ArgumentHelp(
      "Delete within this distance of the point: 300m, 2km, 1.5mi; a number alone is in meters.",
      valueName: "distance"), transform: Length.parse)
  var radius: Length?

  @Flag(help: "Report what would be deleted, without changing anything.")
  var dryRun = false

  @Argument(help: "The sources to forget.", completion: Completions.sources)
  var sources: [String] = []

  private func center() throws -> Coordinate? {
    near.isEmpty ? nil : try Position.coordinate(near, option: "--near")
  }

  func validate() throws {
    if !near.isEmpty, sources.contains(where: Length.isUnit) {
      throw ValidationError("Write a distance as one word, such as 2km.")
    }
    guard sources.isEmpty != near.isEmpty else {
      throw ValidationError("Give sources, or --near and --radius.")
    }
    guard near.isEmpty == (radius == nil) else {
      throw ValidationError("--near and --radius must be used together.")
    }
    _ = try center()
  }

  func run() throws {
    Interruption.prepareRewriting("the data was deleted")
    try Console.reportingErrors {
      let explorer = try store.open(creating: false)
      let result = try WorkProgress.showing { _ in
        if let center = try center(), let radius {
          return try explorer.forget(
            near: center, radiusMeters: radius.meters, isDryRun: dryRun)
        }
        return try explorer.forget(
          sources: sources.map(NegativeNumbers.original), isDryRun: dryRun)
      }
      if store.json { Console.print(result.json) } else { print(result) }
      if !dryRun, !store.json, !result.sources.isEmpty {
        SharedStoreAdvice.printAfterForgetting(result, in: explorer.store)
      }
      if !dryRun {
        if !result.sources.isEmpty {
          ReplacedStoreAdvice.printAfterDeleting(storePath: explorer.store.path)
        }
        try Self.checkErased(result)
      }
    }
  }

  private func print(_ result: MaintenanceReport) {
    guard !result.sources.isEmpty else {
      return Console.print(
        "No source has data within \(Wording.distance(radius?.meters ?? 0)) of the point.")
    }
    let verb = dryRun ? "would be deleted" : "deleted"
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
    Console.print(SizeChange.text(result, isDryRun: dryRun))
    if !dryRun, !near.isEmpty {
      Console.print("Importing these files again does not restore the deleted data.")
    }
  }

  /// Fails if the old state can still be read from the store's files.
  static func checkErased(_ result: MaintenanceReport) throws {
    try checkErased(result.isErased)
  }

  static func checkErased(_ isErased: Bool) throws {
    guard !isErased else { return }
    Console.printError(
      "roqua: done, but the old data could not be erased from the store's file, because another "
        + "program has it open or the disk is full; roqua rebuild or the next command that changes "
        + "the store erases it"
    )
    throw ExitCode(2)
  }
}
