import ByteStreams
import Foundation
import GeoStore
import Geocode

// Variants that take a file URL instead of a path. A URL of any other kind is a programming error.
extension Explorer {
  /// Opens the store in a file, with the bundled geodata
  /// (``init(storePath:creating:isForRepair:savesMemory:durability:profileID:)``).
  ///
  /// This blocks. Open the explorer in a detached task, not on the main actor.
  ///
  /// - Precondition: `storeURL` is a file URL.
  /// - Throws: `DatabaseError`, or `GeocodeError` if the bundled geodata cannot be read.
  public convenience init(
    storeURL: URL, creating: Bool = true, isForRepair: Bool = false, savesMemory: Bool = false,
    durability: Durability = .normal, profileID: String? = nil
  ) throws {
    try self.init(
      storePath: storeURL.filePath, creating: creating, isForRepair: isForRepair,
      savesMemory: savesMemory, durability: durability, profileID: profileID)
  }
}

extension AdoptRequest {
  /// Creates a request for the app's database, and its lists if given.
  ///
  /// - Precondition: the URLs are file URLs.
  public init(database: URL, exploredCircles: URL? = nil, gridHashes: URL? = nil) {
    self.init(
      database: database.filePath, exploredCircles: exploredCircles?.filePath,
      gridHashes: gridHashes?.filePath)
  }

  /// Creates a request for the app's list of explored circles, and its list of grid hashes if
  /// given.
  ///
  /// - Precondition: the URLs are file URLs.
  public init(exploredCircles: URL, gridHashes: URL? = nil) {
    self.init(
      database: nil, exploredCircles: exploredCircles.filePath, gridHashes: gridHashes?.filePath)
  }

  /// Creates a request for the app's list of grid hashes.
  ///
  /// - Precondition: `gridHashes` is a file URL.
  public init(gridHashes: URL) {
    self.init(database: nil, exploredCircles: nil, gridHashes: gridHashes.filePath)
  }
}

extension Geocoder {
  /// Opens the geocoder with the files of a folder (`init(contentsOfFolder:)`).
  ///
  /// - Precondition: `folder` is a file URL.
  /// - Throws: `GeocodeError`.
  public init(contentsOf folder: URL) throws(GeocodeError) {
    try self.init(contentsOfFolder: folder.filePath)
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
