/// The limits of what is remembered of a GeoJSON file at once.
enum GeoJSONLimits {
  /// The number of positions of one feature that wait for its type, times and accuracies: half a
  /// million, or six days of one a second, in 20 MB. A feature with more is read without times.
  static let waitingPositions = 1 << 19
}
