import CSQLite

/// What can go wrong with a store. The description is one line that says what to do; it names the file and,
/// where there is one, the SQL text, never a bound value. Where SQLite was the one to notice, ``sqliteFailure`` has its words.
public enum StoreError: Error, Hashable, Sendable {
  /// There is no file at this path, and the caller did not ask for a new one.
  case missing(path: String)
  /// The file or its folder cannot be opened or made.
  case cannotOpen(path: String, reason: String, cause: SQLiteFailure? = nil)
  /// The file is not an SQLite database.
  case notADatabase(path: String, cause: SQLiteFailure? = nil)
  /// An SQLite database that another program made.
  case otherProgram(path: String)
  /// A store of a newer version of Roqua.
  case newerVersion(path: String, found: Int, supported: Int)
  /// SQLite, or a reader of packed bytes, found damage.
  case damaged(path: String, detail: String, cause: SQLiteFailure? = nil)
  /// No space is left on the volume.
  case diskFull(path: String, cause: SQLiteFailure? = nil)
  /// The file or its folder may not be written; `reason` says why, where that is known. Questions are answered.
  case readOnly(path: String, reason: String? = nil, cause: SQLiteFailure? = nil)
  /// The file has several names (hard links). SQLite keeps a log beside each name, so writing through two of them loses
  /// data. Nothing is changed; questions are answered.
  case linked(path: String, names: Int)
  /// The path does not name the open file any more: it was renamed, replaced or deleted. What was about to be stored is
  /// not.
  case moved(path: String)
  /// The store was changed by another program while it was read without a lock, as read-only files are.
  case changedWhileRead(path: String)
  /// A table of the store is missing or not as Roqua made it, or a trigger hangs on one: what SQLite would run then is
  /// somebody else's. `detail` names it.
  case alteredSchema(path: String, detail: String)
  /// A file of this name exists, and it was not said that it may be replaced.
  case fileExists(path: String)
  /// Another process kept the store locked for longer than the busy timeout.
  case busy(path: String, cause: SQLiteFailure? = nil)
  /// A setting that does not exist or a value out of its range.
  case setting(key: String, reason: String)
  /// Cells of the grid of one exploration radius, in metres, for a store of another.
  case gridMismatch(path: String, radiusMeters: Double, storeRadiusMeters: Double)
  /// No source has this number, path or beginning of a SHA-256.
  case noSuchSource(path: String, selector: String)
  /// Several sources have this path, or these first digits of their SHA-256: their numbers.
  case ambiguousSource(path: String, selector: String, ids: [Int64])
  /// A recording was taken back while it went on: nothing more can be stored in it.
  case recordingForgotten(path: String, id: Int64)
  /// A file that is made of what the store holds, such as a backup, cannot be written to this path.
  case cannotWrite(path: String, reason: String)
  /// The file that was to be adopted is no database of the Roqua app, or cannot be read.
  case notAnAppDatabase(path: String, reason: String)
  /// Anything else that SQLite reports.
  case sqlite(path: String, cause: SQLiteFailure)

