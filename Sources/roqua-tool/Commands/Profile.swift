import ArgumentParser
import Profiles
import Roqua

/// `roqua profile`: profiles, each with a store of its own.
struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Keep the histories of several people apart.",
    discussion: """
      Each profile has a store, settings and tokens of its own. Commands use the selected profile, \
      and read nothing of the others; only roqua profile list, merge, switch and remove open their \
      stores. A running roqua live or roqua serve keeps the profile with which it started.

      The store that was there before becomes the first profile, named default. --store PATH and \
      $ROQUA_STORE name a store whatever profile is selected.

      Examples:
        roqua profile create work
        roqua profile switch work
        roqua profile list
        roqua profile switch default --keep
      """,
    subcommands: [
      List.self, Create.self, Switch.self, Rename.self, Merge.self, Remove.self, Recover.self,
      Repair.self,
    ])
}

/// How to answer.
struct ProfileArguments: ParsableArguments {
  @Flag(help: "Print JSON.")
  var json = false

  /// Runs a command on the profiles, and says if they do not matter at present.
  func run(_ body: (ProfileFolder) throws -> Void) throws {
    try Console.reportingErrors {
      try body(SelectedProfile.folder)
      if !json, let path = SelectedProfile.environmentPath {
        Console.printError(
          "roqua: $ROQUA_STORE is set, so commands use \(path), whatever profile is selected")
      }
    }
  }

  /// The same for a command that changes the profiles.
  func change(_ body: (ProfileFolder) throws -> Void) throws {
    Interruption.prepare(
      working: "nothing was changed",
      committed: "the profiles were changed; the next command completes what is left to do")
    try run(body)
  }
}

/// An argument that is to be a name of a profile.
struct NewProfileName: ExpressibleByArgument {
  /// The name as typed.
  let text: String

  init(argument: String) { text = NegativeNumbers.original(argument) }

  /// Checks the name.
  ///
  /// - Throws: `ValidationError`.
  func validate() throws {
    if let reason = Profile.reasonToRefuse(name: text) {
      throw ValidationError(ProfileError.invalidName(name: text, reason: reason).sentence)
    }
  }
}

extension ProfileError {
  /// The description as a sentence.
  var sentence: String { description.prefix(1).uppercased() + description.dropFirst() + "." }
}

