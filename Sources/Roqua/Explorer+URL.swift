import Foundation
import GeoStore
import Geodesy

// Variants that take a file URL instead of a path. A URL of any other kind is a programming error.
extension Explorer {
  /// Opens the store in a file, with the bundled geodata
  /// (``init(storePath:creating:isForRepair:savesMemory:durability:profileID:)``).
  ///
  /// - Precondition: `storeURL` is a file URL.
  /// - Throws: `DatabaseError`, or `GeocodeError` if the bundled geodata cannot be read.
  public convenience init(
    storeURL: URL, creating: Bool = true, isForRepair: Bool = false, savesMemory: Bool = false,
    durability: Durability = .normal
  ) throws {
    try self.init(
      storePath: storeURL.filePath, creating: creating, isForRepair: isForRepair,
      savesMemory: savesMemory, durability: durability)
  }

  /// Copies the current state of the store to a file while imports continue
  /// (``backup(to:replacing:progress:)``). Returns the size of the file in bytes.
  ///
  /// - Precondition: `url` is a file URL.
  @discardableResult
  public func backup(to url: URL, replacing isReplacing: Bool = false) async throws -> Int {
    try await backup(to: url.filePath, replacing: isReplacing)
  }

  /// Exports the visited regions to a database of the Roqua app
  /// (``exportAppDatabase(to:replacing:progress:)``).
  ///
  /// - Precondition: `url` is a file URL.
  /// - Throws: `CancellationError` or `DatabaseError`; no new file is left behind.
  @discardableResult
  public func exportAppDatabase(
    to url: URL, replacing isReplacing: Bool = false
  ) async throws -> AppDatabaseExport {
    try await exportAppDatabase(to: url.filePath, replacing: isReplacing)
  }

  /// Writes the coverage, or its part in a box, to a coverage file, as
  /// `exportCoverage(to:in:of:replacing:)` does with a path.
  ///
  /// - Precondition: `url` is a file URL.
  public func exportCoverage(
    to url: URL, in box: BoundingBox? = nil, replacing isReplacing: Bool = false
  ) throws -> CoverageExport {
    try exportCoverage(to: url.filePath, in: box, replacing: isReplacing)
  }
}

extension CoverageFile {
  /// Reads and checks a coverage file (``init(path:)``).
  ///
  /// - Precondition: `url` is a file URL.
  public init(url: URL) throws { try self.init(path: url.filePath) }
}

extension URL {
  /// The path of a file URL, without percent encoding.
  var filePath: String {
    precondition(isFileURL, "a store, track or output is a file, not \(self)")
    return path(percentEncoded: false)
  }
}
