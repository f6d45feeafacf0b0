import Geodesy

/// The backups of a folder.
package struct BackupCatalog: Sendable {
  /// One backup.
  package struct Entry: Hashable, Sendable {
    /// The file.
    package let path: SyncPath
    /// What it says.
    package let manifest: BackupManifest

    /// When it was written, in UTC: `2024-05-01T10:00:00.123Z`.
    package var date: String {
      Timestamp(millisecondsSince1970: manifest.writtenMilliseconds).iso8601
    }

    /// The size of its files in the folder, in bytes. Other backups and the devices may need some
    /// of them too.
    package var byteCount: UInt64 {
      manifest.files.values.reduce(0) { $0.addingReportingOverflow($1).partialValue }
    }

    /// Whether a person means this backup: by the beginning of its date, or by at least eight
    /// digits of its code.
    func isMeant(by selector: String) -> Bool {
      date.hasPrefix(selector.uppercased()) || BackupCatalog.isCode(selector, of: path)
    }
  }

  /// The backups that can be read, oldest first.
  package private(set) var entries: [Entry] = []
  /// The backups that cannot be read.
  package private(set) var problems: [BackupProblem] = []
  /// What the folder contains.
  let list: FileList
  /// Whether a backup is not there yet.
  package let isAwaiting: Bool

  /// Reads all backups of a folder.
  ///
  /// - Throws: what the folder throws when it is listed.
  package init(_ files: any SyncFiles) throws {
    list = try files.list()
    isAwaiting = list.isAwaitingBackup
    for path in list.sizes.keys where path.kind == .backup {
      do {
        entries.append(
          Entry(path: path, manifest: try BackupManifest(payload: files.payload(of: path))))
      } catch SyncFileError.olderKey {
        problems.append(BackupProblem(path, .olderKey))
      } catch {
        problems.append(BackupProblem(path, .damaged("\(error)")))
      }
    }
    entries.sort {
      ($0.manifest.writtenMilliseconds, $0.manifest.number, $0.path.name)
        < ($1.manifest.writtenMilliseconds, $1.manifest.number, $1.path.name)
    }
    problems.sort { $0.path.name < $1.path.name }
  }

  /// The backups of one device, oldest first whatever its clock said.
  package func entries(of device: DeviceName) -> [Entry] {
    entries.filter { $0.manifest.device == device }.sorted {
      ($0.manifest.number, $0.manifest.writtenMilliseconds)
        < ($1.manifest.number, $1.manifest.writtenMilliseconds)
    }
  }

  /// The newest backup: of each device the one of the highest number, since a clock may have been
  /// wrong, and of these the one of the latest date; nil if there is none.
  private var newest: Entry? {
    Set(entries.map(\.manifest.device)).compactMap { entries(of: $0).last }.max {
      ($0.manifest.writtenMilliseconds, $0.path.name)
        < ($1.manifest.writtenMilliseconds, $1.path.name)
    }
  }

  /// Returns the backup that a person means; without a selector the newest.
  ///
  /// - Parameter selector: the beginning of its date in UTC, such as `2024-05-01`, or at least
  ///   eight digits of its code.
  /// - Throws: ``BackupError/notFound(date:)`` or ``BackupError/ambiguous(date:found:)``.
  package func entry(_ selector: String?) throws(BackupError) -> Entry {
    guard let selector else {
      guard let newest else { throw .notFound(date: nil) }
      return newest
    }
    let found = entries.filter { $0.isMeant(by: selector) }
    guard let entry = found.first else { throw .notFound(date: selector) }
    guard found.count == 1 else {
      // Two of one moment differ in their codes.
      throw .ambiguous(
        date: selector,
        found: found.map { entry in
          found.count { $0.date == entry.date } > 1 ? entry.path.code : entry.date
        })
    }
    return entry
  }

  /// The path of a backup that cannot be read, by its code.
  func unreadable(_ selector: String) -> SyncPath? {
    let found = problems.map(\.path).filter { Self.isCode(selector, of: $0) }
    return found.count == 1 ? found.first : nil
  }

  private static func isCode(_ selector: String, of path: SyncPath) -> Bool {
    selector.utf8.count >= 8 && path.code.hasPrefix(selector.lowercased())
  }
}

extension SyncPath {
  /// The name without its ending, which names a backup for people if its date does not.
  package var code: String { String(name.dropLast(Self.ending.count)) }
}
