import ByteStreams
import Foundation

extension SyncHome {
  /// The number of backups of a device that are kept if nobody set another one.
  package static let keptBackups = 5
  private var limitPath: String { path + "/backups.keep" }
  private var ownPath: String { path + "/backups.own" }

  /// The codes of the backups that this device made.
  func ownBackups() -> [FileName] {
    guard let bytes = try? FilePath(ownPath).contents() else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap {
      FileName(hexadecimal: $0)
    }
  }

  /// Notes the backups that this device made.
  func keep(ownBackups names: [FileName]) throws {
    let file = try OutputFile(path: ownPath, replacing: true)
    _ = file.write(Array(names.map { "\($0)\n" }.joined().utf8))
    try file.finish()
  }

  /// The number of backups of this device that are kept.
  ///
  /// - Throws: ``BackupError/damagedLimit(path:)``.
  package func backupLimit() throws(BackupError) -> Int {
    guard access(limitPath, F_OK) == 0 else { return Self.keptBackups }
    guard let bytes = try? FilePath(limitPath).contents(),
      let number = Int(
        String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)),
      number > 0
    else { throw .damagedLimit(path: limitPath) }
    return number
  }

  /// Sets the number of backups of this device that are kept.
  ///
  /// - Precondition: the number is positive.
  package func keep(backupLimit number: Int) throws {
    precondition(number > 0, "the last backup is always kept")
    let file = try OutputFile(path: limitPath, replacing: true)
    _ = file.write(Array("\(number)\n".utf8))
    try file.finish()
  }
}
