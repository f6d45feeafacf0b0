/// Softens the edge of the explored area: each share becomes a weighted mean of those around it.
///
/// Two means over a square of `box` pixels, one after the other, weigh the pixels like a pyramid. A
/// straight edge becomes a ramp of 2 × `box` - 1 pixels with its middle where the edge was.
struct SoftEdge {
  /// The pixels along each side of the square: odd, 1 for no change.
  let box: Int
  /// How far around a pixel others change it.
  var margin: Int { box - 1 }

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - ramp: the width of the ramp in pixels.
  ///   - limit: the largest margin.
  init(rampPixels ramp: Double, limit: Int) {
    let half = max(0, min(Double(limit / 2), ramp / 4))
    box = 2 * Int(half) + 1
  }

  /// The softened middle of a square of shares.
  ///
  /// - Parameters:
  ///   - shares: `side` + 2 × ``margin`` rows of as many shares.
  ///   - side: the rows and columns of the result.
  /// - Complexity: O(shares), whatever the box.
  func middle(of shares: [UInt8], side: Int) -> [UInt8] {
    let whole = side + 2 * margin
    precondition(shares.count == whole * whole, "the shares of another square")
    // Sums of box² bytes twice: at most 255 × 4096⁴, in 56 bits.
    var sums = shares.map { UInt64($0) }
    var length = whole
    for _ in 0..<2 {
      sums = summed(sums, rows: length, columns: length)
      length -= box - 1
    }
    let weight = UInt64(box * box) * UInt64(box * box)
    return sums.map { sum in
      // Only pixels that see nothing but fog stay foggy, and those that see none are clear.
      if sum == 0 { return 0 }
      if sum == 255 * weight { return 255 }
      return UInt8(max(1, min(254, (sum + weight / 2) / weight)))
    }
  }

  /// The sums over each `box` × `box` square, for the squares that lie inside.
  private func summed(_ values: [UInt64], rows: Int, columns: Int) -> [UInt64] {
    let width = columns - box + 1
    let height = rows - box + 1
    var across = [UInt64](repeating: 0, count: rows * width)
    for row in 0..<rows {
      var sum: UInt64 = 0
      for column in 0..<columns {
        sum += values[row * columns + column]
        guard column >= box - 1 else { continue }
        across[row * width + column - box + 1] = sum
        sum -= values[row * columns + column - box + 1]
      }
    }
    var down = [UInt64](repeating: 0, count: height * width)
    var sums = [UInt64](repeating: 0, count: width)
    for row in 0..<rows {
      for column in 0..<width {
        sums[column] += across[row * width + column]
        guard row >= box - 1 else { continue }
        down[(row - box + 1) * width + column] = sums[column]
        sums[column] -= across[(row - box + 1) * width + column]
      }
    }
    return down
  }
}