extension ProfileCommand {
  /// `roqua profile list`
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the profiles, and the erased ones that can be recovered.",
      discussion: """
        An asterisk marks the selected profile. Columns are the name, the size of all its files, \
        the number of kept fixes, and the day of the last change.

        Exit status: 0 done, 1 failed.

        Example: roqua profile list --json
        """)

    @OptionGroup var arguments: ProfileArguments

    func run() throws {
      try arguments.run { folder in
        do throws(ProfileError) {
          try folder.tidy()
        } catch {
          // What cannot be deleted is listed.
          guard case .file(let path, let reason) = error else { throw error }
          Console.printError("roqua: \(path): \(reason)")
        }
        let summary = ProfileSummary(
          folder, isInUse: try folder.registry() != nil, try folder.registryOrFirst())
        if arguments.json { Console.print(summary.json) } else { summary.print() }
      }
    }
  }

  /// `roqua profile create`
  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Create an empty profile.",
      discussion: """
        With --switch, it is selected, and the data of the present profile stays.

        Exit status: 0 done, 1 failed, 64 not a name.

        Examples:
          roqua profile create guests
          roqua profile create "my parents" --switch
        """)

    @OptionGroup var arguments: ProfileArguments

    @Argument(help: "The name: up to 100 characters, in any script.")
    var name: NewProfileName

    @Flag(name: .customLong("switch"), help: "Select the new profile.")
    var isSelecting = false

    func validate() throws { try name.validate() }

    func run() throws {
      try arguments.change { folder in
        let isFirst = try folder.registry() == nil
        let hadStore = try ProfileStore(folder.registryOrFirst().selected, in: folder).exists
        let profile = try folder.create(named: name.text, selecting: isSelecting)
        if arguments.json {
          return Console.print(["created": profile.json, "selected": .bool(isSelecting)])
        }
        Console.print(
          "Created \(profile.name)" + (isSelecting ? ", which is now selected." : "."))
        if isFirst, hadStore {
          Console.print(
            "The store that was there before is the profile \(ProfileRegistry.firstName).")
        }
        if !isSelecting {
          Console.print(
            "To use it: roqua profile switch \(ShellWord.quoted(profile.name))")
        }
      }
    }
  }

  /// `roqua profile rename`
  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename",
      abstract: "Give a profile another name.",
      discussion: """
        Its data and its id stay as they are.

        Exit status: 0 done, 1 failed, 64 not a name or no such profile.

        Example: roqua profile rename guests visitors
        """)

    @OptionGroup var arguments: ProfileArguments

    @Argument(
      help: ArgumentHelp("Name of the profile.", valueName: "profile"),
      completion: Completions.profiles)
    var profile: String

    @Argument(help: ArgumentHelp("The new name.", valueName: "name"))
    var name: NewProfileName

    func validate() throws { try name.validate() }

    func run() throws {
      try arguments.change { folder in
        let old = NegativeNumbers.original(profile)
        let profile = try folder.rename(old, to: name.text)
        if arguments.json { return Console.print(["renamed": profile.json]) }
        Console.print("Renamed \(old) to \(profile.name).")
      }
    }
  }

  /// `roqua profile recover`
  struct Recover: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recover",
      abstract: "Bring back an erased profile.",
      discussion: """
        A profile that was erased without --now can be recovered for 24 hours. It is not selected. \
        roqua profile list shows the erased profiles.

        Exit status: 0 done, 1 failed, 64 not a name or no such profile.

        Examples:
          roqua profile recover visitors
          roqua profile recover work --name "old work"
        """)

    @OptionGroup var arguments: ProfileArguments

    @Argument(
      help: ArgumentHelp(
        "Name of the erased profile, or at least eight leading digits of its id.",
        valueName: "profile"),
      completion: Completions.erasedProfiles)
    var profile: String

    @Option(help: "Give it this name, if another profile has the old one by now.")
    var name: NewProfileName?

    func validate() throws { try name?.validate() }

    func run() throws {
      try arguments.change { folder in
        let profile = try folder.recover(NegativeNumbers.original(profile), named: name?.text)
        if arguments.json { return Console.print(["recovered": profile.json]) }
        Console.print("Recovered \(profile.name).")
        Console.print("To use it: roqua profile switch \(ShellWord.quoted(profile.name))")
      }
    }
  }

  /// `roqua profile repair`
  struct Repair: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "repair",
      abstract: "Restore a damaged list of profiles.",
      discussion: """
        If the list is damaged, no command reads anything, because it is unknown which profile is \
        selected. This restores the list from its copy, else from the folders of the profiles, \
        whose names are then lost. Check which profile is selected before you import anything. \
        Stores are not changed.

        Exit status: 0 done or nothing to do, 1 failed.

        Example: roqua profile repair
        """)

    @OptionGroup var arguments: ProfileArguments

    func run() throws {
      try arguments.change { folder in
        let repair = try folder.repair()
        if arguments.json { return Console.print(json(repair)) }
        guard let repair, repair.isChanged else {
          return Console.print("There is nothing to repair.")
        }
        let origin =
          switch repair.origin {
          case .list: "The list of profiles was completed."
          case .copy: "The list of profiles was restored from its copy."
          case .folders: "The list of profiles was restored from their folders; names were lost."
          }
        Console.print(origin)
        for profile in repair.found { Console.print("Found \(profile.name).") }
        Console.print("The selected profile is \(repair.registry.selected.name).")
      }
    }

    private func json(_ repair: ProfileRepair?) -> JSONValue {
      guard let repair else { return ["repaired": .bool(false)] }
      let origin =
        switch repair.origin {
        case .list: "list"
        case .copy: "copy"
        case .folders: "folders"
        }
      return [
        "repaired": .bool(repair.isChanged), "origin": .string(origin),
        "found": .array(repair.found.map(\.json)), "selected": repair.registry.selected.json,
      ]
    }
  }
}
