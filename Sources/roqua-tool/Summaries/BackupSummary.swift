import Foundation
import Geodesy
import Roqua
import StoreSync

/// Backups in a sync folder, for people and as JSON.
enum BackupSummary {
  /// Opens a folder that must have files already: nothing is made.
  static func open(
    _ path: String?, _ arguments: SyncArguments, recoveryKey: String? = nil
  ) throws -> SyncFolder {
    let home = SyncHome(storePath: try arguments.store.path)
    guard let folder = try path.map(NegativeNumbers.original) ?? home.folderPath() else {
      throw Console.Failure(
        "the store has no sync folder yet; roqua backup FOLDER makes one", isWrongUsage: true)
    }
    let absolute = URL(fileURLWithPath: folder).path
    try SyncArguments.checkFolder(absolute, folder)
    guard try !LocalSyncDirectory(path: absolute).listing().keys.isEmpty else {
      throw Console.Failure("\(folder): it has no keys, so it is no sync folder, or not there yet")
    }
    return try arguments.open(path, recoveryKey: recoveryKey)
  }

  // MARK: - For people

  /// The date of a backup to the minute, in UTC.
  static func date(of entry: BackupCatalog.Entry) -> String {
    entry.date.prefix(16).replacing("T", with: " ") + " UTC"
  }

  /// The sources and kept fixes of a backup.
  static func contents(of entry: BackupCatalog.Entry) -> String {
    let fixes = Int(clamping: entry.manifest.keptFixes)
    return "\(Wording.count(entry.manifest.state.sources.count, "source")) with "
      + Wording.count(fixes, "kept fix", "kept fixes")
  }

  /// Prints what a backup did.
  ///
  /// - Parameter recoveryKey: that of a folder that was just made, for JSON.
  static func print(
    _ report: BackupRun.Report, of folder: SyncFolder, recoveryKey: String?, isJSON: Bool
  ) {
    if isJSON {
      return Console.print([
        "backup": json(of: report.entry), "filesWritten": .integer(report.filesWritten),
        "removed": .array(report.expired.map(JSONValue.string)),
        "filesRemoved": .integer(report.filesRemoved),
        "isRemovalPostponed": .bool(report.isExpiryPostponed),
        "fingerprint": .string(folder.fingerprint),
        "recoveryKey": recoveryKey.map(JSONValue.string) ?? .null,
      ])
    }
    Console.print("Backed up \(contents(of: report.entry)), \(date(of: report.entry)).")
    if report.filesWritten > 0 {
      Console.print("Wrote \(Wording.count(report.filesWritten, "file")).")
    }
    if !report.expired.isEmpty {
      Console.print("Removed \(Wording.count(report.expired.count, "older backup")).")
    }
    if report.isExpiryPostponed {
      Console.printError(
        "roqua: older backups stay for now, because not everything in the folder can be read; "
          + "roqua backup --verify says what")
    }
  }

  /// Prints the list of backups.
  static func print(_ catalog: BackupCatalog) {
    printIfEmpty(catalog)
    var table = Table([.left, .left, .left, .right, .right, .right, .left])
    for entry in catalog.entries {
      table.add([
        date(of: entry), entry.path.code, entry.manifest.displayName,
        Wording.count(entry.manifest.state.sources.count, "source"),
        Wording.count(Int(clamping: entry.manifest.keptFixes), "kept fix", "kept fixes"),
        Wording.bytes(Int(clamping: entry.byteCount)), entry.manifest.note,
      ])
    }
    table.lines().forEach(Console.print)
    printProblems(of: catalog)
  }

  /// Prints what is wrong with the files of backups.
  static func print(_ found: BackupVerification, _ catalog: BackupCatalog, isJSON: Bool) {
    if isJSON {
      return Console.print([
        "backups": .array(
          found.findings.map { finding in
            [
              "backup": json(of: finding.entry),
              "problems": .array(finding.problems.map(json)),
            ]
          }),
        "filesRead": .integer(found.filesRead),
        "problems": .array(catalog.problems.map(json)), "isAwaiting": .bool(catalog.isAwaiting),
      ])
    }
    for finding in found.findings {
      let count = finding.problems.count
      Console.print(
        "\(date(of: finding.entry))  \(contents(of: finding.entry)): "
          + (count == 0 ? "sound" : "\(Wording.count(count, "file")) missing or damaged"))
      for problem in finding.problems { Console.printError("roqua: \(problem)") }
    }
    if !found.damaged.isEmpty {
      Console.printError(
        "roqua: the next roqua backup or sync writes damaged files again, as far as the store has "
          + "what was in them")
    }
    printIfEmpty(catalog)
    printProblems(of: catalog)
  }

  /// Says that there is no backup, unless there is one that cannot be read yet.
  private static func printIfEmpty(_ catalog: BackupCatalog) {
    guard catalog.entries.isEmpty, catalog.problems.isEmpty, !catalog.isAwaiting else { return }
    Console.print("The folder has no backup.")
  }

  private static func printProblems(of catalog: BackupCatalog) {
    for problem in catalog.problems { Console.printError("roqua: \(problem)") }
    if catalog.isAwaiting {
      Console.printError("roqua: a backup is not there yet, or not whole")
    }
  }

  // MARK: - JSON

  /// A backup.
  static func json(of entry: BackupCatalog.Entry) -> JSONValue {
    [
      "date": .string(entry.date), "code": .string(entry.path.code),
      "device": .string(entry.manifest.displayName), "note": .string(entry.manifest.note),
      "sources": .integer(entry.manifest.state.sources.count),
      "keptFixes": .integer(Int(clamping: entry.manifest.keptFixes)),
      "files": .integer(entry.manifest.files.count),
      "bytes": .integer(Int(clamping: entry.byteCount)),
    ]
  }

  /// The document that `roqua backup --list --json` prints.
  static func json(of catalog: BackupCatalog) -> JSONValue {
    [
      "backups": .array(catalog.entries.map { json(of: $0) }),
      "problems": .array(catalog.problems.map(json)), "isAwaiting": .bool(catalog.isAwaiting),
    ]
  }

  private static func json(_ problem: BackupProblem) -> JSONValue {
    ["path": .string("\(problem.path)"), "reason": .string(problem.detail)]
  }
}
