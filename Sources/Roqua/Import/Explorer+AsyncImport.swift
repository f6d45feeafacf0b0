import Foundation
import GeoStore

extension Explorer {
  /// Imports the tracks in files and folders on a separate thread. Each file is imported as a whole
  /// or not at all.
  ///
  /// When the task is canceled, the import stops within a fifth of a second, unless it waits for
  /// another writer of the store. Files that were finished remain in the store, and the report so
  /// far is returned with ``ImportReport/isCancelled``.
  ///
  /// - Parameters:
  ///   - urls: the files and folders.
  ///   - options: options beyond the store's settings.
  ///   - meter: counts the progress of the import (``ImportMeter/readings(every:)``).
  /// - Throws: `DatabaseError` if the store cannot be read at the start.
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
      // Canceling must not discard the report, so the thread ignores its own cancellation.
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
