import Foundation
import Roqua
import StoreSync

/// The result of a sync, for people and as JSON.
struct SyncSummary {
  private let report: SyncReport
  private let folder: SyncFolder

  init(_ report: SyncReport, of folder: SyncFolder) {
    (self.report, self.folder) = (report, folder)
  }

  /// Whether everything of the other devices is there and believed.
  var isComplete: Bool {
    report.pending.isEmpty && report.unreadable.isEmpty && report.rolledBack.isEmpty
      && folder.keyProblems.isEmpty
  }

  // MARK: - For people

  /// Prints the devices of the folder.
  func printDevices() {
    Console.print("fingerprint  \(folder.fingerprint)")
    for device in folder.devices {
      let isOwn = device.name == folder.device
      Console.print("\(isOwn ? "*" : " ") \(device.displayName)  \(device.name)")
    }
  }

  /// Prints what happened, or would happen.
  func print(isDryRun: Bool) {
    if parts(isDryRun).isEmpty { Console.print("Nothing is new from other devices.") }
    changes(isDryRun).forEach(Console.print)
    for line in problems { Console.printError("roqua: \(line)") }
  }

  /// What happened, or would happen, in sentences; none if nothing did.
  func changes(_ isDryRun: Bool) -> [String] {
    var sentences: [String] = []
    let received = parts(isDryRun)
    if !received.isEmpty {
      sentences.append(
        "\(isDryRun ? "Would take" : "Took") from other devices: "
          + received.joined(separator: ", ") + ".")
    }
    if report.filesWritten > 0 {
      let count = Wording.count(report.filesWritten, isDryRun ? "source" : "file")
      sentences.append(isDryRun ? "Would send \(count)." : "Sent \(count).")
    }
    return sentences
  }

  /// Whether only what is no source was sent: that one was forgotten, a zone, a setting.
  var hasOnlySentState: Bool { report.wroteManifest && changes(false).isEmpty }

  /// What is not there yet, or cannot be believed: a line each.
  var problems: [String] {
    report.pending.map(Self.line)
      + report.unreadable.sorted { "\($0.key)" < "\($1.key)" }.map { path, reason in
        "\(path): not believed: \(reason)"
      }
      + report.rolledBack.map { device in
        let name = folder.devices.first { $0.name == device }?.displayName ?? "\(device)"
        return
          "the folder has an older state of \(name) than before; it may be a copy that is not "
          + "complete"
      }
      + folder.keyProblems.map { "\($0.path): not believed: \($0.error)" }
  }

  /// Prints what a person must not miss: the recovery key of a new folder, and the fingerprint of
  /// one that was joined.
  static func printFirst(_ folder: SyncFolder, isJSON: Bool) {
    guard let key = folder.recoveryKey else {
      if folder.hasJoined, !isJSON {
        Console.print("Joined the folder with the fingerprint \(folder.fingerprint).")
      }
      return
    }
    let lines = [
      "This folder is new. Its recovery key is shown only now; keep it on paper:", "  \(key)",
      "Whoever has it can read the folder; without it and without a device, nobody can.",
    ]
    lines.forEach(isJSON ? Console.printError : Console.print)
    // For a camera; a pipe has no use for it.
    if !isJSON, isatty(STDOUT_FILENO) == 1, let code = TerminalQRCode().text(for: key) {
      Console.printLines(code)
    }
  }

  private func parts(_ isDryRun: Bool) -> [String] {
    let changes = report.changes
    return [
      (changes.sourcesAdded, "source", nil), (changes.fixesAdded, "kept fix", "kept fixes"),
      (changes.sourcesChanged, "changed source", nil),
      (changes.sourcesForgotten, "forgotten source", nil),
      (changes.zonesAdded, "privacy zone", nil), (changes.zonesRemoved, "removed zone", nil),
      (changes.settingsChanged, "setting", nil), (changes.achievements, "achievement", nil),
    ].filter { $0.0 > 0 }.map { Wording.count($0.0, $0.1, $0.2) }
  }

  private static func line(_ pending: PendingFile) -> String {
    switch pending.reason {
    case .missing: "\(pending.path): not there yet, or not whole"
    case .unreadable(let reason): "\(pending.path): not believed: \(reason)"
    case .otherGrid(let radius):
      "\(pending.path): its cells were made for an exploration radius of "
        + "\(Wording.distance(radius))"
    }
  }

  // MARK: - JSON

  /// The document that `roqua sync --json` prints.
  var json: JSONValue {
    let changes = report.changes
    return [
      "fingerprint": .string(folder.fingerprint),
      "recoveryKey": folder.recoveryKey.map(JSONValue.string) ?? .null,
      "devices": Self.list(folder),
      "received": [
        "sources": .integer(changes.sourcesAdded), "fixes": .integer(changes.fixesAdded),
        "sourcesChanged": .integer(changes.sourcesChanged),
        "sourcesForgotten": .integer(changes.sourcesForgotten),
        "zonesAdded": .integer(changes.zonesAdded),
        "zonesRemoved": .integer(changes.zonesRemoved),
        "settings": .integer(changes.settingsChanged),
        "achievements": .integer(changes.achievements),
      ],
      "filesWritten": .integer(report.filesWritten), "filesRead": .integer(report.filesRead),
      "pending": .array(
        report.pending.map { ["path": .string("\($0.path)"), "reason": .string(Self.line($0))] }),
      "unreadable": .array(
        report.unreadable.sorted { "\($0.key)" < "\($1.key)" }.map {
          ["path": .string("\($0.key)"), "reason": .string($0.value)]
        }),
      "rolledBack": .array(report.rolledBack.map { .string("\($0)") }),
    ]
  }

  /// The devices, as `roqua sync add --json` prints them.
  static func devices(of folder: SyncFolder) -> JSONValue {
    ["fingerprint": .string(folder.fingerprint), "devices": list(folder)]
  }

  private static func list(_ folder: SyncFolder) -> JSONValue {
    .array(
      folder.devices.map { device in
        [
          "name": .string(device.displayName), "code": .string("\(device.name)"),
          "isThisDevice": .bool(device.name == folder.device),
        ]
      })
  }
}
