import TestSupport
import Testing

@testable import GeoExport

@Suite struct FeatureCurveTests {
  /// The cell at a place on the curve, built from the smallest square to the largest one.
  private func cell(at place: UInt32) -> (x: UInt32, y: UInt32) {
    var (x, y): (UInt32, UInt32) = (0, 0)
    for level in UInt32(0)..<16 {
      let side: UInt32 = 1 << level
      switch place >> (2 * level) & 3 {
      case 0: (x, y) = (y, x)
      case 1: y += side
      case 2: (x, y) = (x + side, y + side)
      default: (x, y) = (2 * side - 1 - y, side - 1 - x)
      }
    }
    return (x, y)
  }

  @Test func `neighbors on the curve are neighbors in the grid`() {
    var before = cell(at: 0)
    #expect(before == (0, 0))
    var mistakes = 0
    for place in UInt32(0)..<65_536 {
      let cell = cell(at: place)
      if FeatureCurve.place(x: cell.x, y: cell.y) != place { mistakes += 1 }
      let steps =
        abs(Int(cell.x) - Int(before.x)) + abs(Int(cell.y) - Int(before.y))
      if steps != (place == 0 ? 0 : 1) { mistakes += 1 }
      before = cell
    }
    #expect(mistakes == 0)
  }

  @Test(arguments: Seeds.sample(20))
  func `a place equals that of the slow construction`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let place = UInt32.random(in: 0 ... .max, using: &random)
      let cell = cell(at: place)
      #expect(FeatureCurve.place(x: cell.x, y: cell.y) == place)
    }
  }

  @Test func `an extent without width or height has one column or row of cells`() {
    var extent = ExportBounds()
    extent.include(x: 5, y: 1)
    #expect(FeatureCurve.place(of: extent, in: extent) == 0)
    extent.include(x: 5, y: 3)
    var top = ExportBounds()
    top.include(x: 5, y: 3)
    #expect(
      FeatureCurve.place(of: top, in: extent) == FeatureCurve.place(x: 0, y: 65_535))
  }
}
