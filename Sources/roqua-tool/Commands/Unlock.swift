import ArgumentParser
import Roqua
import StoreLock

/// `roqua unlock`: the store is decrypted.
struct Unlock: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: "Decrypt a locked store.",
    discussion: """
      On a terminal, the command asks for the passphrase; elsewhere it reads a line of standard \
      input. The encrypted file stays until the next roqua lock replaces it; until then the \
      unencrypted store counts.

      With --memory, the unencrypted store is a file in memory ($XDG_RUNTIME_DIR or /dev/shm, on \
      Linux), and its usual path is a symbolic link to it. roqua lock writes it back. Logging out, \
      a restart or a power cut loses what you add before; the store is then locked, as it was.

      Exit status: 0 done, 1 failed.

      Examples:
        roqua unlock
        roqua unlock --memory
      """)

  @OptionGroup var arguments: LockArguments

  @Flag(help: "Unlock into memory, so that nothing unencrypted is on the disk.")
  var memory = false

  /// What is said of a store whose memory was emptied.
  static let emptied =
    "the store was unlocked in memory, which was emptied since; what you added and did not lock is "
    + "lost"

  func run() throws {
    try Console.reportingErrors {
      try LockArguments.checkIsAvailable()
      let lock = try arguments.store.lock
      let place = lock.place
      switch try place.state() {
      case .missing: throw DatabaseError.missing(path: place.path)
      case .unlocked: throw LockError.unlocked(path: place.path, file: place.path)
      case .inMemory(let file): throw LockError.unlocked(path: place.path, file: file)
      case .locked: break
      }
      let passphrase = try arguments.passphrase(isNew: false)
      Interruption.prepare(
        working: "the store is still locked", committed: "the store is unlocked")
      let outcome = try WorkProgress.showing { meter in
        try lock.unlock(with: passphrase, inMemory: memory) { meter.set(.copying, $0, of: $1) }
      }
      if arguments.store.json {
        return Console.print([
          "unlocked": .string(outcome.path), "bytes": .integer(outcome.byteCount),
          "inMemory": .bool(memory), "wasEmptied": .bool(outcome.wasEmptied),
        ])
      }
      if outcome.wasEmptied { Console.printError("\(place.path): \(Self.emptied)") }
      guard memory else { return Console.print("Unlocked: \(outcome.path).") }
      Console.print("Unlocked into memory: \(outcome.path).")
      Console.print("Logging out or a restart loses what you add before roqua lock.")
    }
  }
}
