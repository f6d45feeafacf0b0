import TestSupport
import Testing

@testable import FogMap

@Suite struct AreaSumTests {
  /// The part of a ring that lies in a pixel, by clipping the ring at each side of the pixel.
  private static func slowShare(_ ring: [PicturePoint], column: Int, row: Int) -> Double {
    let sides: [(PicturePoint, Double)] = [
      ([1, 0], Double(column)), ([-1, 0], -Double(column + 1)), ([0, 1], Double(row)),
      ([0, -1], -Double(row + 1)),
    ]
    var clipped = ring
    for (normal, least) in sides {
      func height(_ point: PicturePoint) -> Double { (point * normal).sum() - least }
      var next: [PicturePoint] = []
      for (index, end) in clipped.enumerated() {
        let start = clipped[index > 0 ? index - 1 : clipped.count - 1]
        if height(start) >= 0 { next.append(start) }
        if (height(start) < 0) != (height(end) < 0) {
          let share = height(start) / (height(start) - height(end))
          next.append(start + (end - start) * share)
        }
      }
      clipped = next
    }
    var doubled = 0.0
    for (index, end) in clipped.enumerated() {
      let start = clipped[index > 0 ? index - 1 : clipped.count - 1]
      doubled += start.y * end.x - start.x * end.y
    }
    return doubled / 2
  }

  private static func bytes(_ sum: AreaSum) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: sum.width * sum.height)
    for row in 0..<sum.height {
      bytes.withUnsafeMutableBufferPointer {
        _ = sum.write(
          row: row,
          to: UnsafeMutableBufferPointer(rebasing: $0[row * sum.width..<(row + 1) * sum.width]))
      }
    }
    return bytes
  }

  @Test(arguments: Seeds.sample(200))
  func `shares of a convex ring are those of clipping it to each pixel`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (width, height) = (
      Int.random(in: 1...9, using: &random), Int.random(in: 1...9, using: &random)
    )
    // Points on a circle, counterclockwise as seen; circles may reach beyond each side.
    let center = PicturePoint(
      .random(in: -4...12, using: &random), .random(in: -4...12, using: &random))
    let radius = Double.random(in: 0.01...8, using: &random)
    let angles = (0..<Int.random(in: 3...9, using: &random)).map { _ in
      Double.random(in: 0..<6.28, using: &random)
    }
    let ring = angles.sorted().map {
      center + PicturePoint(cosine($0), -sine($0)) * radius
    }
    let sum = AreaSum(width: width, height: height)
    for (index, end) in ring.enumerated() {
      let start = ring[index > 0 ? index - 1 : ring.count - 1]
      sum.addEdge(start.x, start.y, end.x, end.y)
    }
    let found = Self.bytes(sum)
    for row in 0..<height {
      for column in 0..<width {
        let share = Self.slowShare(ring, column: column, row: row)
        let expected = share < 1e-9 ? 0 : ShareSum.byte(share)
        let byte = found[row * width + column]
        #expect(abs(Int(byte) - Int(expected)) <= 1, "pixel \(row) \(column) \(share) \(byte)")
        if share < 1e-12 { #expect(byte == 0) }
      }
    }
    sum.removeAll()
    #expect(Self.bytes(sum).allSatisfy { $0 == 0 })
  }

  @Test(arguments: Seeds.sample(100))
  func `a quadrilateral added at once is one added edge by edge`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let size = [0.01, 0.3, 3][Int(seed % 3)]
    let (x, y) = (
      Double.random(in: -1...5, using: &random), Double.random(in: -1...5, using: &random)
    )
    func jitter() -> Double { .random(in: 0...0.2 * size, using: &random) }
    let corners = [
      (x: x + jitter(), y: y + size), (x: x + size, y: y + size - jitter()),
      (x: x + size - jitter(), y: y), (x: x, y: y + jitter()),
    ]
    let (fast, slow) = (AreaSum(width: 5, height: 5), AreaSum(width: 5, height: 5))
    fast.addQuadrilateral(corners[0], corners[1], corners[2], corners[3])
    for (index, end) in corners.enumerated() {
      let start = corners[(index + 3) % 4]
      slow.addEdge(start.x, start.y, end.x, end.y)
    }
    let differences = zip(Self.bytes(fast), Self.bytes(slow)).map { abs(Int($0) - Int($1)) }
    #expect(differences.allSatisfy { $0 <= 1 })
  }

  @Test func `edges that are not numbers, or far away, do no harm`() {
    let sum = AreaSum(width: 3, height: 3)
    for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude] {
      sum.addEdge(value, 0, 1, 3)
      sum.addEdge(0, value, 1, 2)
      sum.addEdge(1, 2, value, value)
    }
    _ = Self.bytes(sum)
  }

  @Test func `a line has the area of its length times its width`() throws {
    let line: [PicturePoint] = [[2, 10], [12.5, 10], [18, 17]]
    let ring = try #require(Stroker.outline(line, width: 2))
    var doubled = 0.0
    for (index, end) in ring.enumerated() {
      let start = ring[index > 0 ? index - 1 : ring.count - 1]
      doubled += start.y * end.x - start.x * end.y
    }
    let length = 10.5 + (5.5 * 5.5 + 49).squareRoot()
    #expect(abs(doubled / 2 - 2 * length) < 0.5)
    #expect(Stroker.outline([[1, 1], [1, 1]], width: 2) == nil)
    let dashes = Stroker.dashes([[0, 0], [10, 0]], dash: 2, gap: 1)
    #expect(dashes.count == 4 && dashes.first == [[0, 0], [2, 0]])
  }
}
