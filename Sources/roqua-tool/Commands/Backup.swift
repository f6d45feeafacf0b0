import ArgumentParser
import GeoStore
import Roqua

struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy the store into a file, while imports go on.",
    discussion: """
      The copy is a store of its own, as the store was at the moment when the backup began, and \
      readable by its owner only. Copying the file by hand would miss what is in its write-ahead \
      log.

      --app-format writes the visited regions to a database that the Roqua app opens; roqua adopt \
      reads it back. Kept fixes, single visits and cells are not in it, times are whole seconds, \
      and the app does not list regions without a time.

      Examples: roqua backup ~/roqua-2024-05-01.sqlite
                roqua backup --app-format ~/Roqua.sqlite
      """)

  @OptionGroup var store: StoreArguments

  @Flag(help: "Write a database of the Roqua app instead of a store.")
  var appFormat = false

  @Flag(help: "Replace a file that is there.")
  var force = false

  @Argument(help: "Where to.", completion: .file())
  var file: String

  func run() throws {
    try Console.reportingErrors {
      let path = NegativeNumbers.original(file)
      if appFormat { try exportAppDatabase(to: path) } else { try copy(to: path) }
    }
  }

  private func copy(to path: String) throws {
    Interruption.prepare(
      working: "no backup was written; the store is as it was", committed: "the backup is written"
    )
    let explorer = try store.open(creating: false)
    var progress = CopyProgress(unit: "page", action: "copied")
    let result = Result {
      try explorer.backup(to: path, replacing: force) { progress.take($0, of: $1) }
    }
    progress.end()
    let bytes = try result.get()
    if store.json {
      Console.print(["path": .string(path), "bytes": .integer(bytes)])
    } else {
      Console.print("\(path): \(Wording.bytes(bytes))")
    }
  }

  private func exportAppDatabase(to path: String) throws {
    Interruption.prepare(
      working: "no file was written; the store is as it was", committed: "the file is written")
    let explorer = try store.open(creating: false)
    var progress = CopyProgress(unit: "region", action: "written")
    let result = Result {
      try explorer.exportAppDatabase(to: path, replacing: force) { progress.take($0, of: $1) }
    }
    progress.end()
    let export = try result.get()
    if store.json { return Console.print(export.json) }
    Console.print(
      "\(path): \(Wording.count(export.regions, "region")) in \(Wording.bytes(export.bytes))")
    guard export.undatedRegions > 0 else { return }
    let has = export.undatedRegions == 1 ? "has" : "have"
    Console.print(
      "  \(Wording.count(export.undatedRegions, "region")) \(has) no time; the app does not list "
        + (export.undatedRegions == 1 ? "it" : "them"))
  }
}
