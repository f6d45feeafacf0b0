import ByteStreams
import GeoStore
import SQLiteLayer

/// An export that is a folder. Its files are made in a folder next to the one that was asked for,
/// which gets its name once all are complete.
enum FolderExport {
  /// Writes a folder.
  ///
  /// - Parameters:
  ///   - path: its path, which does not exist or is an empty folder.
  ///   - write: writes the files, knowing the path without a slash at its end for errors.
  /// - Throws: `DatabaseError.cannotWrite(path:reason:)`, and any error that `write` throws; then
  ///   there is no folder.
  static func write(
    to path: String,
    _ write: (_ folder: PartialFolder, _ target: String) throws -> ExportReport
  ) throws -> ExportReport {
    guard path != "-" else {
      throw DatabaseError.cannotWrite(
        path: path, reason: "a folder cannot be written to standard output")
    }
    let target = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
    do {
      let folder = try PartialFolder(for: target)
      let report = try write(folder, target)
      try folder.finish()
      return report
    } catch let failure as OutputFailure {
      let reason =
        switch failure {
        case .exists: "it is not a folder"
        case .failed(let failure): failure.reason
        }
      throw DatabaseError.cannotWrite(path: path, reason: reason)
    }
  }
}
