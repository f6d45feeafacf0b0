import Foundation
import Roqua
import StoreSync

/// The result of a sync, for people and as JSON.
struct SyncSummary {
  private let report: SyncReport
  private let folder: SyncFolder
  private let recoveryKey: String?

  /// - Parameter recoveryKey: that of a folder that was just made, for JSON.
  init(_ report: SyncReport, of folder: SyncFolder, recoveryKey: String? = nil) {
    (self.report, self.folder, self.recoveryKey) = (report, folder, recoveryKey)
  }

  /// What people should know.
  private var found: [SyncProblem] {
    folder.problems(of: report)
  }

  /// Whether everything of the other devices is there and believed.
  var isComplete: Bool { !found.contains(where: \.isIncomplete) }

  // MARK: - For people

  /// Prints the devices of the folder.
  func printDevices() {
    Console.print("fingerprint  \(folder.fingerprint)")
    for device in folder.sharingDevices(report) {
      var line = "\(device.isThisDevice ? "*" : " ") \(device.name)  \(device.code)"
      if let time = device.lastSynced { line += "  last synced \(LocalTime.text(time.date))" }
      if let time = device.lastActive, time.millisecondsSince1970 > 0 {
        line += ", last change \(LocalTime.text(time.date))"
      }
      Console.print(line)
    }
  }

  /// Prints what happened, or would happen.
  func print(isDryRun: Bool) {
    if parts(isDryRun).isEmpty { Console.print("Nothing is new from other devices.") }
    changes(isDryRun).forEach(Console.print)
    if hasOnlySentState, !isDryRun { Console.print("Sent changes.") }
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
    let erased = report.changes.fixesErased
    if erased > 0 {
      let (zones, fixes) = (
        report.changes.zonesAdded, Wording.count(erased, "kept fix", "kept fixes")
      )
      sentences.append(
        "The privacy zone\(zones == 1 ? "" : "s") \(isDryRun ? "would erase" : "erased") \(fixes) "
          + "here.")
    }
    if report.filesWritten > 0 {
      let count = Wording.count(report.filesWritten, isDryRun ? "source" : "file")
      sentences.append(isDryRun ? "Would send \(count)." : "Sent \(count).")
    }
    return sentences
  }

  /// Whether only what is no source was sent: that one was forgotten, a zone, a setting.
  var hasOnlySentState: Bool { report.wroteManifest && changes(false).isEmpty }

  /// What people should know: a line each.
  var problems: [String] {
    found.map { problem in
      // With the units that the person has chosen.
      if case .otherGrid(let file, let radius) = problem {
        return "\(file): its cells were made for an exploration radius of "
          + Wording.distance(radius)
      }
      return "\(problem)"
    }
  }

  /// Prints what a person must not miss: the recovery key of a new folder, and the fingerprint of
  /// one that was joined.
  static func printFirst(_ folder: SyncFolder, isJSON: Bool) throws {
    guard let key = folder.recoveryKey else {
      if folder.hasJoined, !isJSON {
        Console.print("Joined the folder with the fingerprint \(folder.fingerprint).")
      }
      return
    }
    let lines = [
      "The folder's recovery key is shown only now; keep it on paper:", "  \(key)",
      "Whoever has it can read the folder; without it and without a device, nobody can.",
    ]
    lines.forEach(isJSON ? Console.printError : Console.print)
    // For a camera; a pipe has no use for it.
    if !isJSON, isatty(STDOUT_FILENO) == 1, let code = TerminalQRCode().text(for: key) {
      Console.printLines(code)
    }
    // A key that could not be printed is shown again the next time.
    try folder.confirmRecoveryKey()
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

  // MARK: - JSON

  /// The document that `roqua sync --json` prints.
  var json: JSONValue {
    let changes = report.changes
    return [
      "fingerprint": .string(folder.fingerprint),
      "recoveryKey": recoveryKey.map(JSONValue.string) ?? .null,
      "devices": Self.list(folder, report),
      "received": [
        "sources": .integer(changes.sourcesAdded), "fixes": .integer(changes.fixesAdded),
        "sourcesChanged": .integer(changes.sourcesChanged),
        "sourcesForgotten": .integer(changes.sourcesForgotten),
        "zonesAdded": .integer(changes.zonesAdded),
        "fixesErased": .integer(changes.fixesErased),
        "zonesRemoved": .integer(changes.zonesRemoved),
        "settings": .integer(changes.settingsChanged),
        "achievements": .integer(changes.achievements),
      ],
      "filesWritten": .integer(report.filesWritten), "filesRead": .integer(report.filesRead),
      "isComplete": .bool(isComplete),
      "problems": .array(found.map(Self.json)),
    ]
  }

  private static func json(_ problem: SyncProblem) -> JSONValue {
    var members: JSONValue =
      switch problem {
      case .notThere(let file): ["kind": "notThere", "file": .string(file)]
      case .notBelieved(let file, let reason):
        ["kind": "notBelieved", "file": .string(file), "reason": .string(reason)]
      case .otherGrid(let file, let radius):
        ["kind": "otherGrid", "file": .string(file), "radiusMeters": .number(radius)]
      case .wentBackwards(let device): ["kind": "wentBackwards", "device": .string(device)]
      case .notSyncedSinceRemoval(let device):
        ["kind": "notSyncedSinceRemoval", "device": .string(device)]
      case .otherRadius(let radius):
        ["kind": "otherRadius", "radiusMeters": radius.map(JSONValue.number) ?? .null]
      case .sharedKeys: ["kind": "sharedKeys"]
      case .keepsFiles: ["kind": "keepsFiles"]
      case .newerKeys(let files):
        ["kind": "newerKeys", "files": .array(files.map { .string($0) })]
      }
    if case .object(let found) = members {
      members = .object(found + [.init("message", .string("\(problem)"))])
    }
    return members
  }

  /// The devices, as `roqua sync add --json` prints them.
  static func devices(of folder: SyncFolder) -> JSONValue {
    ["fingerprint": .string(folder.fingerprint), "devices": list(folder, nil)]
  }

  private static func list(_ folder: SyncFolder, _ report: SyncReport?) -> JSONValue {
    .array(
      folder.sharingDevices(report).map { device in
        [
          "name": .string(device.name), "code": .string(device.code),
          "isThisDevice": .bool(device.isThisDevice),
          "lastSynced": device.lastSynced.map { .string($0.iso8601) } ?? .null,
          "lastChange": device.lastActive.flatMap {
            $0.millisecondsSince1970 > 0 ? .string($0.iso8601) : nil
          } ?? .null,
        ]
      })
  }
}
