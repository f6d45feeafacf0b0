import ArgumentParser
import Foundation
import GeoStore
import Roqua
import StoreSync

/// `roqua restore`
struct Restore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Bring back a backup from the sync folder.",
    discussion: """
      Without a date, the newest backup is used. A date may be shortened, as in 2024-05-01 or \
      2024-05-01T10; it is in UTC, and must fit only one backup. roqua backup --list shows them.

      --merge adds what the store lacks, as a sync does, and takes nothing away. What was \
      forgotten stays forgotten.

      --replace makes the store what it was: also what was forgotten since is there again. The \
      next sync or backup forgets it again if any device of the folder has forgotten it, and \
      brings back what was added since and synced. What was never synced is only in the replaced \
      store, which is kept for a day; roqua restore --last brings it back, as often as you like. \
      Close other programs that use the store first.

      On a new computer, pipe the recovery key into roqua restore --folder FOLDER --recovery-key.

      Exit status: 0 done, 1 failed (the store is unchanged), 2 merged, but files are missing or \
      damaged, 64 wrong usage or no such backup.

      Examples:
        roqua restore --merge
        roqua restore --replace
        roqua restore --last
      """)

  @OptionGroup var arguments: SyncArguments

  @Argument(help: "The date of the backup in UTC or a beginning of it, or its code.")
  var date: String?

  @Flag(help: "Add what the store lacks.")
  var merge = false

  @Flag(help: "Replace the store, which is kept for a day.")
  var replace = false

  @Flag(help: "Bring back the store that was replaced last.")
  var last = false

  @Option(
    help: ArgumentHelp("Use this sync folder; the one that was used last if not given."),
    completion: .directory)
  var folder: String?

  @Flag(help: "Read the folder's recovery key from standard input.")
  var recoveryKey = false

  func validate() throws {
    if [merge, replace, last].count(where: { $0 }) > 1 {
      throw ValidationError("Give only one of --merge, --replace and --last.")
    }
    if last, date != nil || folder != nil || recoveryKey {
      throw ValidationError("--last takes no date and no folder.")
    }
  }

  /// Whether somebody can be asked.
  private var mayAsk: Bool {
    !arguments.store.json && !recoveryKey && isatty(STDIN_FILENO) == 1
      && isatty(STDERR_FILENO) == 1
  }

  func run() throws {
    guard merge || replace || last || mayAsk else {
      throw ValidationError("Give --merge to add what is missing, or --replace.")
    }
    try Console.reportingErrors {
      if last { return try bringBackLast() }
      try arguments.store.checkFolder()
      let opened = try openFolder()
      let entry = try opened.backups().entry(date.map(NegativeNumbers.original))
      switch merge ? .merge : replace ? .replace : Self.ask(about: entry) {
      case .merge: try merge(entry, from: opened)
      case .replace: try replace(with: entry, from: opened)
      case nil: throw Console.Failure("canceled; the store is unchanged")
      }
    }
  }

  /// Opens the folder. If a recovery key does not open it, what this made next to the store is
  /// removed.
  private func openFolder() throws -> SyncFolder {
    let recovery = recoveryKey ? readLine(strippingNewline: true) ?? "" : nil
    let home = SyncHome(storePath: try arguments.store.path).path
    let isNew = access(home, F_OK) != 0
    do {
      return try BackupSummary.open(folder, arguments, recoveryKey: recovery)
    } catch {
      // Another command is using it.
      if case SharingError.busy = error { throw error }
      if recovery != nil, isNew { try? FileManager.default.removeItem(atPath: home) }
      throw error
    }
  }

  private enum Mode {
    case merge
    case replace
  }

  /// Asks until the answer is known; nil at the end of input.
  private static func ask(about entry: BackupCatalog.Entry) -> Mode? {
    while true {
      Console.prompt(
        "\(BackupSummary.date(of: entry)), \(BackupSummary.contents(of: entry)): add what the "
          + "store lacks (m), replace the store (r), or cancel (c)? [c] ")
      switch readLine()?.lowercased() {
      case "m", "merge": return .merge
      case "r", "replace": return .replace
      case nil, "", "c", "cancel": return nil
      default: continue
      }
    }
  }

  // MARK: - What is done

  private func merge(_ entry: BackupCatalog.Entry, from opened: SyncFolder) throws {
    Interruption.prepare(
      working: "the store is unchanged",
      committed: "the store has what it lacked; the next sync sends the rest")
    let explorer = try arguments.store.open(creating: true)
    let report = try WorkProgress.showing { _ in
      try opened.merge(entry, into: explorer.store, now: SyncArguments.now)
    }
    guard let sync = report.sync else { return }
    let summary = SyncSummary(sync, of: opened)
    if arguments.store.json {
      Console.print([
        "mode": "merge", "backup": BackupSummary.json(of: entry),
        "forgottenSince": .integer(report.forgottenSince), "sync": summary.json,
      ])
    } else {
      Console.print("Merged the backup of \(BackupSummary.date(of: entry)).")
      summary.print(isDryRun: false)
      if report.forgottenSince > 0 {
        Console.print(
          "\(Wording.count(report.forgottenSince, "source")) of it \(forgotten(report)) since, and "
            + "\(report.forgottenSince == 1 ? "stays" : "stay") so.")
      }
    }
    if !summary.isComplete { throw ExitCode(2) }
  }

  private func replace(with entry: BackupCatalog.Entry, from opened: SyncFolder) throws {
    Interruption.prepare(
      working: "the store is unchanged",
      committed: "the store may have been replaced; roqua restore --last undoes that")
    let (path, profile) = (try arguments.store.path, try arguments.store.profile?.id.text)
    let report = try WorkProgress.showing { _ in
      try opened.replace(
        path, with: entry, now: SyncArguments.now,
        present: {
          try? Explorer(storePath: path, creating: false, savesMemory: true, profileID: profile)
            .store
        },
        opening: { new in
          try Explorer(storePath: new, savesMemory: true, profileID: profile).store
        })
    }
    if arguments.store.json {
      return Console.print([
        "mode": "replace", "backup": BackupSummary.json(of: entry),
        "forgottenSince": .integer(report.forgottenSince),
        "keptFixes": .integer(report.keptFixes ?? 0),
        "unsyncedSources": .integer(report.unsynced),
        "replacedStore": report.kept.map(JSONValue.string) ?? .null,
      ])
    }
    Console.print(
      "The store is that of \(BackupSummary.date(of: entry)): \(BackupSummary.contents(of: entry))."
    )
    if report.forgottenSince > 0 {
      Console.print(
        "\(Wording.count(report.forgottenSince, "source")) of it \(forgotten(report)) since; the "
          + "next sync or backup forgets \(report.forgottenSince == 1 ? "it" : "them") again.")
    }
    let next = "The next sync brings back what was added since, as far as the folder has it."
    guard let kept = report.kept else { return Console.print(next) }
    Console.print(next + " " + Self.unsynced(report.unsynced, in: kept))
    Console.print("The replaced store is kept for a day; roqua restore --last brings it back.")
  }

  /// Says that what was never synced is in the replaced store only, in a sentence.
  private static func unsynced(_ count: Int?, in kept: String) -> String {
    guard let count, count > 0 else {
      return "What was never synced is only in the replaced store, \(kept)."
    }
    return "\(Wording.count(count, "source")) that \(count == 1 ? "was" : "were") never synced "
      + "\(count == 1 ? "is" : "are") only in the replaced store, \(kept)."
  }

  private func forgotten(_ report: SyncFolder.RestoreReport) -> String {
    report.forgottenSince == 1 ? "was forgotten" : "were forgotten"
  }

  private func bringBackLast() throws {
    Interruption.prepare(
      working: "the store is unchanged",
      committed: "the stores have changed places; roqua restore --last undoes that")
    let path = try arguments.store.path
    let time = try StoreReplacement.bringBack(storePath: path, now: SyncArguments.now)
    let date = Timestamp(millisecondsSince1970: time).iso8601
    if arguments.store.json {
      return Console.print(["mode": "last", "replacedAt": .string(date)])
    }
    Console.print(
      "The store is again the one that was replaced at \(date.prefix(19))Z. The other one is kept "
        + "for a day; roqua restore --last brings it back.")
  }
}
