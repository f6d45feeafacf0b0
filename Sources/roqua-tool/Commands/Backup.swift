import ArgumentParser
import Foundation
import GeoStore
import Roqua
import StoreSync

struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Back up the store: dated, in its sync folder, or as a copy in a file.",
    discussion: """
      Without a file, a dated backup is added to the sync folder of the store (roqua sync). Name a \
      folder that exists and is empty to make one; its recovery key is shown once. A backup needs \
      little space, because files that are in the folder already are not written again. What you \
      forget stays in the backups, encrypted, until they are removed. The last five of this device \
      are kept. roqua restore brings a backup back.

      With a file, the store is copied to it, even during an import: a complete store in the state \
      at the start of the copy. Only you can read it. Do not copy the store's file by hand: that \
      can miss recent changes, which are in a write-ahead log next to it.

      --app-format writes the visited regions to a database that the Roqua app opens; roqua adopt \
      imports it again. It does not contain kept fixes, single visits and cells, its times are \
      whole seconds, and the app does not list regions without a time.

      Exit status: 0 done, 1 failed, 2 files of backups are missing or damaged, 64 wrong \
      usage or no such backup.

      Examples: roqua backup ~/roqua-2024-05-01.sqlite
                roqua backup --app-format ~/Roqua.sqlite
                roqua backup ~/Drive/roqua --note "before the journey"
                roqua backup --if-older-than 7d
                roqua backup --list
                roqua backup --verify
      """)

  @OptionGroup var arguments: SyncArguments

  @Flag(help: "Write a database for the Roqua app instead of a store.")
  var appFormat = false

  @Flag(help: "Replace an existing file.")
  var force = false

  @Option(help: "Add a note for the list of backups.")
  var note: String?

  @Option(
    help: ArgumentHelp(
      "Keep this many backups of this device from now on, and remove older ones.",
      valueName: "count"))
  var keep: Int?

  @Option(
    help: ArgumentHelp(
      "Do nothing if this device has a backup that is not older: 12h, 7d, 2w.", valueName: "age"),
    transform: BackupAge.parse)
  var ifOlderThan: BackupAge?

  @Flag(help: "List the backups.")
  var list = false

  @Flag(help: "Read all files of all backups, and report what is missing or damaged.")
  var verify = false

  @Option(
    help: ArgumentHelp(
      "Read only the backup of this date (UTC), or of this code, with --verify.",
      valueName: "date"))
  var date: String?

  @Option(
    help: ArgumentHelp(
      "Remove the backup of this date (UTC), or of this code.", valueName: "date"))
  var remove: String?

  @Argument(
    help: ArgumentHelp(
      "The file to write, or the sync folder; the folder that was used last if not given.",
      valueName: "file"),
    completion: .file())
  var file: String?

  func validate() throws {
    if [list, verify, remove != nil, appFormat].count(where: { $0 }) > 1 {
      throw ValidationError("Give only one of --list, --verify, --remove and --app-format.")
    }
    if date != nil, !verify { throw ValidationError("--date needs --verify.") }
    let isDated = note != nil || keep != nil || ifOlderThan != nil
    if isDated, list || verify || remove != nil || appFormat || force {
      throw ValidationError(
        "--note, --keep and --if-older-than are for dated backups in a folder only.")
    }
    if let note, note.utf8.count > TextLimit.note {
      throw ValidationError(
        "--note can have at most \(Wording.count(TextLimit.note)) bytes of UTF-8.")
    }
    if let keep, !(1...10_000).contains(keep) {
      throw ValidationError("--keep must be between 1 and 10000.")
    }
  }

  func run() throws {
    let path = file.map(NegativeNumbers.original)
    let isInFolder = path.map(Self.isFolder) ?? !(appFormat || force)
    // A store that is locked has another error.
    if path == nil, let store = try? arguments.store.path,
      !isInFolder || Self.hasNoFolder(store)
    {
      throw ValidationError(
        list || verify || remove != nil
          ? "The store has no sync folder yet; name the folder with the backups."
          : "Name a file, or a folder for dated backups.")
    }
    try Console.reportingErrors {
      if list {
        try listBackups()
      } else if verify {
        try verifyBackups()
      } else if let remove {
        try removeBackup(NegativeNumbers.original(remove))
      } else if let path, !isInFolder || appFormat {
        guard note == nil, keep == nil, ifOlderThan == nil else {
          throw Console.Failure("\(path): there is no such folder")
        }
        // A copy is not encrypted, and a sync folder that is not there must not become one.
        let known = try SyncHome(storePath: arguments.store.path).folderPath()
        if !isInFolder, path.hasSuffix("/") || known == URL(fileURLWithPath: path).path {
          throw Console.Failure(
            "\(path): there is no such folder; it may be on a disk that is not connected")
        }
        if !isInFolder, !appFormat, !force, Self.looksLikeFolder(path) {
          throw Console.Failure(
            "\(path): there is no such folder; to copy the store into a file, give it an ending, "
              + "such as .sqlite")
        }
        if appFormat { try exportAppDatabase(to: path) } else { try copy(to: path) }
      } else {
        try backUp()
      }
    }
  }

  /// Whether no sync folder was ever used. One whose name cannot be read has another error.
  private static func hasNoFolder(_ store: String) -> Bool {
    do {
      return try SyncHome(storePath: store).folderPath() == nil
    } catch {
      return false
    }
  }

  /// Whether nothing is there, and the name has no ending.
  private static func looksLikeFolder(_ path: String) -> Bool {
    access(path, F_OK) != 0 && !(path.split(separator: "/").last ?? "").contains(".")
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder.boolValue
  }

  // MARK: - Files

  private func copy(to path: String) throws {
    Interruption.prepare(
      working: "no backup was written; the store is unchanged",
      committed: "the backup is complete")
    let explorer = try arguments.store.open(creating: false)
    let bytes = try WorkProgress.showing { meter in
      try explorer.backup(to: path, replacing: force) { meter.set(.copying, $0, of: $1) }
    }
    if arguments.store.json {
      Console.print(["path": .string(path), "bytes": .integer(bytes)])
    } else {
      Console.print("\(path): \(Wording.bytes(bytes))")
    }
  }

  private func exportAppDatabase(to path: String) throws {
    Interruption.prepare(
      working: "no file was written; the store is unchanged", committed: "the file is complete")
    let explorer = try arguments.store.open(creating: false)
    let export = try WorkProgress.showing { meter in
      try explorer.exportAppDatabase(to: path, replacing: force) {
        meter.set(.exportingRegions, $0, of: $1)
      }
    }
    if arguments.store.json { return Console.print(export.json) }
    Console.print(
      "\(path): \(Wording.count(export.regions, "region")) in \(Wording.bytes(export.bytes))")
    guard export.undatedRegions > 0 else { return }
    let has = export.undatedRegions == 1 ? "has" : "have"
    Console.print(
      "  \(Wording.count(export.undatedRegions, "region")) \(has) no time; the app does not list "
        + (export.undatedRegions == 1 ? "it" : "them"))
  }
}
