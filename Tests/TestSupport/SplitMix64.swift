/// A small generator of random numbers whose whole state is its seed, so that a failing test names
/// the seed and a rerun repeats it.
///
/// - Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator that always gives the same numbers for the same seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

/// The seeds that property tests run over.
public enum Seeds {
  /// `count` seeds, 1, 2, 3 …: small numbers read well in a failure.
  public static func sample(_ count: UInt64) -> [UInt64] { Array(1...count) }
}
