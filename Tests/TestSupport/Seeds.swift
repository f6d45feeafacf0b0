@_exported import SeededRandom

/// The seeds of property tests.
public enum Seeds {
  /// Returns the seeds 1 to `count`: small numbers are easy to read in a failure.
  public static func sample(_ count: UInt64) -> [UInt64] { Array(1...count) }
}
