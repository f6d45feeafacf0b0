import Foundation
import TestSupport
import Testing

@testable import FogMap

/// Simplified lines, compared with the distance of every point to every segment.
@Suite struct LineSimplifierTests {
  @Test(arguments: Seeds.sample(6))
  func `no point is farther from the simpler line than the tolerance`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let tolerance = Double.random(in: 1...50, using: &random)
    var point = PageTracks.Point(
      latitudeE5: Int.random(in: -8_000_000...8_000_000, using: &random),
      longitudeE5: Int.random(in: -18_000_000...18_000_000, using: &random))
    let narrowing = cos(Double(point.latitudeE5) / 1e5 * .pi / 180)
    let line = (0..<300).map { _ in
      point = PageTracks.Point(
        latitudeE5: point.latitudeE5 + Int.random(in: -30...40, using: &random),
        longitudeE5: point.longitudeE5 + Int.random(in: -30...40, using: &random))
      return point
    }
    let simple = LineSimplifier.simplified(line, tolerance: tolerance)
    #expect(simple.first == line.first && simple.last == line.last)
    #expect(simple.count < line.count)
    func place(_ point: PageTracks.Point) -> (x: Double, y: Double) {
      (Double(point.longitudeE5) * narrowing, Double(point.latitudeE5))
    }
    for point in line {
      let (x, y) = place(point)
      let nearest =
        zip(simple, simple.dropFirst()).map { start, end -> Double in
          // A slow scan of 401 places on the segment, which miss the nearest by half a step at
          // most.
          let length = hypot(place(start).x - place(end).x, place(start).y - place(end).y)
          return (0...400).map { step in
            let share = Double(step) / 400
            let (a, b) = (place(start), place(end))
            return hypot(a.x + share * (b.x - a.x) - x, a.y + share * (b.y - a.y) - y)
          }.reduce(.infinity, min) - length / 800
        }.min() ?? .infinity
      #expect(nearest <= tolerance)
    }
  }

  @Test func `a straight line keeps only its ends`() {
    let line = (0..<50).map { PageTracks.Point(latitudeE5: 10 * $0, longitudeE5: 20 * $0) }
    #expect(LineSimplifier.simplified(line, tolerance: 1) == [line[0], line[49]])
    #expect(LineSimplifier.simplified([line[0]], tolerance: 1) == [line[0]])
    #expect(LineSimplifier.simplified([], tolerance: 1).isEmpty)
  }
}
