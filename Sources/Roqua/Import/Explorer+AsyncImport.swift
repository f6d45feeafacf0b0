import Foundation
import GeoStore

extension Explorer {
  /// Reads tracks from files and folders into the store, on a thread of its own, each file whole or
  /// not at all.
  ///
  /// Where the task is cancelled, the import stops within a fifth of a second, unless it waits for
  /// another writer of the store: files that were finished stay in the store, and the report so far
  /// is returned, with ``ImportReport/isCancelled``.
  ///
  /// - Parameters:
  ///   - urls: files and folders.
  ///   - options: what the import does beyond the store's settings.
  ///   - meter: counts how far the import is (``ImportMeter/readings(every:)``).
  /// - Throws: `DatabaseError` where the store cannot be read at the start.
  public func importTracks(
    at urls: [URL], options: ImportOptions = ImportOptions(), meter: ImportMeter? = nil
  ) async throws -> ImportReport {
    let cancellation = Cancellation()
    let request = {
      var options = options
      options.cancellation = cancellation
      options.meter = meter ?? options.meter
      return options
    }()
    let paths = urls.map(\.filePath)
    return try await withTaskCancellationHandler {
      // Cancelling must not throw away the report: the thread's own cancellation is not asked.
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Result { try self.importTracks(paths, options: request) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
