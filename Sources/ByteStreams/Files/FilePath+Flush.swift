import Foundation

extension FilePath {
  /// Writes the names in a folder to the disk, so that a file that was made, moved or removed there
  /// is so even after a power cut. Errors are ignored: some file systems cannot do that, and a
  /// folder that is gone has no names.
  ///
  /// It follows symbolic links. Code that must not follow them has the folder open, and calls
  /// `fsync` itself.
  package static func flush(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}
