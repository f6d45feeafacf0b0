import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import FogMap

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct PictureRenderingTests {
  private static let colors: [ThemeToken: MapColor] = {
    let theme = ColorTheme.all.first
    return theme?.light ?? [:]
  }()

  private static func scene(
    _ projection: PictureProjection, latitude: Double = 0, longitude: Double = 0,
    scale: Double = 80, width: Int = 520, height: Int = 300
  ) -> PictureScene {
    let view = MapView(
      projection,
      center: Angles(latitude: latitude * .pi / 180, longitude: longitude * .pi / 180),
      scale: scale, frame: PictureFrame(width: width, height: height))
    return PictureScene(
      width: width, height: height, view: view, style: PictureStyle(colors, for: view))
  }

  private static func pixels(_ scene: PictureScene) -> [UInt8] {
    let renderer = BandRenderer(scene)
    return (0..<scene.bandCount).flatMap { renderer.rows(band: $0) }
  }

  /// Places far from every coast and border, and whether they are land.
  private static let places: [(latitude: Double, longitude: Double, isLand: Bool)] = [
    (28, 3, true), (-25, 133, true), (62, 95, true), (-8, -56, true), (42, -100, true),
    (0, -140, false), (35, -45, false), (-35, 80, false), (20, 165, false), (-50, -120, false),
    (72, -40, true), (55, -150, false), (-80, 20, true),
  ]

  @Test(arguments: [
    (PictureProjection.mercator, 0.0), (.mercator, 150), (.equalEarth, 0), (.equalEarth, 150),
    (.equalEarth, -100), (.globe, 0), (.globe, 120), (.globe, -90),
  ])
  func `land is land and sea is sea, whatever is in the middle`(
    projection: PictureProjection, longitude: Double
  ) {
    let scene = Self.scene(
      projection, latitude: projection == .globe ? 30 : 0, longitude: longitude,
      scale: projection == .globe ? 140 : 80)
    let pixels = Self.pixels(scene)
    var looked = 0
    for place in Self.places {
      let angles = Angles(
        latitude: place.latitude * .pi / 180, longitude: place.longitude * .pi / 180)
      if projection == .globe, scene.view.cosineFromCenter(angles) < 0.1 { continue }
      // Not at the edge of the map, which is drawn as a line.
      let east = (angles.longitude - scene.view.center.longitude).remainder(dividingBy: 2 * .pi)
      if abs(east) > 3 { continue }
      let point = scene.view.point(
        latitude: angles.latitude,
        east: (angles.longitude - scene.view.center.longitude).remainder(dividingBy: 2 * .pi))
      guard 1..<519 ~= point.x, 1..<299 ~= point.y else { continue }
      looked += 1
      let fog = scene.style.fog[0]
      let base = scene.style.color(place.isLand ? .land : .water)
      let expected = fog.over(base)
      let at = 3 * (Int(point.y) * 520 + Int(point.x))
      let found = MapColor(red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2])
      let differences = [
        Int(found.red) - Int(expected.red), Int(found.green) - Int(expected.green),
        Int(found.blue) - Int(expected.blue),
      ]
      // A graticule or a border of regions may pass.
      #expect(
        differences.allSatisfy { abs($0) <= 12 },
        "\(place.latitude) \(place.longitude): \(found.text), not \(expected.text)")
    }
    #expect(looked >= 5)
  }

  @Test func `outside the world is the background`() {
    for projection in [PictureProjection.equalEarth, .globe] {
      let scene = Self.scene(projection)
      let pixels = Self.pixels(scene)
      let background = scene.style.color(.background)
      for corner in [0, 519, 299 * 520, 299 * 520 + 519] {
        #expect(
          Array(pixels[3 * corner..<3 * corner + 3])
            == [background.red, background.green, background.blue])
      }
    }
  }

  @Test(arguments: Seeds.sample(2))
  func `explored pixels reach as far as the slow rule says, across bands`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var coverage = Coverage()
    for _ in 0..<60 {
      coverage.mark(
        discAround: try Coordinate(
          latitudeDegrees: .random(in: -60...60, using: &random),
          longitudeDegrees: .random(in: -170...170, using: &random)))
    }
    var scene = Self.scene(
      .equalEarth, scale: 240, width: 1_400, height: Int.random(in: 500...700, using: &random))
    scene.setCells(coverage)
    let renderer = BandRenderer(scene)
    let (width, height) = (scene.width, scene.height)
    let shares = (0..<scene.bandCount).flatMap { renderer.shares(band: $0) }
    let found = (0..<scene.bandCount).flatMap { renderer.clearness(band: $0) }
    let reach = scene.style.reach
    #expect(reach.margin >= 1)
    let zoom = scene.style.zoom
    var expected = [UInt8](repeating: 0, count: shares.count)
    for (place, share) in shares.enumerated() where share > 0 {
      let (row, column) = place.quotientAndRemainder(dividingBy: width)
      for down in -8...8 {
        for right in -8...8 where 0..<width ~= column + right && row + down >= 0 {
          let target = (row + down) * width + column + right
          guard target < expected.count else { continue }
          let clear =
            down == 0 && right == 0
            ? max(1, 255 * FogColors.clearness(share, zoom: zoom))
            : 255 * reach.least(atDistance: Double(down * down + right * right).squareRoot())
          expected[target] = max(expected[target], UInt8(clear.rounded()))
        }
      }
    }
    #expect(Array(found[..<(width * height)]) == Array(expected[..<(width * height)]))
  }

  @Test func `near, every pixel is as clear as its share`() throws {
    let style = PictureStyle(
      Self.colors,
      for: MapView(
        .mercator, center: Angles(latitude: 0, longitude: 0), scale: 512 * 4_096 / (2 * .pi),
        frame: PictureFrame(width: 100, height: 100)))
    #expect(abs(style.zoom - 12) < 1e-9 && style.reach.margin == 0)
    for share in 0...255 {
      #expect(abs(FogColors.clearness(UInt8(share), zoom: 12) - Double(share) / 255) < 1e-12)
    }
  }

  @Test func `the shapes are those of the slow reader`() {
    let shapes = BaseShapes.linkedIn
    #expect(shapes.squares.count == 5 && shapes.shapes.count > 10_000)
    #expect(shapes.longitudes.count == shapes.latitudes.count)
    #expect(shapes.shapes.last?.points.upperBound == shapes.longitudes.count)
    let bytes = BaseMap.linkedIn.shapes
    for cut in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 25)) {
      #expect(BaseShapes(deflated: Array(bytes[..<cut])) == nil)
    }
  }

  @Test func `an SVG is a document with as many squares as there are explored pixels`() throws {
    var scene = Self.scene(.equalEarth)
    var coverage = Coverage()
    coverage.mark(discAround: Coordinate(48, 11))
    coverage.mark(discAround: Coordinate(-33, 18))
    scene.setCells(coverage)
    scene.addOverlay(
      scene.style.color(.text), text: [TextLine("A & <B>\u{1B}", size: 20, x: 9, y: 30)])
    var text = ""
    PictureSVG(scene).write(title: "<title>", credits: "\"credits\"") {
      text += $0
      return true
    }
    #expect(XMLParser(data: Data(text.utf8)).parse())
    #expect(text.contains("&lt;title&gt;") && text.contains("A &amp; &lt;B&gt; </text>"))
    let renderer = BandRenderer(scene)
    let clear = (0..<scene.bandCount).flatMap { renderer.clearness(band: $0) }
    let explored = clear.prefix(scene.width * scene.height).count { $0 > 0 }
    // Each square is a hole of the fog and a shape of its own.
    var area = 0
    for part in text.components(separatedBy: "v1h-").dropFirst() {
      area += Int(part.prefix { $0.isNumber }) ?? 0
    }
    #expect(explored > 0 && area == 2 * explored)
  }

  @Test func `a canceled SVG stops before the next layer or band of rows`() throws {
    var scene = Self.scene(.equalEarth)
    var coverage = Coverage()
    coverage.mark(discAround: Coordinate(48, 11))
    scene.setCells(coverage)
    /// Cancels at a call; returns the number of calls, and the pieces until then.
    func write(cancelingAt last: Int) -> (calls: Int, pieces: [String]) {
      var (calls, pieces) = (0, [String]())
      PictureSVG(scene).write(
        title: "", credits: "",
        to: {
          pieces.append($0)
          return true
        },
        unless: {
          calls += 1
          return calls == last
        })
      return (calls, pieces)
    }
    let whole = write(cancelingAt: .max)
    #expect(whole.calls > scene.bandCount && whole.pieces.last?.hasSuffix("</svg>\n") == true)
    for last in 1...whole.calls {
      let part = write(cancelingAt: last)
      #expect(part.calls == last)
      #expect(part.pieces.count < whole.pieces.count)
      #expect(part.pieces[...] == whole.pieces.prefix(part.pieces.count))
    }
  }
}