  /// The error for what SQLite reports.
  ///
  /// - Parameter isVolumeFull: whether no space is left where the store is. SQLite knows of a full disk only where it
  ///   writes to the database or its log; elsewhere it is one of many I/O errors to it.
  init(_ cause: SQLiteFailure, path: String, isVolumeFull: () -> Bool = { false }) {
    switch cause.extendedCode & 0xFF {
    case SQLITE_NOTADB: self = .notADatabase(path: path, cause: cause)
    case SQLITE_INTERRUPT:
      self = .damaged(
        path: path, detail: "a statement ran longer than a file of this size can need", cause: cause)
    case SQLITE_CORRUPT: self = .damaged(path: path, detail: cause.message, cause: cause)
    case SQLITE_FULL: self = .diskFull(path: path, cause: cause)
    case SQLITE_READONLY, SQLITE_PERM: self = .readOnly(path: path, cause: cause)
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy(path: path, cause: cause)
    case _ where cause.mayMeanFullVolume && isVolumeFull(): self = .diskFull(path: path, cause: cause)
    case SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: cause.message, cause: cause)
    default: self = .sqlite(path: path, cause: cause)
    }
  }

  /// What SQLite reported, with its extended result code and the SQL; nil where it was not SQLite that noticed.
  public var sqliteFailure: SQLiteFailure? {
    switch self {
    case .cannotOpen(_, _, let cause), .notADatabase(_, let cause), .damaged(_, _, let cause),
      .diskFull(_, let cause), .readOnly(_, _, let cause), .busy(_, let cause):
      cause
    case .sqlite(_, let cause): cause
    case .missing, .otherProgram, .newerVersion, .setting, .gridMismatch, .noSuchSource, .ambiguousSource,
      .recordingForgotten, .cannotWrite, .notAnAppDatabase, .linked, .moved, .changedWhileRead,
      .alteredSchema, .fileExists:
      nil
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// One line: which file, what is wrong, what to do.
  public var description: String {
    switch self {
    case .missing(let path): "\(path): there is no store; import a track first, or name one with --store"
    case .cannotOpen(let path, let reason, _): "\(path): cannot open the store: \(reason)"
    case .notADatabase(let path, _):
      "\(path): not an SQLite database; name another file with --store (this one is left as it is)"
    case .otherProgram(let path):
      "\(path): an SQLite database that Roqua did not make; name another file with --store (this one is left as it is)"
    case .newerVersion(let path, let found, let supported):
      "\(path): made by a newer Roqua (store version \(found), this one reads up to \(supported)); update Roqua"
    case .damaged(let path, let detail, _):
      "\(path): the store is damaged (\(detail)); restore a backup, or import the tracks into a new store"
    case .diskFull(let path, _): "\(path): the disk is full; nothing of this step was stored"
    case .readOnly(let path, let reason, _):
      "\(path): the store cannot be changed: \(reason ?? "the file or its folder cannot be written")"
    case .linked(let path, let names):
      "\(path): the store cannot be changed: its file has \(names) names (hard links), and writing through two of them "
        + "loses data; keep the name beside which there is a -wal file, if there is one, and remove the others"
    case .moved(let path):
      "\(path): the store's file was moved, replaced or deleted while it was open; what this command stored is not at this path"
    case .changedWhileRead(let path): "\(path): the store was changed while it was read; try again"
    case .alteredSchema(let path, let detail): "\(path): the store is not as Roqua made it: \(detail)"
    case .fileExists(let path): "\(path): a file of this name exists"
    case .busy(let path, _): "\(path): another program is writing to the store; try again when it is done"
    case .setting(let key, let reason): "\(key): \(reason)"
    case .gridMismatch(let path, let radius, let storeRadius):
      "\(path): the store's exploration radius is \(StoreSettings.text(storeRadius)) m, these cells are of "
        + "\(StoreSettings.text(radius)) m; import them into a store with that radius"
    case .noSuchSource(let path, let selector):
      "\(path): there is no source \(selector); name one by its number, its path, or the first eight digits or more "
        + "of its SHA-256 (roqua sources lists them)"
    case .ambiguousSource(let path, let selector, let ids):
      "\(path): \(selector) may be any of the sources \(ids.map(String.init).joined(separator: ", ")); name it by its number"
    case .recordingForgotten(let path, let id):
      "\(path): the recording, source \(id), was forgotten while it went on; start a new one"
    case .cannotWrite(let path, let reason): "\(path): the file was not written: \(reason)"
    case .notAnAppDatabase(let path, let reason):
      "\(path): no database of the Roqua app that can be adopted: \(reason)"
    case .sqlite(let path, let cause):
      "\(path): "
        + (cause.extendedCode & 0xFF == SQLITE_IOERR
          ? "the disk cannot be read or written; nothing of this step was stored; check the disk and try again: "
          : "")
        + cause.description
    }
  }
}
