@_exported import SeededRandom

/// The seeds that property tests run over.
public enum Seeds {
  /// `count` seeds, 1, 2, 3 …: small numbers read well in a failure.
  public static func sample(_ count: UInt64) -> [UInt64] { Array(1...count) }
}
