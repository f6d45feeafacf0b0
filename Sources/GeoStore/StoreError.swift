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
  /// The file or its folder may not be written.
  case readOnly(path: String, cause: SQLiteFailure? = nil)
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
  /// A backup cannot be written to this path.
  case cannotBackUp(path: String, reason: String)
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
      .diskFull(_, let cause), .readOnly(_, let cause), .busy(_, let cause):
      cause
    case .sqlite(_, let cause): cause
    case .missing, .otherProgram, .newerVersion, .setting, .gridMismatch, .noSuchSource, .ambiguousSource,
      .recordingForgotten, .cannotBackUp, .notAnAppDatabase:
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
    case .readOnly(let path, _): "\(path): the store or its folder cannot be written; check their permissions"
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
    case .cannotBackUp(let path, let reason): "\(path): the backup was not written: \(reason)"
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
