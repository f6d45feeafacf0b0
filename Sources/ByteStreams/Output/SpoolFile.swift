import Foundation

/// A temporary file without a name: bytes that are appended once and read back in any order.
///
/// Its name is removed as soon as it is open, so the system deletes it when its object is released
/// and also when the process is killed. It is in the folder of temporary files (`$TMPDIR`, else
/// `/tmp`), and only its owner could open it.
package final class SpoolFile {
  private static let name = "spool"
  private let folder: String
  private let descriptor: Int32
  /// The number of bytes appended.
  private(set) package var count = 0

  /// Creates an empty file.
  ///
  /// - Parameter kind: the beginning of the name of the folder that contains it while it is opened.
  /// - Throws: ``FileFailure``; nothing remains then.
  package init(kind: String) throws(FileFailure) {
    let scratch = try ScratchFolder(kind: kind, for: [Self.name])
    let path = FilePath(scratch.path).appending(Self.name)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    folder = FilePath(scratch.path).folder
    guard descriptor >= 0 else { throw FileFailure(path: folder, code: errno) }
    // Releasing the folder removes the name.
    withExtendedLifetime(scratch) {}
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends bytes.
  ///
  /// - Throws: ``FileFailure`` of the folder of temporary files, for example if its disk is full.
  package func append(_ bytes: [UInt8]) throws(FileFailure) {
    let code = FilePath.write(bytes, to: descriptor)
    guard code == 0 else { throw FileFailure(path: folder, code: code) }
    count += bytes.count
  }

  /// Reads bytes that were appended.
  ///
  /// - Parameters:
  ///   - offset: the place of the first one.
  ///   - buffer: receives as many bytes as it has room for.
  /// - Throws: ``FileFailure``, also if there are fewer bytes.
  package func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      // Sound: `pread` writes at most `rest.count` bytes and keeps no pointer.
      let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileFailure(path: folder, code: count < 0 ? errno : EIO) }
      done += count
    }
  }
}
