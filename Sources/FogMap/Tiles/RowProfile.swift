/// How much of each pixel's width the explored cells of one row of cells cover, 0...1.
///
/// Not `Sendable`. Its memory is allocated in `init` and freed in `deinit`.
final class RowProfile {
  /// The pixels of a row.
  let side: Int
  /// The shares; zero outside ``range``.
  let shares: UnsafeMutablePointer<Double>  // freed in `deinit`
  /// The pixels that the cells touch.
  private(set) var range = 0..<0

  /// A profile without cells.
  init(side: Int) {
    self.side = side
    // Sound: freed in `deinit`; every index is within 0..<side.
    shares = .allocate(capacity: side)
    shares.initialize(repeating: 0, count: side)
  }

  deinit { shares.deallocate() }

  /// Prepares for another row.
  func removeAll() {
    for pixel in range { shares[pixel] = 0 }
    range = 0..<0
  }

  /// Adds explored cells from one pixel position to another, with 0 <= `start` < `end` <= `side`.
  @inline(__always)
  func add(from start: Double, to end: Double) {
    let (first, last) = (Int(start), Int(end))
    if first == last {
      shares[first] += end - start
    } else {
      shares[first] += Double(first + 1) - start
      for pixel in first + 1..<max(first + 1, last) { shares[pixel] += 1 }
      if last < side { shares[last] += end - Double(last) }
    }
    widen(first, min(last + 1, side))
  }

  /// Adds the share of one pixel.
  @inline(__always)
  func add(_ share: Double, at pixel: Int) {
    shares[pixel] += share
    widen(pixel, pixel + 1)
  }

  /// Adds a share of another profile of as many pixels.
  func add(_ share: Double, of other: RowProfile) {
    let (first, end) = (other.range.lowerBound, other.range.upperBound)
    if first == end { return }
    let (target, source) = (shares, other.shares)
    // Sound: `range` is within 0..<side, and the two profiles do not overlap.
    for pixel in first..<end { target[pixel] += share * source[pixel] }
    widen(first, end)
  }

  @inline(__always)
  private func widen(_ first: Int, _ end: Int) {
    range =
      range.isEmpty
      ? first..<end : min(range.lowerBound, first)..<max(range.upperBound, end)
  }
}
