import ByteStreams
import GeoExport
import SQLiteLayer

/// The file that an export writes, and the writer of its format.
final class ExportTarget {
  /// The writer.
  let writer: any LayerWriter
  private let file: DatabaseOutput
  private let path: String
  /// The bytes of a stream; nil for a database.
  private let stream: ExportStream?

  init(
    path: String, _ format: ExportOptions.Format, keeping files: [FileIdentity: String],
    replacing isReplacing: Bool
  ) throws(DatabaseError) {
    self.path = path
    if path == "-", !format.isStreamable {
      throw .cannotWrite(path: path, reason: "this format cannot be written to standard output")
    }
    let file = try DatabaseOutput(path: path, keeping: files, replacing: isReplacing)
    self.file = file
    let stream = ExportStream { file.write($0) }
    self.stream = stream
    do throws(ExportFailure) {
      writer = try Self.writer(format, to: stream)
    } catch {
      throw .cannotWrite(path: path, reason: "there is not enough memory")
    }
  }

  private static func writer(
    _ format: ExportOptions.Format, to stream: ExportStream
  ) throws(ExportFailure) -> any LayerWriter {
    throw .failed(reason: "")
  }

  /// Completes the file.
  ///
  /// - Returns: its size in bytes.
  func finish() throws(DatabaseError) -> Int {
    if let stream {
      do throws(ExportFailure) { try stream.flush() } catch { throw self.error(for: error) }
    }
    try file.finish()
    return stream?.count ?? 0
  }

  /// The error that a caller gets for one of the writer.
  func error(for failure: ExportFailure) -> DatabaseError {
    switch failure {
    case .refused:
      // The file knows why it refused bytes.
      do throws(DatabaseError) { try file.finish() } catch { return error }
      return .cannotWrite(path: path, reason: "it cannot be written")
    case .failed(let reason): return .cannotWrite(path: path, reason: reason)
    case .canceled: return .interrupted(path: path)
    }
  }
}
