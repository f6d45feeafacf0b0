import Foundation
import GeoStore

extension Explorer {
  /// Imports the tracks in files and folders on a separate thread. Each file is imported as a whole
  /// or not at all.
  ///
  /// When the task is canceled, the import stops within a fifth of a second, also while it waits
  /// for another writer of the store. Files that were finished remain in the store, and the report
  /// so far is returned with ``ImportReport/isCancelled``.
  ///
  /// - Parameters:
  ///   - urls: the files and folders.
  ///   - options: options beyond the store's settings.
  ///   - meter: counts the progress of the import (``ImportMeter/readings(every:)``).
  /// - Throws: `DatabaseError` if the store cannot be read at the start.
  public func importTracks(
    at urls: [URL], options: ImportOptions = ImportOptions(), meter: ImportMeter? = nil
  ) async throws -> ImportReport {
    let paths = urls.map(\.filePath)
    let meter = meter ?? options.meter
    return try await Store.onThread(
      whenCancelled: {
        meter?.end()
        return .cancelled
      },
      { cancellation in
        var options = options
        options.cancellation = cancellation
        options.meter = meter
        return try self.importTracks(paths, options: options)
      })
  }
}
