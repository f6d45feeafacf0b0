/// The limits of what is remembered of a FIT file at once. The format itself bounds every message,
/// so that no file can make them larger.
enum FITLimits {
  /// The number of local types, each with one definition: 4 bits in a message's header.
  static let localTypes = 16
  /// The bytes that are read ahead to see whether a file ends: a checksum and the shortest header.
  static let lookahead = 16
  /// The smallest header: size, versions, length of the data, ".FIT".
  static let shortestHeader = 12
  /// A header with a checksum of its own.
  static let headerWithChecksum = 14
}
