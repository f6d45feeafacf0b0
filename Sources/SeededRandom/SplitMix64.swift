/// A random number generator whose whole state is its seed. It gives the same numbers on every
/// machine, so a failing test can name its seed and a rerun repeats it.
///
/// This generator is used by tests, by `roqua bench` and, through a symbolic link, by `Benchmarks`,
/// which is a separate package.
///
/// - Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
///   OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  /// Creates a generator that always gives the same numbers for the same seed.
  @inlinable public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  @inlinable public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
