import ArgumentParser
import Foundation
import GeoStore
import Profiles
import Roqua
import StoreSync

extension ProfileCommand {
  /// `roqua profile switch`
  struct Switch: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "switch",
      abstract: "Select another profile.",
      discussion: """
        The data of the profile that is left stays on this machine, or is erased. On a terminal, \
        the command asks; elsewhere it keeps the data. A profile that another roqua has open, such \
        as a recording, can be left, but not erased.

        An erased profile can be recovered for 24 hours (roqua profile recover), unless it was \
        erased with --now. Its files are deleted after that; the disk may still hold their bytes.

        Exit status: 0 done, 1 failed or canceled, 64 wrong usage or no such profile.

        Examples:
          roqua profile switch work --keep
          roqua profile switch default --erase
        """)

    @OptionGroup var arguments: ProfileArguments

    @Argument(
      help: ArgumentHelp(
        "Name of the profile, or at least eight leading digits of its id.", valueName: "profile"),
      completion: Completions.profiles)
    var profile: String

    @Flag(help: "Keep the data of the profile that is left, without asking.")
    var keep = false

    @Flag(help: "Erase the data of the profile that is left, without asking.")
    var erase = false

    @Flag(help: "Delete the data at once with --erase: it cannot be recovered.")
    var now = false

    func validate() throws {
      if keep && erase { throw ValidationError("Give --keep or --erase, not both.") }
      if now && !erase { throw ValidationError("--now needs --erase.") }
    }

    func run() throws {
      try arguments.change { folder in
        let registry = try folder.registryOrFirst()
        let selector = NegativeNumbers.original(profile)
        let (left, target) = (registry.selected, try registry.profile(selector))
        var disposal = ProfileDisposal.keep
        if target.id != left.id {
          let requested: ProfileDisposal? = now ? .eraseNow : erase ? .erase : keep ? .keep : nil
          disposal = try ProfileQuestions.leaving(left, mayAsk: !arguments.json)
            .disposal(requested)
        }
        let done = try folder.switch(
          to: selector, from: try folder.registry() == nil ? nil : left.id, leaving: disposal)
        print(done.left, done.selected, disposal)
      }
    }

    private func print(_ left: Profile, _ selected: Profile, _ disposal: ProfileDisposal) {
      let isLeft = left.id != selected.id
      if arguments.json {
        return Console.print([
          "selected": selected.json, "left": isLeft ? left.json : .null,
          "disposal": isLeft ? .string(disposal.name) : .null,
        ])
      }
      guard isLeft else { return Console.print("\(selected.name) is selected already.") }
      Console.print("Selected \(selected.name).")
      if disposal != .keep { Console.print(disposal.line(for: left)) }
    }
  }

  /// `roqua profile remove`
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Erase a profile.",
      discussion: """
        The profile can be recovered for 24 hours (roqua profile recover), unless --now is given. \
        Its files are deleted after that; the disk may still hold their bytes. With --now, an \
        erased profile can be named too, by its id if another profile has its name.

        The selected profile cannot be removed while there are others; switch to another one \
        first. If it is the only one, an empty profile takes its place.

        Exit status: 0 done, 1 failed, 64 wrong usage or no such profile.

        Examples:
          roqua profile remove visitors
          roqua profile remove "my parents" --now
        """)

    @OptionGroup var arguments: ProfileArguments

    @Argument(
      help: ArgumentHelp(
        "Name of the profile, or at least eight leading digits of its id.", valueName: "profile"),
      completion: Completions.profiles)
    var profile: String

    @Flag(help: "Delete the data at once: it cannot be recovered.")
    var now = false

    func run() throws {
      try arguments.change { folder in
        let selector = NegativeNumbers.original(profile)
        if let known = try? folder.registryOrFirst().profile(selector) {
          _ = try ProfileQuestions.leaving(known, mayAsk: !arguments.json)
            .disposal(now ? .eraseNow : .erase)
        }
        let removed = try folder.remove(selector, now: now)
        let registry = try folder.registryOrFirst()
        if arguments.json {
          return Console.print([
            "removed": removed.json,
            "disposal": .string((now ? ProfileDisposal.eraseNow : .erase).name),
            "selected": registry.selected.json,
          ])
        }
        Console.print((now ? ProfileDisposal.eraseNow : .erase).line(for: removed))
        if registry.profiles.count == 1, registry.selected.createdAt > removed.createdAt,
          folder.byteCount(of: registry.selected) == 0
        {
          Console.print("The selected profile is \(registry.selected.name).")
        }
      }
    }
  }
}

