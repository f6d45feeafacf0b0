import ArgumentParser
import Foundation
import GeoStore
import Roqua
import StoreSync

/// An age: `12h`, `7d` or `2w`.
struct BackupAge {
  /// In milliseconds.
  let milliseconds: Int64

  /// Reads an age.
  ///
  /// - Throws: ``ArgumentFlaw``.
  static func parse(_ argument: String) throws(ArgumentFlaw) -> BackupAge {
    let hours: [Character: Int64] = ["h": 1, "d": 24, "w": 168]
    guard let unit = argument.last.flatMap({ hours[$0] }),
      argument.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(argument.dropLast()), (1...10_000).contains(number)
    else {
      throw ArgumentFlaw("must be 1 to 10,000 hours, days or weeks, such as 12h, 7d or 2w.")
    }
    return BackupAge(milliseconds: number * unit * 3_600_000)
  }
}

/// Dated backups in the sync folder.
extension Backup {
  func backUp() throws {
    Interruption.prepare(
      working: "no backup was written; the store is unchanged",
      committed: "the backup may be missing; run roqua backup again")
    let explorer = try arguments.store.open(creating: false)
    let folder = try arguments.open(file)
    let recoveryKey = folder.recoveryKey
    // Before anything else can fail.
    try SyncSummary.printFirst(folder, isJSON: arguments.store.json)
    if let keep { try folder.keep(backups: keep) }
    let now = SyncArguments.now
    if let ifOlderThan, let last = try folder.backups().entries(of: folder.device).last {
      let age = now - last.manifest.writtenMilliseconds
      // A date in the future is that of a clock that was wrong.
      if (0...ifOlderThan.milliseconds).contains(age) {
        if arguments.store.json {
          Console.print(["backup": .null, "last": BackupSummary.json(of: last)])
        } else {
          Console.print("The last backup is from \(BackupSummary.date(of: last)).")
        }
        return try checkKeys(of: folder)
      }
    }
    let text = note.map(NegativeNumbers.original) ?? ""
    let report = try WorkProgress.showing { _ in
      try folder.backUp(explorer.store, note: text, now: now)
    }
    BackupSummary.print(
      report, of: folder, recoveryKey: recoveryKey, isJSON: arguments.store.json)
    try checkKeys(of: folder)
  }

  /// Says if only this device can restore what it has just backed up.
  private func checkKeys(of folder: SyncFolder) throws {
    guard !folder.newerKeyFiles.isEmpty else { return }
    let problem = SyncProblem.newerKeys(files: folder.newerKeyFiles)
    Console.printError("roqua: \(problem); no other device can restore its backups")
    throw ExitCode(2)
  }

  func listBackups() throws {
    let catalog = try BackupSummary.open(file, arguments).backups()
    if arguments.store.json {
      Console.print(BackupSummary.json(of: catalog))
    } else {
      BackupSummary.print(catalog)
    }
    if !catalog.problems.isEmpty || catalog.isAwaiting { throw ExitCode(2) }
  }

  func verifyBackups() throws {
    let folder = try BackupSummary.open(file, arguments)
    let selector = date.map(NegativeNumbers.original)
    let store = try? arguments.store.open(creating: false).store
    let (found, catalog) = try WorkProgress.showing { _ in
      try folder.verify(selector, store: store)
    }
    BackupSummary.print(found, catalog, isJSON: arguments.store.json)
    let isReadable = selector != nil || catalog.problems.isEmpty && !catalog.isAwaiting
    if !found.isSound || !isReadable { throw ExitCode(2) }
  }

  func removeBackup(_ selector: String) throws {
    let folder = try BackupSummary.open(file, arguments)
    let store = try? arguments.store.open(creating: false).store
    let removed = try folder.removeBackup(selector, store: store)
    if arguments.store.json {
      return Console.print([
        "removed": .string(removed.name), "filesRemoved": .integer(removed.filesRemoved),
        "isComplete": .bool(!removed.isIncomplete),
      ])
    }
    guard let count = removed.filesRemoved else {
      return Console.print(
        "Removed the backup \(removed.name), which could not be read. The next sync removes those "
          + "of its files that nothing else needs.")
    }
    Console.print(
      "Removed the backup of \(removed.name) and \(Wording.count(count, "file")) "
        + "that nothing else needs.")
    if removed.isIncomplete {
      Console.printError(
        "roqua: its files stay, because not everything in the folder can be read; "
          + "roqua backup --verify says what")
    }
  }
}
