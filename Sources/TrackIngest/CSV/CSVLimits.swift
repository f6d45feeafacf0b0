/// The limits of what is remembered of a table at once.
enum CSVLimits {
  /// The longest row that is read, in bytes: with room for comments and long addresses.
  static let rowBytes = 16_384
  /// The largest number of columns.
  static let columns = 512
  /// The longest name of a person, device or track that is compared, in bytes.
  static let trackNameBytes = 64
}
