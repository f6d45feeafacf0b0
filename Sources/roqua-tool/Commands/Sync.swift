import AgeFile
import ArgumentParser
import Foundation
import Roqua
import StoreSync

/// `roqua sync`: one history on several devices.
struct Sync: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Share one history among several devices, through any folder.",
    discussion: """
      The folder may lie in a cloud drive, on a stick or on a server: everything in it is \
      encrypted, and whoever carries it can read nothing. Each device adds files and changes none, \
      so any order and any delay end in the same history on all devices.

      The first device makes the folder, and gets a recovery key once. On another device, roqua \
      sync says how to add it. What is forgotten on one device is forgotten on all, permanently. \
      Units and colors stay as they are on each device.

      Exit status: 0 done, 1 failed, 2 done, but files of other devices are not there yet or \
      cannot be trusted, 64 wrong usage.

      Examples:
        roqua sync ~/Drive/roqua
        roqua sync status
        roqua sync add age1… --name phone
      """,
    subcommands: [Now.self, Status.self, Add.self, Remove.self, RecoveryKey.self],
    defaultSubcommand: Now.self)
}

extension Sync {
  /// `roqua sync FOLDER`
  struct Now: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "now",
      abstract: "Send to the folder what is new here, and take what is new there.",
      discussion: """
        Without a folder, the one of the last time is used. State the fingerprint that another \
        device shows (roqua sync status) to be sure that it is the same folder. To join a folder \
        without another of its devices, pipe its recovery key into roqua sync FOLDER --recovery-key.

        With --watch, it goes on until Ctrl-C or SIGTERM: it syncs now, every 15 minutes, and \
        some seconds after a change of the store or the folder, whoever makes it. It prints a \
        line for each sync that sent or took something, or a document for each with --json. A \
        folder that is missing, a full disk and the like are reported once, and it tries again.

        Exit status: 0 done, 1 failed, 2 done, but files of other devices are not there yet or \
        cannot be trusted, 64 wrong usage.

        Examples:
          roqua sync ~/Drive/roqua
          roqua sync ~/Drive/roqua --name "old phone"
          roqua sync --watch
        """)

    @OptionGroup var arguments: SyncArguments

    @Argument(help: "The folder, which must exist.", completion: .directory)
    var folder: String?

    @Option(help: "Name this device when it joins; by the host's name if not given.")
    var name: String?

    @Option(help: "Accept only a folder with this fingerprint, which another device shows.")
    var fingerprint: String?

    @Flag(help: "Read the folder's recovery key from standard input.")
    var recoveryKey = false

    @Flag(help: "Go on, and sync regularly and after each change.")
    var watch = false

    @Option(
      help: ArgumentHelp(
        "Sync at least this often with --watch: 15min, 2h, 30s. (default: 15min)",
        valueName: "time"), transform: Interval.parse)
    var every: Interval?

    func validate() throws {
      if let name, let reason = DeviceLabel.reasonToRefuse(NegativeNumbers.original(name)) {
        throw ValidationError("The name \(reason).")
      }
      if every != nil, !watch { throw ValidationError("--every needs --watch.") }
    }

    func run() throws {
      if watch {
        return try Console.reportingErrors {
          let recovery = recoveryKey ? readLine(strippingNewline: true) ?? "" : nil
          var watch = SyncWatch(
            arguments: arguments, folder: folder, name: name, fingerprint: fingerprint,
            recoveryKey: recovery, every: every ?? .standard)
          try watch.run()
        }
      }
      Interruption.prepare(
        working: "the store is unchanged",
        committed: "the store has what is new; the next sync sends the rest")
      try Console.reportingErrors {
        let recovery = recoveryKey ? readLine(strippingNewline: true) ?? "" : nil
        let explorer = try arguments.store.open(creating: true)
        let opened = try arguments.open(
          folder, name: name, fingerprint: fingerprint, recoveryKey: recovery)
        // Before anything else can fail.
        let recoveryKey = opened.recoveryKey
        try SyncSummary.printFirst(opened, isJSON: arguments.store.json)
        let report = try WorkProgress.showing { _ in
          try opened.syncAndCleanUp(explorer.store, now: SyncArguments.now)
        }
        let summary = SyncSummary(report, of: opened, recoveryKey: recoveryKey)
        if arguments.store.json {
          Console.print(summary.json)
        } else {
          summary.print(isDryRun: false)
        }
        if !summary.isComplete { throw ExitCode(2) }
      }
    }
  }

  /// `roqua sync status`
  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Show the devices, and what a sync would do.",
      discussion: """
        Neither the store nor the folder changes.

        Exit status: 0 done, 1 failed, 2 files of other devices are not there yet or cannot be \
        trusted, 64 wrong usage.

        Example: roqua sync status --json
        """)

    @OptionGroup var arguments: SyncArguments

    func run() throws {
      try Console.reportingErrors {
        let explorer = try arguments.store.open(creating: true)
        let opened = try arguments.open(nil, isReadOnly: true)
        let report = try opened.sync(explorer.store, now: SyncArguments.now, isDryRun: true)
        let summary = SyncSummary(report, of: opened)
        if arguments.store.json {
          Console.print(summary.json)
        } else {
          summary.printDevices()
          summary.print(isDryRun: true)
        }
        if !summary.isComplete { throw ExitCode(2) }
      }
    }
  }

  /// `roqua sync add`
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Let another device read the folder.",
      discussion: """
        The other device shows its public key when it runs roqua sync with the folder.

        Exit status: 0 done, 1 failed, 64 wrong usage or a name that another device has.

        Example: roqua sync add age1… --name phone
        """)

    @OptionGroup var arguments: SyncArguments

    @Argument(help: ArgumentHelp("Its public key, age1…", valueName: "key"))
    var key: String

    @Option(help: "Name the device.")
    var name: String

    func validate() throws {
      if let reason = DeviceLabel.reasonToRefuse(NegativeNumbers.original(name)) {
        throw ValidationError("The name \(reason).")
      }
    }

    func run() throws {
      try Console.reportingErrors {
        let opened = try arguments.open(nil)
        let name = NegativeNumbers.original(name)
        let known = try add(name, to: opened)
        if arguments.store.json { return Console.print(SyncSummary.devices(of: opened)) }
        Console.print(
          (known.map { "This device is in the folder already, as \($0)." } ?? "Added \(name).")
            + " The folder's fingerprint is \(opened.fingerprint).")
      }
    }

    /// Adds the device. A text that is not a public key is wrong usage.
    private func add(_ name: String, to folder: SyncFolder) throws -> String? {
      do {
        return try folder.add(publicKey: key, displayName: name, now: SyncArguments.now)
      } catch let error as AgeError {
        guard case .keyDamaged = error, let line = ErrorAdvice.line(error) else { throw error }
        throw Console.Failure(line, isWrongUsage: true)
      }
    }
  }

  /// `roqua sync remove`
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Let a device that was lost read nothing new.",
      discussion: """
        It keeps what it has read. From then on, everything is encrypted to a new key. What the \
        device has sent to the folder until now is taken over first.

        Exit status: 0 done, 1 failed, 64 wrong usage or no such device.

        Example: roqua sync remove phone
        """)

    @OptionGroup var arguments: SyncArguments

    @Argument(help: ArgumentHelp("Its name, or its code in the folder.", valueName: "device"))
    var device: String

    @Flag(help: "Remove the device even if what it last sent has not arrived.")
    var force = false

    func run() throws {
      try Console.reportingErrors {
        let explorer = try arguments.store.open(creating: true)
        let opened = try arguments.open(nil)
        let name = NegativeNumbers.original(device)
        let namesakes = opened.devices.count { $0.displayName == name }
        let isThisName = name == opened.displayName && namesakes == 1
        guard !isThisName, name != "\(opened.device)" else {
          throw Console.Failure(
            "\(name) is this device; remove it on another one. To leave the folder, delete the "
              + "folder with the keys next to the store (STORE-sync)")
        }
        if !force { try opened.checkMayChangeKeys() }
        let report = try opened.sync(explorer.store, now: SyncArguments.now)
        try opened.remove(name, after: force ? nil : report)
        // So that the others believe this device from now on.
        _ = try opened.sync(explorer.store, now: SyncArguments.now)
        if arguments.store.json { return Console.print(SyncSummary.devices(of: opened)) }
        Console.print("Removed \(device).")
      }
    }
  }

  /// `roqua sync recovery-key`
  struct RecoveryKey: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recovery-key",
      abstract: "Make a new recovery key, if the old one was lost or seen by others.",
      discussion: """
        The old one opens nothing that is written from now on.

        Exit status: 0 done, 1 failed, 64 wrong usage.

        Example: roqua sync recovery-key
        """)

    @OptionGroup var arguments: SyncArguments

    func run() throws {
      try Console.reportingErrors {
        let explorer = try arguments.store.open(creating: true)
        let opened = try arguments.open(nil)
        try opened.checkMayChangeKeys()
        _ = try opened.sync(explorer.store, now: SyncArguments.now)
        try opened.replaceRecoveryKey()
        let key = opened.recoveryKey
        try SyncSummary.printFirst(opened, isJSON: arguments.store.json)
        _ = try opened.sync(explorer.store, now: SyncArguments.now)
        if arguments.store.json {
          Console.print(["recoveryKey": key.map(JSONValue.string) ?? .null])
        }
      }
    }
  }
}
