import TestSupport
import Testing

@testable import FogMap

/// How often a ring goes around a point, clockwise with y downwards: crossings of a ray to the
/// east.
func winding(_ ring: [RingCorner], around x: Double, _ y: Double) -> Int {
  var sum = 0
  for (place, from) in ring.enumerated() {
    let to = ring[(place + 1) % ring.count]
    let (low, high) = (Double(min(from.y, to.y)), Double(max(from.y, to.y)))
    if from.x == to.x, Double(from.x) > x, low < y, y < high { sum += to.y > from.y ? 1 : -1 }
  }
  return sum
}

@Suite struct RingTracerTests {
  private static func check(_ mask: CellMask) {
    let polygons = RingTracer.polygons(of: mask)
    for row in -1...mask.height {
      for column in -1...mask.width {
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        let around = polygons.map { polygon in
          (winding(polygon.outer, around: x, y), polygon.holes.map { winding($0, around: x, y) })
        }
        // Inside exactly one outer ring and none of its holes, or in a hole of each.
        let inside = around.count { $0.0 + $0.1.reduce(0, +) == 1 }
        let isRight = around.allSatisfy { outer, holes in
          (0...1).contains(outer) && holes.allSatisfy { (-1...0).contains($0) }
            && (0...1).contains(outer + holes.reduce(0, +))
        }
        #expect(isRight && inside == (mask[column, row] ? 1 : 0), "\(column) \(row)")
      }
    }
    for ring in polygons.flatMap({ [$0.outer] + $0.holes }) {
      #expect(ring.count >= 4 && Set(ring).count == ring.count)
      for (place, corner) in ring.enumerated() {
        let (next, after) = (ring[(place + 1) % ring.count], ring[(place + 2) % ring.count])
        // Horizontal and vertical in turn.
        #expect((corner.x == next.x) != (corner.y == next.y))
        #expect((corner.x == next.x) == (next.y == after.y))
      }
    }
  }

  /// The number of edge-connected parts, by flooding.
  private static func parts(_ mask: CellMask) -> Int {
    var seen: Set<RingCorner> = []
    var parts = 0
    for row in 0..<mask.height {
      for column in 0..<mask.width where mask[column, row] {
        var stack = [RingCorner(x: column, y: row)]
        if !seen.insert(stack[0]).inserted { continue }
        parts += 1
        while let cell = stack.popLast() {
          for (dx, dy) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let next = RingCorner(x: cell.x + dx, y: cell.y + dy)
            if mask[next.x, next.y], seen.insert(next).inserted { stack.append(next) }
          }
        }
      }
    }
    return parts
  }

  @Test func `masks of 4 × 4 cells are inside their rings and nothing else is`() {
    for bits in 0..<1 << 16 as Range<UInt64> where bits % 17 == 0 || bits < 512 {
      var mask = CellMask(width: 4, height: 4)
      for row in 0..<4 { mask.insert(bits >> UInt64(4 * row) & 15, column: 0, row: row) }
      let polygons = RingTracer.polygons(of: mask)
      #expect(polygons.count == Self.parts(mask))
      for row in 0..<4 {
        for column in 0..<4 {
          let sum = polygons.flatMap { [$0.outer] + $0.holes }.reduce(0) {
            $0 + winding($1, around: Double(column) + 0.5, Double(row) + 0.5)
          }
          if (sum == 1) != mask[column, row] { Issue.record("mask \(bits)") }
        }
      }
    }
  }

  @Test(arguments: Seeds.sample(30))
  func `larger masks are inside their rings, and rings do not touch themselves`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var mask = CellMask(
      width: .random(in: 1...140, using: &random), height: .random(in: 1...24, using: &random))
    let density = Int.random(in: 1...9, using: &random)
    for row in 0..<mask.height {
      for column in 0..<mask.width where Int.random(in: 0..<10, using: &random) < density {
        mask.insert(1, column: column, row: row)
      }
    }
    Self.check(mask)
    #expect(RingTracer.polygons(of: mask).count == Self.parts(mask))
  }

  @Test func `a hole that touches its outer ring is a ring of its own`() {
    var mask = CellMask(width: 3, height: 3)
    // X X X / X . X / X X . : the middle touches the outside at a corner.
    for (row, bits) in [0b111, 0b101, 0b011].enumerated() {
      mask.insert(UInt64(bits), column: 0, row: row)
    }
    let polygons = RingTracer.polygons(of: mask)
    #expect(polygons.count == 1 && polygons[0].holes.count == 1)
    #expect(polygons[0].holes[0].count == 4)
    Self.check(mask)
  }
}

@Suite struct CellMaskTests {
  @Test(arguments: [1, 3, 63, 64, 65, 100, 127, 128, 129])
  func `a word sets its bits inside the mask and nothing outside`(width: Int) {
    var random = SplitMix64(seed: UInt64(width))
    for column in -70...width + 3 {
      let word = UInt64.random(in: 0 ... .max, using: &random) | 1 << 63 | 1
      var mask = CellMask(width: width, height: 3)
      for row in -1...3 where row != 0 { mask.insert(word, column: column, row: row) }
      var expected = CellMask(width: width, height: 3)
      for place in 0..<width where 0..<64 ~= place - column {
        for row in 1...2 {
          expected.insert(word >> UInt64(place - column) & 1, column: place, row: row)
        }
      }
      #expect(mask == expected, "column \(column)")
      let isRight = (-2...width + 1).allSatisfy { place in
        let bit =
          0..<width ~= place && 0..<64 ~= place - column ? word >> UInt64(place - column) & 1 : 0
        return mask[place, 1] == (bit == 1) && !mask[place, 0] && !mask[place, 3]
      }
      #expect(isRight)
      let starts = (0..<width).filter { mask[$0, 1] && !mask[$0 - 1, 1] }
      let found = (0..<64 * mask.rowWords).filter {
        mask.runStarts(row: 1, word: $0 / 64) >> UInt64($0 % 64) & 1 == 1
      }
      #expect(found == starts)
    }
  }
}
