import ByteStreams

/// Why a store cannot be locked or unlocked. Nothing was lost: the store or its encrypted file is
/// whole.
///
/// ```swift
/// import StoreLock
///
/// let lock = StoreLock(path: "/path/to/history.sqlite")
/// do {
///   try await lock.unlock(passphrase: "correct horse battery staple")
/// } catch LockError.wrongPassphrase(_) {
///   print("Try another passphrase.")
/// } catch LockError.unlocked(_, let file) {
///   print("The store is open at \(file).")
/// }
/// ```
public enum LockError: Error, Hashable, Sendable {
  /// The store is locked already.
  case locked(path: String)
  /// The store is not locked. `file` is where it is.
  case unlocked(path: String, file: String)
  /// Another process has the store open, or locks or unlocks it at this moment.
  case inUse(path: String)
  /// The passphrase is empty.
  case emptyPassphrase
  /// The passphrase does not open the file.
  case wrongPassphrase(path: String)
  /// The encrypted file is damaged, cut off or of another kind; `reason` says how.
  case damaged(path: String, reason: String)
  /// The encrypted file holds something that no version of Roqua that this one knows has written.
  case unknownContents(path: String, name: String)
  /// The file is not what its name says: a symbolic link, a folder or a file with several names.
  case unsuitable(path: String, reason: String)
  /// A file is in the place of one that unlocking would restore, and has other contents.
  case stray(path: String)
  /// A store that was replaced by a backup is kept here for a day, and would not be encrypted.
  case keepsReplaced(path: String)
  /// There is no folder in memory that is private to this user and has space for the store.
  case noMemory(bytes: Int)
  /// What was written could not be read back, so the store was left as it is.
  case notReadBack(path: String, reason: String)
  /// The encrypted file is complete, but this file that it holds could not be removed.
  case notRemoved(path: String, reason: String)
  /// A file cannot be read or written.
  case file(path: String, reason: String)

  /// The error for a failure of the system.
  init(_ failure: FileFailure) { self = .file(path: failure.path, reason: failure.reason) }

  /// The error for an output that could not be written.
  init(_ failure: OutputFailure) {
    switch failure {
    case .exists(let path): self = .stray(path: path)
    case .failed(let failure): self.init(failure)
    }
  }
}

extension LockError: CustomStringConvertible {
  /// One line: the file, what happened, and what to do if that does not depend on the program.
  public var description: String {
    switch self {
    case .locked(let path): "\(path): the store is locked already"
    case .unlocked(let path, let file):
      "\(path): the store is not locked" + (file == path ? "" : "; it is in memory, at \(file)")
    case .inUse(let path):
      "\(path): another program has the store open; close it first"
    case .emptyPassphrase: "the passphrase is empty"
    case .wrongPassphrase(let path):
      "\(path): the passphrase is wrong, or the file was not locked with a passphrase"
    case .damaged(let path, let reason): "\(path): the encrypted file cannot be used: \(reason)"
    case .unknownContents(let path, let name):
      "\(path): the encrypted file holds \(name), which this version does not know; update Roqua"
    case .unsuitable(let path, let reason): "\(path): the store cannot be locked: \(reason)"
    case .stray(let path):
      "\(path): this file is in the way, and is not the one that was locked; move it elsewhere"
    case .keepsReplaced(let path):
      "\(path): the store that a restore replaced is kept there for a day, unencrypted; delete it "
        + "if you do not need it any more, and lock then"
    case .noMemory(let bytes):
      "no folder in memory is private to you and has space for \(bytes) bytes ($XDG_RUNTIME_DIR, "
        + "/dev/shm)"
    case .notReadBack(let path, let reason):
      "\(path): the encrypted file could not be read back, so the store was left as it is: "
        + reason
    case .notRemoved(let path, let reason):
      "\(path): the encrypted file is complete, but this file could not be removed: \(reason)"
    case .file(let path, let reason): "\(path): \(reason)"
    }
  }
}
