import AgeFile

/// Why a file of a sync folder is not believed.
package enum SyncFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It was encrypted for others: for another folder, or without this device.
  case notForThisDevice
  /// It is a manifest or a backup that was encrypted before a device was removed.
  case olderKey
  /// It cannot be decrypted; one sentence.
  case notDecrypted(String)
  /// It was decrypted, and is not what it should be.
  case notValid(SyncFormatError)
  /// It is a key file of another folder, which has this fingerprint.
  case foreign(fingerprint: String)
  /// It is a key file whose writer is no device of the folder, as far as is known here: a device
  /// that was removed, a recovery key that was replaced, or a device that is not known yet.
  case untrustedWriter

  init(_ error: AgeError) {
    self = error == .noIdentityMatches ? .notForThisDevice : .notDecrypted(error.description)
  }

  /// Whether an error says that the bytes of a file changed since it was written: whoever has its
  /// contents can write it again. What is out of reach, for others or of a later version is not.
  static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case SyncFileError.notDecrypted: true
    case SyncFileError.notValid(let problem): !problem.isOfLaterVersion
    case let problem as SyncFormatError: problem.problem == .notAuthentic
    default: false
    }
  }

  /// One sentence, after the name of the file.
  package var description: String {
    switch self {
    case .notForThisDevice: "It is not encrypted for this device."
    case .olderKey: "It was written before a device was removed from the folder."
    case .notDecrypted(let reason): reason
    case .notValid(let error): "It is not valid (\(error))."
    case .foreign(let fingerprint): "It belongs to another sync folder (\(fingerprint))."
    case .untrustedWriter:
      "It was not written by a device that is known to belong to the folder, so its keys are not "
        + "used."
    }
  }
}
