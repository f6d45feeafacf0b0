import ByteStreams
import Foundation
import SQLiteLayer

/// Bytes that are written first and read once, in a temporary file that no other user can read. Not
/// `Sendable`.
///
/// - Memory: 1 MiB.
final class TileSpool {
  private static let name = "tiles"
  private static let pieceBytes = 1 << 20

  private let folder: ScratchFolder
  private let descriptor: Int32
  private let target: String
  private var piece: [UInt8] = []
  private var failure: Int32 = 0

  /// - Parameter target: the path of the output, for messages.
  init(for target: String) throws(DatabaseError) {
    self.target = target
    do {
      folder = try ScratchFolder(kind: "roqua-tiles", for: [Self.name])
    } catch {
      throw .cannotWrite(path: target, reason: "no temporary folder: \(error.reason)")
    }
    let path = FilePath(folder.path).appending(Self.name)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { failure = errno }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends bytes. ``forEachPiece(_:)`` reports a failure.
  func append(_ bytes: [UInt8]) {
    piece += bytes
    if piece.count >= Self.pieceBytes { flush() }
  }

  /// Calls `body` with all bytes in order, in pieces; `body` returns false to stop.
  ///
  /// - Throws: ``DatabaseError/cannotWrite(path:reason:)`` if the temporary file could not be
  ///   written or read.
  func forEachPiece(_ body: ([UInt8]) -> Bool) throws(DatabaseError) {
    flush()
    var offset = 0
    while failure == 0 {
      var count = 0
      // Sound: `pread` writes at most `room.count` bytes, and as many count as initialized.
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { room, used in
        count = pread(descriptor, room.baseAddress, room.count, off_t(offset))
        if count < 0 { failure = errno }
        used = max(0, count)
      }
      if count < 0, failure == EINTR {
        failure = 0
        continue
      }
      if count <= 0 || !body(bytes) { break }
      offset += count
    }
    guard failure == 0 else {
      throw .cannotWrite(
        path: target, reason: "a temporary file failed: \(String(cString: strerror(failure)))")
    }
  }

  private func flush() {
    piece.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while failure == 0, !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Foundation.write(descriptor, part.baseAddress, part.count)
        if count < 0, errno == EINTR { continue }
        if count < 0 { failure = errno } else { rest = rest.dropFirst(count) }
      }
    }
    piece.removeAll(keepingCapacity: true)
  }
}
