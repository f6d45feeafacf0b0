import AgeFile
import Foundation
import Geodesy
import Roqua
import StoreSync

/// `roqua sync --watch`: syncs again and again, until a signal ends it.
///
/// Each sync opens the store and the folder again: either may be replaced, moved or unplugged at
/// any time, and other commands use them meanwhile.
struct SyncWatch {
  let arguments: SyncArguments
  let folder: String?
  /// Needed until the device has joined.
  var name: String?
  let fingerprint: String?
  /// Needed until the device has joined.
  var recoveryKey: String?
  let every: Interval

  /// What may change.
  private struct Mark: Hashable, Sendable {
    let store: StoreMark
    let folder: FolderMark?
  }

  /// Whether the folder was opened before: one that is empty from then on is unplugged.
  private var hasSynced = false
  /// What was said about a sync that failed; nil if the last one did not.
  private var failure: String?
  /// What was said about files that are not there yet, or cannot be trusted.
  private var problems: [String] = []

  init(
    arguments: SyncArguments, folder: String?, name: String?, fingerprint: String?,
    recoveryKey: String?, every: Interval
  ) {
    (self.arguments, self.folder, self.name) = (arguments, folder, name)
    (self.fingerprint, self.recoveryKey, self.every) = (fingerprint, recoveryKey, every)
  }

  /// Syncs until SIGINT or SIGTERM. A sync that is running then is completed.
  ///
  /// - Throws: what is wrong with the arguments. Whatever else goes wrong is reported and tried
  ///   again.
  mutating func run() throws {
    let (text, path) = try arguments.path(folder)
    let storePath = try arguments.store.path
    if let recoveryKey { _ = try SecretKey(text: recoveryKey) }
    let signals = EndSignals()
    if !isJSON { Console.print("Watching \(text). Ctrl-C ends it.") }
    let directory = LocalSyncDirectory(path: path)
    var schedule = SyncSchedule<Mark>(.init(regular: every.milliseconds))
    let clock = ContinuousClock()
    let start = clock.now
    func now() -> Int64 { start.duration(to: clock.now).milliseconds }
    repeat {
      let before = now()
      schedule.look(
        Mark(store: StoreMark(storePath: storePath), folder: directory.mark()), at: before)
      var looked = now()
      if schedule.isDue(at: looked) {
        schedule.begin()
        let succeeded = sync(path)
        looked = now()
        schedule.end(at: looked, succeeded: succeeded)
      }
      let next = schedule.nextLook(after: looked, duration: looked - before)
      if signals.wait(milliseconds: Int(max(0, next - now()))) { return }
    } while true
  }

  private var isJSON: Bool { arguments.store.json }

  /// Syncs once, and reports it.
  ///
  /// - Returns: whether that succeeded.
  private mutating func sync(_ path: String) -> Bool {
    do {
      let explorer = try arguments.store.open(creating: true)
      let opened = try arguments.open(
        path, name: name, fingerprint: fingerprint, recoveryKey: recoveryKey,
        mayBeEmptied: folder != nil && !hasSynced)
      (recoveryKey, name, hasSynced) = (nil, nil, true)
      let shown = opened.recoveryKey
      try SyncSummary.printFirst(opened, isJSON: isJSON)
      let report = try WorkProgress.showing { _ in
        try opened.syncAndCleanUp(explorer.store, now: SyncArguments.now)
      }
      announce(SyncSummary(report, of: opened, recoveryKey: shown))
      return true
    } catch {
      announce((error as? Console.Failure)?.message ?? ErrorAdvice.line(error) ?? "\(error)")
      return false
    }
  }

  private mutating func announce(_ summary: SyncSummary) {
    if isJSON {
      announce(summary.json)
    } else {
      var sentences = summary.changes(false)
      if summary.hasOnlySentState { sentences.append("Sent changes.") }
      if failure != nil, sentences.isEmpty { sentences.append("Synced again.") }
      if !sentences.isEmpty { Console.print("\(time)  \(sentences.joined(separator: " "))") }
    }
    failure = nil
    let found = summary.problems
    for line in found where !problems.contains(line) { announceError(line) }
    problems = found
  }

  private mutating func announce(_ message: String) {
    if isJSON { announce(["error": .string(message)]) }
    guard failure != message else { return }
    failure = message
    announceError(message)
  }

  /// Prints a document with the time.
  private func announce(_ document: JSONValue) {
    guard case .object(let members) = document else { return }
    let time = Timestamp(Date()).iso8601
    Console.print(.object([.init("time", .string(time))] + members))
  }

  private func announceError(_ line: String) { Console.printError("\(time)  roqua: \(line)") }

  private var time: String { LocalTime.text(Date()) }
}

extension Duration {
  /// The time in whole milliseconds, rounded down.
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
