import AgeFile
import ArgumentParser
import Foundation
import GeoStore
import Roqua
import SQLiteLayer
import StoreLock
import StoreSync

/// `roqua lock`: the store is encrypted while it is not in use.
struct Lock: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Encrypt the store until you unlock it.",
    discussion: """
      A passphrase encrypts the store, with the inbox and tokens of roqua serve and the keys of \
      roqua sync, into the file STORE.age. It is read back before the store is removed. Until \
      roqua unlock, every other command says that the store is locked. Without the passphrase, \
      nobody can read the store, and nobody can help you.

      Removing a file does not overwrite its bytes: a disk that held the unencrypted store may \
      still have them. roqua unlock --memory keeps the unencrypted store off the disk.

      Without Roqua, age -d STORE.age | tar -x restores the files.

      Exit status: 0 done, 1 failed.

      Examples:
        roqua lock
        roqua lock --passphrase-file ~/roqua-passphrase
        roqua lock status
      """,
    subcommands: [Now.self, Status.self], defaultSubcommand: Now.self)
}

/// Which store, and its passphrase.
struct LockArguments: ParsableArguments {
  @OptionGroup var store: StoreArguments

  @Option(
    help: ArgumentHelp("Read the passphrase from this file of one line.", valueName: "path"),
    completion: .file())
  var passphraseFile: String?

  /// Checks that this program has passphrases, before anybody types one.
  static func checkIsAvailable() throws {
    guard AgePassphrase.areAvailable else {
      throw AgeError.cryptographyUnavailable(needs: StoreLock.needs)
    }
  }

  /// Reads the passphrase.
  func passphrase(isNew: Bool) throws -> AgePassphrase {
    try PassphraseInput.read(file: passphraseFile, isNew: isNew)
  }
}

extension StoreArguments {
  /// The lock of the store.
  var lock: StoreLock {
    get throws {
      StoreLock(
        path: try usualPath,
        runtimeFolder: ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"])
    }
  }
}

extension Lock {
  /// `roqua lock`
  struct Now: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "now",
      abstract: "Encrypt the store and remove the unencrypted file.",
      discussion: """
        On a terminal, the command asks twice for a new passphrase; elsewhere it reads a line of \
        standard input. No other program may have the store open.

        Exit status: 0 done, 1 failed.

        Example: roqua lock
        """)

    @OptionGroup var arguments: LockArguments

    func run() throws {
      try Console.reportingErrors {
        try LockArguments.checkIsAvailable()
        let lock = try arguments.store.lock
        // A store that was replaced by a restore is not encrypted, and must not stay.
        let replacement = StoreReplacement(storePath: lock.place.path)
        replacement.cleanUp(now: SyncArguments.now)
        if let kept = replacement.kept.first { throw LockError.keepsReplaced(path: kept.path) }
        let isCompletion = try prepare(lock)
        let passphrase = try arguments.passphrase(isNew: !isCompletion)
        Interruption.prepare(
          working: "the store was not locked",
          committed: "the encrypted file is complete; run roqua lock again to remove the other one")
        let outcome = try WorkProgress.showing { meter in
          try lock.lock(with: passphrase) { meter.set(.copying, $0, of: $1) }
        }
        if arguments.store.json {
          return Console.print([
            "locked": .string(outcome.path), "bytes": .integer(outcome.byteCount),
            "completed": .bool(outcome.isCompletion),
          ])
        }
        if outcome.isCompletion {
          return Console.print(
            "The store was locked already; files that an interrupted command left are removed.")
        }
        Console.print("Locked: \(outcome.path), \(Wording.bytes(outcome.byteCount)).")
        Console.print("To use the store: roqua unlock")
      }
    }

    /// Checks that the store can be locked; returns whether it is locked, and a killed program left
    /// files.
    private func prepare(_ lock: StoreLock) throws -> Bool {
      switch try lock.place.state() {
      case .missing: throw DatabaseError.missing(path: lock.place.path)
      case .locked:
        guard try lock.hasLeftovers() else { throw LockError.locked(path: lock.place.path) }
        return true
      case .unlocked, .inMemory:
        // It is a store of this program and of this profile.
        var options = StoreOptions()
        options.savesMemory = true
        options.profileID = try arguments.store.profile?.id.text
        _ = try Store(path: lock.place.path, creating: false, options: options)
        return false
      }
    }
  }

  /// `roqua lock status`
  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Show whether the store is locked.",
      discussion: """
        Nothing is changed.

        Exit status: 0 done, 1 failed.

        Example: roqua lock status --json
        """)

    @OptionGroup var store: StoreArguments

    func run() throws {
      try Console.reportingErrors {
        let place = try store.lock.place
        let (path, lockedPath) = (place.path, place.lockedPath)
        let (name, file, line): (String, String?, String) =
          switch try place.state() {
          case .missing: ("missing", nil, "\(path): there is no store")
          case .locked where place.isEmptied:
            ("locked", nil, "\(path): locked; \(Unlock.emptied); roqua unlock opens it")
          case .locked:
            ("locked", nil, "\(path): locked; roqua unlock opens it")
          case .unlocked(hasLockedFile: false): ("unlocked", path, "\(path): not locked")
          case .unlocked(hasLockedFile: true):
            ("unlocked", path, "\(path): unlocked; \(lockedPath) has an older state")
          case .inMemory(let file):
            (
              "inMemory", file,
              "\(path): unlocked in memory, at \(file); \(lockedPath) has an older state"
            )
          }
        guard store.json else { return Console.print(line) }
        Console.print([
          "state": .string(name), "path": .string(path), "store": .string(file),
          "lockedFile": .string(lockedPath), "wasEmptied": .bool(place.isEmptied),
        ])
      }
    }
  }
}
