import ArgumentParser
import ByteStreams
import GeoStore
import Profiles
import Roqua
import SQLiteLayer

extension ProfileCommand {
  /// `roqua profile merge`
  struct Merge: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "merge",
      abstract: "Add the history of a profile to another one.",
      discussion: """
        Every source that the other profile lacks is added to it, as if it were imported now. \
        Nothing is removed from either profile: settings and privacy zones stay as they are, and \
        what lies in a privacy zone of the other profile is left out. The merged profile stays \
        until roqua profile remove. Merging again adds only what is new.

        Sources with cells, such as those of Fog of World, are left out if the exploration radius \
        of the two profiles has another grid.

        Exit status: 0 done, 1 failed, 2 done, but sources were left out, 64 wrong usage or no \
        such profile.

        Examples:
          roqua profile merge visitors
          roqua profile merge visitors --into default --dry-run
        """)

    @OptionGroup var arguments: ProfileArguments

    @Argument(
      help: ArgumentHelp(
        "Name of the profile, or at least eight leading digits of its id.", valueName: "profile"),
      completion: Completions.profiles)
    var profile: String

    @Option(
      help: ArgumentHelp(
        "Add the history to this profile. (default: the selected one)", valueName: "profile"),
      completion: Completions.profiles)
    var into: String?

    @Flag(help: "Show what would be added, and change nothing.")
    var dryRun = false

    func run() throws {
      Interruption.prepare(
        working: "nothing was added", committed: "the history was added")
      try arguments.run { folder in
        // The selected profile is in use until this process ends, so nobody erases it.
        let use = try folder.use()
        defer { withExtendedLifetime(use) {} }
        let registry = try folder.registryOrFirst()
        let source = try registry.profile(NegativeNumbers.original(profile))
        let target =
          try into.map { try registry.profile(NegativeNumbers.original($0)) } ?? registry.selected
        guard source.id != target.id else {
          throw Console.Failure("\(source.name) cannot be merged into itself; give another profile")
        }
        let place = try ProfileStore(source, in: folder)
        // A profile that was never used has nothing to add.
        let report =
          !place.exists
          ? MergeReport()
          : try WorkProgress.showing { _ in
            let other = try place.open(creating: false)
            let place = try ProfileStore(target, in: folder)
            guard dryRun, !place.exists else {
              return try place.open(creating: !dryRun).store
                .merge(other.store, isDryRun: dryRun)
            }
            // A profile without a store takes everything, as an empty store does.
            let names = ["", "-shm"] + DatabaseFile.logSuffixes
            let scratch = try ScratchFolder(kind: "roqua-merge", for: names.map { "s" + $0 })
            defer { withExtendedLifetime(scratch) {} }
            return try Store(path: FilePath(scratch.path).appending("s"), creating: true)
              .merge(other.store, isDryRun: true)
          }
        print(report, source, target)
        if report.sourcesOfOtherGrid > 0 { throw ExitCode(2) }
      }
    }

    private func print(_ report: MergeReport, _ source: Profile, _ target: Profile) {
      if arguments.json {
        return Console.print([
          "merged": source.json, "into": target.json, "dryRun": .bool(dryRun),
          "sourcesAdded": .integer(report.sourcesAdded),
          "sourcesKnown": .integer(report.sourcesKnown),
          "keptFixesAdded": .integer(report.fixesAdded),
          "sourcesWithheld": .integer(report.sourcesWithheld),
          "sourcesOfOtherGrid": .integer(report.sourcesOfOtherGrid),
        ])
      }
      let count = Wording.count(report.sourcesAdded, "source")
      let fixes = Wording.count(report.fixesAdded, "kept fix", "kept fixes")
      Console.print(
        report.sourcesAdded == 0
          ? "\(target.name) has everything of \(source.name)."
          : "\(dryRun ? "Would add" : "Added") \(count) with \(fixes) of \(source.name) to "
            + "\(target.name).")
      if report.sourcesKnown > 0, report.sourcesAdded > 0 {
        Console.print("  \(Wording.count(report.sourcesKnown, "source")) there already")
      }
      if report.sourcesWithheld > 0 {
        Console.print(
          "  \(Wording.count(report.sourcesWithheld, "source")) partly or wholly in a privacy zone")
      }
      if report.sourcesOfOtherGrid > 0 {
        Console.printError(
          "roqua: \(Wording.count(report.sourcesOfOtherGrid, "source")) left out: the cells belong "
            + "to the grid of another exploration radius")
      }
    }
  }
}

/// The store of a profile that need not be selected.
struct ProfileStore {
  /// The usual path of the store.
  let usualPath: String
  /// Nil before there are profiles, when stores carry none.
  private let profileID: String?

  /// The store of a profile.
  init(_ profile: Profile, in folder: ProfileFolder) throws {
    usualPath = folder.storePath(of: profile)
    profileID = try folder.registry() == nil ? nil : profile.id.text
  }

  /// The path of the store: the usual one, or that in memory.
  var path: String { LockedFile.memoryPath(of: usualPath) ?? usualPath }

  /// Whether there is a store, locked or not.
  var exists: Bool { FileIdentity(path: path) != nil || LockedFile.isLocked(path: usualPath) }

  /// Opens the store.
  ///
  /// - Throws: `DatabaseError`.
  func open(creating: Bool) throws -> Explorer {
    if LockedFile.isLocked(path: usualPath) { throw DatabaseError.locked(path: usualPath) }
    return try Explorer(
      storePath: path, creating: creating, savesMemory: true, profileID: profileID)
  }
}
