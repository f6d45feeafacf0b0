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

      Example: roqua backup ~/roqua-2024-05-01.sqlite
      """)

  @OptionGroup var store: StoreArguments

  @Flag(help: "Replace a file that is there.")
  var force = false

  @Argument(help: "Where to.", completion: .file())
  var file: String

  func run() throws {
    try Console.reportingErrors {
      let path = NegativeNumbers.original(file)
      Interruption.prepare(
        working: "no backup was written; the store is as it was", committed: "the backup is written"
      )
      let explorer = try store.open(creating: false)
      var progress = CopyProgress()
      let result = Result {
        try explorer.backup(to: path, replacing: force) { progress.take(pages: $0, of: $1) }
      }
      progress.end()
      let bytes = try result.get()
      if store.json {
        Console.print(["path": .string(path), "bytes": .integer(bytes)])
      } else {
        Console.print("\(path): \(Wording.bytes(bytes))")
      }
    }
  }
}
