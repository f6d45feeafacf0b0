import AgeFile
import ByteStreams
import GeoStore
import Geocode
import PostgresPush
import Profiles
import Roqua
import SQLiteLayer
import StoreLock
import StoreSync

/// Errors of the libraries as the tool reports them: the library says what went wrong, the tool
/// adds what a person can do about it in terms of its commands and options.
enum ErrorAdvice {
  /// One line for an error of a library; nil for any other.
  static func line(_ error: any Error) -> String? {
    switch error {
    case let error as DatabaseError: error.description + advice(error)
    case let error as StoreError: error.description + advice(error)
    case let error as ProfileError: error.description + advice(error)
    case let error as LockError: error.description + advice(error)
    case let error as ExplorerError: error.description
    case let error as GeocodeError:
      "the bundled geodata cannot be read (\(reason(error))); reinstall Roqua"
    case let error as SharingError: error.description + advice(error)
    case let error as BackupError: error.description + advice(error)
    case let error as PostgresError: error.description + advice(error)
    case is SyncDirectoryError, is DeviceKeyFile.Problem, is SyncFileError, is SyncFormatError,
      is AgeError:
      clause("\(error)")
    default: nil
    }
  }

  /// Whether nothing, or more than one thing, has a name or number that was given, or a new name is
  /// taken: wrong usage, as for the name of a place (`PlaceNameError`).
  static func isWrongUsage(_ error: any Error) -> Bool {
    switch error {
    case StoreError.noSuchSource, StoreError.ambiguousSource, StoreError.noSuchZone,
      ProfileError.noSuchProfile, ProfileError.ambiguous, ProfileError.noSuchErasedProfile,
      PostgresError.unknownPerson, SharingError.noSuchDevice,
      SharingError.severalDevices, SharingError.nameTaken, BackupError.notFound(.some),
      BackupError.ambiguous:
      true
    default: false
    }
  }

  /// A sentence after the name of a file, as the other errors have it.
  private static func clause(_ sentence: String) -> String {
    guard let colon = sentence.range(of: ": ") else { return sentence }
    let rest = sentence[colon.upperBound...]
    let text = sentence[..<colon.upperBound] + rest.prefix(1).lowercased() + rest.dropFirst()
    return String(text.hasSuffix(".") ? text.dropLast() : text[...])
  }

  private static func advice(_ refusal: SharingError) -> String {
    switch refusal {
    case .notAMember(_, let key): "; run there: roqua sync add \(key) --name NAME"
    case .severalFolders: " with --fingerprint"
    case .noSuchDevice: "; roqua sync status lists them"
    case .emptied(let path): "; to fill it again, name it: roqua sync \(path)"
    case .notRead: "; wait until it is there, or remove the device with --force"
    case .otherFingerprint: "; roqua sync status shows it on a device of the folder"
    case .removed, .newerKeys, .removedKey, .recoveryKeyReplaced, .contradictory, .otherFolder,
      .keyFolder, .busy, .empty, .severalDevices, .nameTaken, .otherRecoveryKey:
      ""
    }
  }

  private static func advice(_ error: PostgresError) -> String {
    switch error {
    case .passwordInAddress, .passwordNeeded: "; set PGPASSWORD, or put it into ~/.pgpass"
    case .noPostGIS: "; its administrator can add it: CREATE EXTENSION postgis"
    case .otherVersion(let found, let supported):
      found > supported ? "; update Roqua" : "; push with the older program, or drop the tables"
    case .noTables: "; roqua push makes them"
    case .otherSources:
      "; roqua sync brings them here, or roqua push --replace deletes them there"
    case .deletedElsewhere:
      "; roqua sync deletes them here, or roqua push --replace sends them again"
    case .damaged(let table, _) where !table.hasPrefix("roqua."): "; roqua check says more"
    case .damaged: "; DELETE FROM roqua.pieces makes the next push with --replace write it again"
    case .storeNotEmpty: "; give a new file with --store"
    case .unavailable, .badAddress, .cannotConnect, .connectionLost, .refused, .unknownPerson,
      .nameTaken:
      ""
    }
  }

  private static func advice(_ error: BackupError) -> String {
    switch error {
    case .notFound, .ambiguous: "; roqua backup --list shows the backups"
    case .incomplete, .different: "; the store is unchanged (roqua backup --verify)"
    case .cannotReplace: "; the store is unchanged"
    case .damagedLimit: "; state the number of backups with --keep"
    case .busy, .nothingKept: ""
    }
  }

  private static func advice(_ error: ProfileError) -> String {
    switch error {
    case .damaged: "; roqua profile repair restores it"
    case .unsynced: "; run roqua sync first, or erase without --now to keep the data for 24 hours"
    default: ""
    }
  }

  private static func advice(_ error: LockError) -> String {
    if case .noMemory = error { "; unlock without --memory" } else { "" }
  }

  private static func reason(_ error: GeocodeError) -> String {
    switch error {
    case .unreadable(let path, let code): "\(path): \(FileFailure(path: path, code: code).reason)"
    case .unsupportedVersion(let kind, _): "\(kind.fileName) has a version of another Roqua"
    case .wrongKind(let kind, _): "\(kind.fileName) is another file"
    case .notGeodata(let kind), .wrongLength(let kind, _, _), .checksumMismatch(let kind),
      .damaged(let kind, _):
      "\(kind.fileName) is damaged"
    }
  }

  private static func advice(_ error: DatabaseError) -> String {
    switch error {
    case .missing: "; import a track first, or give another file with --store"
    case .locked: "; roqua unlock opens it"
    case .notADatabase, .otherProgram:
      "; give another file with --store (this one was not changed)"
    case .newerVersion: "; update Roqua"
    case .damaged: "; restore a backup, or import the tracks into a new store"
    case .fileExists: " (--force replaces it)"
    case .refused(_, .otherProfile):
      " than the selected one, so it was copied here; --store reads it all the same"
    case .alteredSchema: "; run roqua check, then roqua check --repair"
    default: ""
    }
  }

  private static func advice(_ error: StoreError) -> String {
    switch error {
    case .noSuchSource: " (roqua sources lists them)"
    default: ""
    }
  }
}
