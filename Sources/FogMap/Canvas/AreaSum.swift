/// Adds up which part of each pixel shapes cover: exactly, from the signed area between each edge
/// and the right side of the picture. Not `Sendable`; each thread has its own.
///
/// Edges go counterclockwise around what is covered, as seen with row 0 above: down its left side
/// and up its right side. Where shapes overlap, their shares add up. x grows to the right and y
/// downwards, in pixels.
///
/// - Complexity: O(pixels that an edge touches) for each edge.
package final class AreaSum {
  /// The columns of pixels.
  package let width: Int
  /// The rows of pixels.
  package let height: Int
  /// For each pixel, how much its share differs from that of the pixel to its left. Each row has
  /// one more, for what ends at the right side. Allocated in `init` and freed in `deinit`; every
  /// index used is within `height` rows of `stride`, since edges are clipped to the picture.
  private let changes: UnsafeMutablePointer<Double>
  private let stride: Int
  /// The columns of each row that have changed; empty rows have no lower one.
  private var touched: [Range<Int>]

  /// Creates a sum over `width` × `height` pixels, at least one each.
  package init(width: Int, height: Int) {
    (self.width, self.height) = (max(1, width), max(1, height))
    stride = self.width + 2
    // Sound: freed in `deinit`, and initialized here.
    changes = .allocate(capacity: stride * self.height)
    changes.initialize(repeating: 0, count: stride * self.height)
    touched = [Range<Int>](repeating: 0..<0, count: self.height)
  }

  deinit { changes.deallocate() }

  /// Removes all shapes.
  package func removeAll() {
    for row in 0..<height where !touched[row].isEmpty {
      let columns = touched[row]
      // Sound: columns that were touched lie in the row.
      (changes + row * stride + columns.lowerBound).update(repeating: 0, count: columns.count)
      touched[row] = 0..<0
    }
  }

  /// Whether nothing was added to a row.
  package func isEmpty(row: Int) -> Bool { touched[row].isEmpty }

  // MARK: - Edges

  /// Adds an edge. Parts above and below the picture count for nothing, nor do those to its right;
  /// those to its left count at its left side.
  @inline(__always)
  package func addEdge(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) {
    // A flat edge covers nothing. One of less than 1e-12 pixels has no slope worth computing.
    guard abs(y1 - y0) >= 1e-12, max(y0, y1) > 0, min(y0, y1) < Double(height),
      abs(x0) + abs(x1) + abs(y0) + abs(y1) < 1e12
    else { return }
    let sign = y0 < y1 ? 1.0 : -1.0
    var (x, y, endX, endY) = y0 < y1 ? (x0, y0, x1, y1) : (x1, y1, x0, y0)
    let slope = (endX - x) / (endY - y)
    if y < 0 { (x, y) = (x - y * slope, 0) }
    if endY > Double(height) {
      (endX, endY) = (endX - (endY - Double(height)) * slope, Double(height))
    }
    addClipped(x, y, endX, endY, sign: sign)
  }

  /// Adds an edge that lies between the top and the bottom and goes down.
  private func addClipped(
    _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, sign: Double
  ) {
    let right = Double(width)
    if x0 >= right, x1 >= right { return }
    if x0 <= 0, x1 <= 0 { return addInside(0, y0, 0, y1, sign: sign) }
    if min(x0, x1) >= 0, max(x0, x1) <= right {
      return addInside(x0, y0, x1, y1, sign: sign)
    }
    // The pieces to the left of the picture and to its right count separately.
    let side = min(x0, x1) < 0 ? 0 : right
    let y = max(y0, min(y1, y0 + (side - x0) / (x1 - x0) * (y1 - y0)))
    addClipped(x0, y0, side, y, sign: sign)
    addClipped(side, y, x1, y1, sign: sign)
  }

  private func addInside(
    _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, sign: Double
  ) {
    guard y1 > y0 else { return }
    let slope = (x1 - x0) / (y1 - y0)
    var (x, y) = (x0, y0)
    var row = min(height - 1, Int(y0))
    while true {
      let isLast = y1 <= Double(row + 1)
      let bottom = isLast ? y1 : Double(row + 1)
      let endX = isLast ? x1 : max(0, min(Double(width), x0 + (bottom - y0) * slope))
      addInRow(row, from: x, to: endX, height: (bottom - y) * sign)
      if isLast || row + 1 == height { return }
      (x, y) = (endX, bottom)
      row += 1
    }
  }

  /// Adds an edge within a row, from 0 to the width.
  @inline(__always)
  private func addInRow(_ row: Int, from start: Double, to end: Double, height: Double) {
    let (left, right) = start < end ? (start, end) : (end, start)
    let first = min(width, Int(left))
    let last = min(width, Int(right))
    // Sound: a row has `width` + 2 numbers.
    let base = changes + row * stride
    if first == last {
      let part = (left + right) / 2 - Double(first)
      base[first] += height * (1 - part)
      base[first + 1] += height * part
    } else {
      // The edge passes each column in a part of its height, and covers a trapezoid of it.
      let perColumn = height / (right - left)
      var (edge, covered) = (left, 0.0)
      for column in first...last {
        let next = min(right, Double(column + 1))
        let part = (next - edge) * perColumn
        let middle = (edge + next) / 2 - Double(column)
        base[column] += part * (1 - middle)
        base[column + 1] += part * middle
        covered += part
        edge = next
      }
      base[last] += height - covered
    }
    touch(row, first, last + 2)
  }

  /// Adds a part of one pixel.
  ///
  /// - Precondition: the pixel is in the picture.
  @inline(__always)
  package func add(_ share: Double, column: Int, row: Int) {
    precondition(0..<width ~= column && 0..<height ~= row, "a pixel of another picture")
    // Sound: checked above; a row has `width` + 2 numbers.
    let base = changes + row * stride + column
    base[0] += share
    base[1] -= share
    touch(row, column, column + 2)
  }

  @inline(__always)
  private func touch(_ row: Int, _ first: Int, _ end: Int) {
    let columns = touched[row]
    if columns.isEmpty {
      touched[row] = first..<end
    } else if first < columns.lowerBound || end > columns.upperBound {
      touched[row] = min(first, columns.lowerBound)..<max(end, columns.upperBound)
    }
  }

  // MARK: - Results

  /// Writes a row's shares as bytes (``ShareSum/byte(_:)``); shares beyond 0...1 count as 0 or 1.
  ///
  /// - Returns: the columns outside of which all bytes are as they were before: `bytes` must have
  ///   `width` zeros.
  package func write(row: Int, to bytes: UnsafeMutableBufferPointer<UInt8>) -> Range<Int> {
    precondition(bytes.count >= width, "a row of another picture")
    let columns = touched[row]
    if columns.isEmpty { return 0..<0 }
    // Sound: as in `addInRow`.
    let base = changes + row * stride
    var sum = 0.0
    for column in columns.lowerBound..<min(columns.upperBound, width) {
      sum += base[column]
      bytes[column] = sum < 1e-9 ? 0 : ShareSum.byte(sum)
    }
    // What goes on to the right side.
    let end = min(columns.upperBound, width)
    if end < width, sum >= 1e-9 {
      let rest = ShareSum.byte(sum)
      for column in end..<width { bytes[column] = rest }
      return columns.lowerBound..<width
    }
    return columns.lowerBound..<end
  }
}
