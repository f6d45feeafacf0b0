/// The Hilbert curve: it visits every cell of a square, and cells that are close on the curve are
/// close in the square.
enum HilbertCurve {
  /// Returns the place of a cell on the curve of a square of 2^`bits` cells a side.
  ///
  /// The square is divided into quarters, `bits` times; the curve in a quarter is the whole curve,
  /// mirrored in two of them.
  ///
  /// - Source: D. Hilbert, "Über die stetige Abbildung einer Linie auf ein Flächenstück", 1891.
  /// - Complexity: O(bits).
  static func place(x: UInt32, y: UInt32, bits: Int) -> UInt64 {
    var (x, y, place) = (x, y, UInt64(0))
    for bit in stride(from: bits - 1, through: 0, by: -1) {
      let (right, top) = (x >> UInt32(bit) & 1, y >> UInt32(bit) & 1)
      place = place << 2 | UInt64(3 * right ^ top)
      // The lower quarters: the curve is mirrored in a diagonal. Only lower bits count from here.
      if top == 0 {
        if right == 1 { (x, y) = (~x, ~y) }
        swap(&x, &y)
      }
    }
    return place
  }
}
