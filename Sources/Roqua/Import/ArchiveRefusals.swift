/// The refused files in one archive, of which a report lists only the first: an archive may hold a
/// million of them, and the memory of a report must not grow with it.
struct ArchiveRefusals: Sendable {
  /// The number of refused files of an archive that are listed.
  static let listedAtMost = 1_000

  /// The path of the archive.
  let archive: String
  /// The number of all of them.
  private(set) var count = 0
  /// The bytes that were read of those that are not listed.
  private(set) var unlistedBytes = 0

  /// Creates the refusals of an archive, none at first.
  init(archive: String) { self.archive = archive }

  /// The number of those that are not listed.
  var unlisted: Int { max(0, count - Self.listedAtMost) }

  /// Counts a refused file.
  ///
  /// - Parameter bytes: the number of its bytes that were read.
  /// - Returns: true if it is to be listed.
  mutating func add(bytes: Int) -> Bool {
    count += 1
    guard unlisted > 0 else { return true }
    unlistedBytes += bytes
    return false
  }
}
