/// The limits of what is remembered of a KML file at once, besides ``XMLLimits``.
enum KMLLimits {
  /// The most memory for the times of a track that come before its positions, in bytes. A time
  /// takes a byte at a constant interval and two or three at others, so a track may have 16 million
  /// and more.
  static let timeBytes = 32 << 20
  /// The number of positions of a track that may come before their times. A position takes 24
  /// bytes, and half as many more wait for the memory to be moved.
  static let positions = 1 << 19
}