extension ProfileDisposal {
  /// Its name in JSON.
  fileprivate var name: String {
    switch self {
    case .keep: "kept"
    case .erase: "erased"
    case .eraseNow: "deleted"
    }
  }

  /// What was done with a profile.
  fileprivate func line(for profile: Profile) -> String {
    switch self {
    case .keep: "Kept \(profile.name)."
    case .erase:
      "Erased \(profile.name). For 24 hours, roqua profile recover "
        + "\(ShellWord.quoted(profile.name)) brings it back."
    case .eraseNow: "Deleted \(profile.name)."
    }
  }
}

/// The questions before a profile is left, on the terminal.
enum ProfileQuestions {
  /// The questions about a profile.
  ///
  /// - Parameter mayAsk: false if nobody is to be asked, even on a terminal.
  static func leaving(_ profile: Profile, mayAsk: Bool) -> ProfileLeaving {
    var leaving = ProfileLeaving(profileName: profile.name)
    leaving.unsyncedSources = { unsyncedSources(of: profile) }
    leaving.sync = {
      guard let (report, folder) = try synced(profile, isDryRun: false) else { return }
      SyncSummary(report, of: folder).print(isDryRun: false)
    }
    leaving.warn = { count in
      Console.printError(
        "roqua: \(Wording.count(count, "source")) of \(profile.name) "
          + "\(count == 1 ? "is" : "are") in no sync folder yet")
    }
    if mayAsk, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 { leaving.ask = ask }
    return leaving
  }

  /// The number of sources that were not synced; nil if a profile is not synced or locked, or if
  /// its sync folder cannot be read now, which is said.
  private static func unsyncedSources(of profile: Profile) -> Int? {
    do {
      return try synced(profile, isDryRun: true)?.report.filesWritten
    } catch {
      Console.printError(
        "roqua: it is unknown whether all sources of \(profile.name) are in its sync folder: "
          + (ErrorAdvice.line(error) ?? "\(error)"))
      return nil
    }
  }

  /// Syncs a profile; nil if it has no sync folder.
  ///
  /// - Parameter isDryRun: whether to only report what would happen.
  private static func synced(
    _ profile: Profile, isDryRun: Bool
  ) throws -> (report: SyncReport, folder: SyncFolder)? {
    let place = try ProfileStore(profile, in: SelectedProfile.folder)
    let home = SyncHome(storePath: place.path)
    guard let path = try home.folderPath(), place.exists else { return nil }
    let store = try place.open(creating: false).store
    let folder = try SyncFolder(
      LocalSyncDirectory(path: path), path: path, home: home,
      displayName: ProcessInfo.processInfo.hostName, now: SyncArguments.now, isReadOnly: isDryRun)
    return (try folder.sync(store, now: SyncArguments.now, isDryRun: isDryRun), folder)
  }

  private static func ask(_ question: ProfileLeaving.Question) -> ProfileLeaving.Answer {
    switch question {
    case .disposal(let name):
      answer(
        "Keep the data of \(name) on this machine (k), or erase it (e)? [k] ",
        ["": .keep, "k": .keep, "keep": .keep, "e": .erase, "erase": .erase])
    case .sync(let name, let sources):
      answer(
        "Sync \(Wording.count(sources, "source")) of \(name) first (y), go on without (n), or "
          + "cancel (c)? [y] ",
        [
          "": .sync, "y": .sync, "yes": .sync, "n": .goOn, "no": .goOn, "c": .cancel,
          "cancel": .cancel,
        ])
    }
  }

  /// Asks until the answer is one of the known ones; the end of input cancels.
  private static func answer(
    _ text: String, _ answers: [String: ProfileLeaving.Answer]
  ) -> ProfileLeaving.Answer {
    while true {
      Console.prompt(text)
      guard let line = readLine() else {
        Console.printError("")
        return .cancel
      }
      if let answer = answers[line.trimmingCharacters(in: .whitespaces).lowercased()] {
        return answer
      }
    }
  }
}
