/// The best of the places that were offered: the one with the smallest score, and among equal
/// scores the earliest.
///
/// The score and the place are one number: the place is in the low 24 bits of the score, of which
/// 28 bits of the significand are left. The better of two such numbers is the smaller one, so an
/// offer takes no branch. With branches, a search took twice as long, because nobody can predict
/// which of the places around a point is nearer.
///
/// - Guarantee: the score of ``place`` is at most 4e-9 of its value larger than the smallest.
struct BestPlace {
  /// A number that no place has: a file has fewer than 2^24 places.
  private static let noPlace: UInt64 = 0xFF_FFFF

  /// The score with the place in its low bits. Not less than ``score``.
  private(set) var ranked: Double

  /// Nothing yet; offers with a higher score than `limit`, which is positive, are ignored.
  @inline(__always)
  init(limit: Double) {
    ranked = Double(bitPattern: limit.bitPattern | Self.noPlace)
  }

  /// The number of the place, or -1 if there is none.
  @inline(__always)
  var place: Int {
    let number = ranked.bitPattern & Self.noPlace
    return number == Self.noPlace ? -1 : Int(number)
  }

  /// The score of the place, to 28 bits; infinite if there is none.
  @inline(__always)
  var score: Double {
    place < 0 ? .infinity : Double(bitPattern: ranked.bitPattern & ~Self.noPlace)
  }

  /// Offers a place. The score is not negative; an infinite one or one that is not a number is
  /// ignored.
  @inline(__always)
  mutating func offer(_ place: Int, _ score: Double, unless isExcluded: Bool = false) {
    // With all bits of the exponent set it is not a number, and not less than any.
    let excluded = isExcluded ? Double.infinity.bitPattern : 0
    let offered = Double(
      bitPattern: score.bitPattern & ~Self.noPlace | UInt64(truncatingIfNeeded: place) | excluded)
    ranked = offered < ranked ? offered : ranked
  }
}
