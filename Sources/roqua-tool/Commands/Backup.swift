import ArgumentParser
import GeoStore
import Roqua

struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy the store to a file, even during an import.",
    discussion: """
      The copy is a complete store in the state at the start of the backup. Only you can read it. \
      Do not copy the store's file by hand: that can miss recent changes, which are in a \
      write-ahead log next to it.

      --app-format writes the visited regions to a database that the Roqua app opens; roqua adopt \
      imports it again. It does not contain kept fixes, single visits and cells, its times are \
      whole seconds, and the app does not list regions without a time.

      Examples: roqua backup ~/roqua-2024-05-01.sqlite
                roqua backup --app-format ~/Roqua.sqlite
      """)

  @OptionGroup var store: StoreArguments

  @Flag(help: "Write a database for the Roqua app instead of a store.")
  var appFormat = false

  @Flag(help: "Replace an existing file.")
  var force = false

  @Argument(help: "The file to write.", completion: .file())
  var file: String

  func run() throws {
    try Console.reportingErrors {
      let path = NegativeNumbers.original(file)
      if appFormat { try exportAppDatabase(to: path) } else { try copy(to: path) }
    }
  }

  private func copy(to path: String) throws {
    Interruption.prepare(
      working: "no backup was written; the store is unchanged",
      committed: "the backup is complete")
    let explorer = try store.open(creating: false)
    let bytes = try WorkProgress.showing { meter in
      try explorer.backup(to: path, replacing: force) { meter.set(.copying, $0, of: $1) }
    }
    if store.json {
      Console.print(["path": .string(path), "bytes": .integer(bytes)])
    } else {
      Console.print("\(path): \(Wording.bytes(bytes))")
    }
  }

  private func exportAppDatabase(to path: String) throws {
    Interruption.prepare(
      working: "no file was written; the store is unchanged", committed: "the file is complete")
    let explorer = try store.open(creating: false)
    let export = try WorkProgress.showing { meter in
      try explorer.exportAppDatabase(to: path, replacing: force) {
        meter.set(.exportingRegions, $0, of: $1)
      }
    }
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
