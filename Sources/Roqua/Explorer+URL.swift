import Foundation
import GeoStore
import Geodesy

// The calls that name a file by its path, for code that has URLs of files. A URL of anything else
// is a programming error.
extension Explorer {
  /// Opens the store in a file, with the bundled places
  /// (``init(storePath:creating:isForRepair:)``).
  ///
  /// - Precondition: `storeURL` is the URL of a file.
  /// - Throws: `DatabaseError`, and `GeocodeError` where the bundled places cannot be read.
  public convenience init(
    storeURL: URL, creating: Bool = true, isForRepair: Bool = false
  ) throws {
    try self.init(storePath: storeURL.filePath, creating: creating, isForRepair: isForRepair)
  }

  /// Copies the store, as it is at this moment, into a file, while imports go on
  /// (``backup(to:replacing:progress:)``). Returns its bytes.
  ///
  /// - Precondition: `url` is the URL of a file.
  @discardableResult
  public func backup(to url: URL, replacing isReplacing: Bool = false) async throws -> Int {
    try await backup(to: url.filePath, replacing: isReplacing)
  }

  /// Writes the visited regions to a database of the Roqua app
  /// (``exportAppDatabase(to:replacing:progress:)``).
  ///
  /// - Precondition: `url` is the URL of a file.
  /// - Throws: `CancellationError`, `DatabaseError`; then there is no new file.
  @discardableResult
  public func exportAppDatabase(
    to url: URL, replacing isReplacing: Bool = false
  ) async throws -> AppDatabaseExport {
    try await exportAppDatabase(to: url.filePath, replacing: isReplacing)
  }

  /// Writes what is explored, or what of it lies in a box, to a coverage file
  /// (``exportCoverage(to:in:replacing:)``).
  ///
  /// - Precondition: `url` is the URL of a file.
  public func exportCoverage(
    to url: URL, in box: BoundingBox? = nil, replacing isReplacing: Bool = false
  ) throws -> CoverageExport {
    try exportCoverage(to: url.filePath, in: box, replacing: isReplacing)
  }
}

extension CoverageFile {
  /// Reads a coverage file, and checks all of it (``init(path:)``).
  ///
  /// - Precondition: `url` is the URL of a file.
  public init(url: URL) throws { try self.init(path: url.filePath) }
}

extension URL {
  /// The path of a file, without percent signs.
  var filePath: String {
    precondition(isFileURL, "a store, track or output is a file, not \(self)")
    return path(percentEncoded: false)
  }
}
