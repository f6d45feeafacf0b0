import CSQLite

/// An error of a database file.
///
/// The description is one line that names the file and, if there is one, the SQL text, never a
/// bound value. If SQLite reported the failure, ``sqliteFailure`` contains its message.
///
/// ```swift
/// do {
///   print(try await Explorer(storePath: "tracks.roqua").statistics().cells)
/// } catch DatabaseError.newerVersion(_, let found, let supported) {
///   print("Update the app: store version \(found), supported up to \(supported)")
/// } catch DatabaseError.damaged(let path, let detail, _) {
///   print("\(path) is damaged: \(detail)")
/// }
/// ```
public enum DatabaseError: Error, Hashable, Sendable {
  /// No file exists at this path, and the caller did not ask for a new one.
  case missing(path: String)
  /// The file is locked: it was encrypted, and is next to this path with the ending `.age`.
  case locked(path: String)
  /// The file or its folder cannot be opened or created.
  case cannotOpen(path: String, reason: String, cause: SQLiteFailure? = nil)
  /// The file is not an SQLite database.
  case notADatabase(path: String, cause: SQLiteFailure? = nil)
  /// The file is an SQLite database that another program made.
  case otherProgram(path: String)
  /// The database was made by a newer version of the program.
  case newerVersion(path: String, found: Int, supported: Int)
  /// SQLite, or a decoder of packed bytes, found damage.
  case damaged(path: String, detail: String, cause: SQLiteFailure? = nil)
  /// No space is left on the volume.
  case diskFull(path: String, cause: SQLiteFailure? = nil)
  /// The file or its folder cannot be written; `reason` says why, if known. The file can be read.
  case readOnly(path: String, reason: String? = nil, cause: SQLiteFailure? = nil)
  /// The file has several names (hard links). SQLite keeps a log next to each name, so writing
  /// through two of them loses data. Nothing is changed; the file can be read.
  case linked(path: String, names: Int)
  /// The path no longer names the open file: it was renamed, replaced or deleted. The data about to
  /// be stored is not stored.
  case moved(path: String)
  /// Another program changed the file while it was being read without a lock, as read-only files
  /// are.
  case changedWhileRead(path: String)
  /// A table is missing or differs from the one that the program made, or a trigger is attached to
  /// one: SQLite would then run another program's code. `detail` names it.
  case alteredSchema(path: String, detail: String)
  /// The program refuses the database for a reason of its own. The database was not changed.
  case refused(path: String, DatabaseRefusal)
  /// A file of this name exists, and the caller did not ask to replace it.
  case fileExists(path: String)
  /// A file made from the database, such as a backup, cannot be written to this path.
  case cannotWrite(path: String, reason: String)
  /// Another process kept the database locked for longer than the busy timeout.
  case busy(path: String, cause: SQLiteFailure? = nil)
  /// The statement was interrupted because the task that ran it was canceled.
  case interrupted(path: String)
  /// Anything else that SQLite reports.
  case sqlite(path: String, cause: SQLiteFailure)

  /// Creates the error for a failure that SQLite reports.
  ///
  /// - Parameter isVolumeFull: whether the volume of the file has no space left. SQLite detects a
  ///   full disk only when it writes to the database or its log; elsewhere it reports a general I/O
  ///   error.
  init(_ cause: SQLiteFailure, path: String, isVolumeFull: () -> Bool = { false }) {
    switch cause.extendedCode & 0xFF {
    case SQLITE_NOTADB: self = .notADatabase(path: path, cause: cause)
    case SQLITE_CORRUPT: self = .damaged(path: path, detail: cause.message, cause: cause)
    case SQLITE_FULL: self = .diskFull(path: path, cause: cause)
    case SQLITE_READONLY, SQLITE_PERM: self = .readOnly(path: path, cause: cause)
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy(path: path, cause: cause)
    case _ where cause.mayMeanFullVolume && isVolumeFull():
      self = .diskFull(path: path, cause: cause)
    case SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: cause.message, cause: cause)
    default: self = .sqlite(path: path, cause: cause)
    }
  }

  /// SQLite's report, with its extended result code and the SQL; nil if SQLite did not report the
  /// failure.
  public var sqliteFailure: SQLiteFailure? {
    switch self {
    case .cannotOpen(_, _, let cause), .notADatabase(_, let cause), .damaged(_, _, let cause),
      .diskFull(_, let cause), .readOnly(_, _, let cause), .busy(_, let cause):
      cause
    case .sqlite(_, let cause): cause
    case .missing, .locked, .otherProgram, .newerVersion, .cannotWrite, .linked, .moved,
      .changedWhileRead, .alteredSchema, .refused, .fileExists, .interrupted:
      nil
    }
  }
}

extension DatabaseError {
  /// Whether the error reports damage in the file.
  package var isDamage: Bool {
    if case .damaged = self { true } else { false }
  }

  /// Whether a row violated a constraint, or fewer rows changed than expected.
  package var isConstraint: Bool {
    (sqliteFailure?.extendedCode ?? 0) & 0xFF == SQLITE_CONSTRAINT
  }

  /// Whether a row with the same primary key is there already: `SQLITE_CONSTRAINT_PRIMARYKEY`,
  /// which Swift does not import.
  package var isDuplicateKey: Bool {
    sqliteFailure?.extendedCode == SQLITE_CONSTRAINT | 6 << 8
  }
}

extension DatabaseError: CustomStringConvertible {
  /// One line: the file and the problem.
  public var description: String {
    switch self {
    case .missing(let path): "\(path): there is no store"
    case .locked(let path): "\(path): the store is locked (encrypted)"
    case .cannotOpen(let path, let reason, _): "\(path): cannot open the store: \(reason)"
    case .notADatabase(let path, _): "\(path): not an SQLite database"
    case .otherProgram(let path): "\(path): an SQLite database, but not a Roqua store"
    case .newerVersion(let path, let found, let supported):
      "\(path): created by a newer Roqua (store version \(found); this one reads up to "
        + "\(supported))"
    case .damaged(let path, let detail, _): "\(path): the store is damaged (\(detail))"
    case .diskFull(let path, _): "\(path): the disk is full; this step stored nothing"
    case .readOnly(let path, let reason, _):
      "\(path): the store cannot be changed: "
        + "\(reason ?? "the file or its folder cannot be written")"
    case .linked(let path, let names):
      "\(path): the store cannot be changed: its file has \(names) names (hard links), and writing "
        + "through two of them loses data; keep the name that has a -wal file next to it, if "
        + "any, and remove the others"
    case .moved(let path):
      "\(path): the store's file was moved, replaced or deleted while it was open; the data "
        + "just stored is not at this path"
    case .changedWhileRead(let path):
      "\(path): the store was changed while it was being read; try again"
    case .alteredSchema(let path, let detail):
      "\(path): the schema of the store was altered: \(detail)"
    case .refused(let path, let refusal): "\(path): \(refusal.reason)"
    case .fileExists(let path): "\(path): a file with this name already exists"
    case .cannotWrite(let path, let reason): "\(path): the file was not written: \(reason)"
    case .busy(let path, _):
      "\(path): another program is writing to the store; try again when it is done"
    case .interrupted(let path): "\(path): the query was canceled"
    case .sqlite(let path, let cause):
      "\(path): "
        + (cause.extendedCode & 0xFF == SQLITE_IOERR
          ? "the disk cannot be read or written; this step stored nothing; check the disk and "
            + "try again: "
          : "")
        + cause.description
    }
  }
}
