import TestSupport
import Testing

@testable import FogMap

@Suite struct MapViewClippingTests {
  private let view = MapView(
    .mercator, center: Angles(latitude: 0, longitude: 0), scale: 100,
    frame: PictureFrame(width: 200, height: 100))

  private func parts(_ line: [PicturePoint]) -> [[PicturePoint]] {
    var parts: [[PicturePoint]] = []
    view.clip(line, margin: 5) { parts.append($0) }
    return parts
  }

  @Test func `a line outside the frame is left out, and one inside stays as it is`() {
    #expect(parts([PicturePoint(300, 10), PicturePoint(400, 90)]).isEmpty)
    #expect(parts([PicturePoint(-1e6, -1e6), PicturePoint(-9, 500)]).isEmpty)
    let inside = [PicturePoint(1, 1), PicturePoint(100, 50), PicturePoint(199, 99)]
    #expect(parts(inside) == [inside])
  }

  @Test func `a line through the frame is cut at its edges`() {
    let found = parts([PicturePoint(-1_000, 50), PicturePoint(1_000, 50)])
    #expect(found == [[PicturePoint(-5, 50), PicturePoint(205, 50)]])
  }

  @Test(arguments: Seeds.sample(50))
  func `every point of a line in the frame is kept, and none far outside`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let line = (0..<12).map { _ in
      PicturePoint(
        Double.random(in: -300...500, using: &random),
        Double.random(in: -200...300, using: &random))
    }
    let found = parts(line)
    for point in found.joined() {
      #expect((-5.001...205.001).contains(point.x) && (-5.001...105.001).contains(point.y))
    }
    func distance(_ point: PicturePoint, _ start: PicturePoint, _ end: PicturePoint) -> Double {
      let way = end - start
      let length = (way * way).sum()
      let share = length == 0 ? 0 : max(0, min(1, ((point - start) * way).sum() / length))
      let rest = start + way * share - point
      return (rest * rest).sum().squareRoot()
    }
    for (start, end) in zip(line, line.dropFirst()) {
      for step in 0...100 {
        let point = start + (end - start) * (Double(step) / 100)
        guard (0...200).contains(point.x), (0...100).contains(point.y) else { continue }
        let nearest = found.flatMap { part in
          zip(part, part.dropFirst()).map { distance(point, $0, $1) }
        }.min()
        #expect(nearest ?? .infinity < 1e-6)
      }
    }
  }

  @Test(arguments: [10.0, 1e3, 1e6, 1e8])
  func `the outline of the world has few points at any scale`(scale: Double) {
    for projection in [PictureProjection.equalEarth, .globe] {
      let view = MapView(
        projection, center: Angles(latitude: .pi / 2, longitude: 0), scale: scale,
        frame: PictureFrame(width: 200, height: 200))
      #expect(view.outline?.count ?? 0 < 150_000, "\(projection)")
    }
  }
}
