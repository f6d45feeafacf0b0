/// Random bits whose whole state is a seed: the same numbers on every machine, so that a failing
/// test names its seed and a rerun repeats it.
///
/// The one generator of tests, of `roqua bench` and, by a symbolic link, of `Benchmarks`, which is
/// a package of its own.
///
/// - Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
///   OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  /// A generator that always gives the same numbers for the same seed.
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
