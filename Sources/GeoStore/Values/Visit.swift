import Geodesy

/// One stay in a region: the first and the last fix time of it.
public struct Visit: Hashable, Sendable {
  /// First fix time.
  public var start: Timestamp
  /// Last fix time, not before the first.
  public var end: Timestamp

  /// A stay from one time to another.
  package init(start: Timestamp, end: Timestamp) {
    self.start = start
    self.end = end
  }
}
