import Foundation
import GeoStore

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
}

extension CoverageFile {
  /// Reads a file. Bytes are checked as they arrive; reading ends at the first invalid byte.
  ///
  /// - Precondition: `url` is a file URL.
  /// - Throws: ``ExplorerError/file(path:reason:)`` if the file cannot be read or is larger than
  ///   256 MiB; ``ExplorerError/coverageFile(path:_:)`` if it is not a coverage file or is damaged.
  ///   Every tile is checked.
  public init(url: URL) throws { try self.init(path: url.filePath) }
}
