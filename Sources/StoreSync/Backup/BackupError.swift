import Geodesy

/// Why a backup cannot be made, found or restored.
package enum BackupError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The store changed each time while the backup was made.
  case busy(path: String)
  /// No backup has this date.
  case notFound(date: String?)
  /// Several backups have this date.
  case ambiguous(date: String, found: [String])
  /// Files of the backup are missing or damaged; the store is unchanged.
  case incomplete(backup: String, problems: [BackupProblem])
  /// The restored store is not what the backup says; the store is unchanged.
  case different(backup: String, detail: String)
  /// The store cannot be replaced; it is unchanged.
  case cannotReplace(path: String, reason: String)
  /// There is no state from before a restore, or it is older than a day.
  case nothingKept(path: String)
  /// The file with the number of backups is damaged.
  case damagedLimit(path: String)

  /// What happened, in one line.
  package var description: String {
    switch self {
    case .busy(let path):
      "\(path): the store kept changing while the backup was made; try again when less is recorded"
    case .notFound(nil): "the folder has no backup that can be read"
    case .notFound(.some(let date)): "the folder has no backup of \(date)"
    case .ambiguous(let date, let found):
      "several backups begin with \(date): \(found.joined(separator: ", "))"
    case .incomplete(let backup, let problems):
      "the backup of \(backup) cannot be restored: "
        + (problems.first.map { "\($0)" } ?? "files are missing")
        + (problems.count > 1 ? ", and \(problems.count - 1) more" : "")
    case .different(let backup, let detail):
      "the backup of \(backup) cannot be restored: \(detail)"
    case .cannotReplace(let path, let reason): "\(path): the store cannot be replaced: \(reason)"
    case .nothingKept(let path):
      "\(path): no state from before a restore is left; it is kept for a day"
    case .damagedLimit(let path):
      "\(path): it is damaged"
    }
  }
}

/// A file that is not what a backup needs.
package struct BackupProblem: Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Reason: Hashable, Sendable {
    /// It is not there, or not whole, yet.
    case missing
    /// It cannot be believed, or has other contents than the backup says.
    case damaged(String)
    /// It is a backup that was written with the keys from before a device was removed, or before
    /// the recovery key was replaced.
    case olderKey
  }

  /// The file.
  package let path: SyncPath
  /// What is wrong.
  package let reason: Reason

  init(_ path: SyncPath, _ reason: Reason) { (self.path, self.reason) = (path, reason) }

  /// The file and what is wrong, in one line.
  package var description: String {
    switch reason {
    case .missing, .damaged: "\(path) is \(detail)"
    case .olderKey: "\(path) was \(detail)"
    }
  }

  /// What is wrong, without the file, in one line.
  package var detail: String {
    switch reason {
    case .missing: "missing or not whole"
    case .damaged(let reason): "damaged (\(reason))"
    case .olderKey:
      "written with the keys from before a device was removed or the recovery key was replaced; "
        + "the next backup of the device that made it makes it usable again, unless that device "
        + "was removed"
    }
  }
}
