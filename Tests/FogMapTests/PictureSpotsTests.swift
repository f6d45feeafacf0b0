import Geodesy
import GridHash
import TestSupport
import Testing

@testable import FogMap

/// Dots on pictures, where an explored area is too small to be seen.
@Suite struct PictureSpotsTests {
  private static func view(
    _ projection: PictureProjection = .equalEarth, longitude: Double = 0, zoom: Double = 1
  ) -> MapView {
    MapView(
      projection, center: Angles(latitude: 0, longitude: longitude * .pi / 180),
      scale: 512 * power(2, zoom) / (2 * .pi), frame: PictureFrame(width: 1_000, height: 500))
  }

  private static func coverage(_ places: [(Double, Double)]) throws -> Coverage {
    var coverage = Coverage()
    for (latitude, longitude) in places {
      coverage.mark(
        discAround: try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
    }
    return coverage
  }

  private static func spots(
    _ places: [(Double, Double)], on view: MapView
  ) throws -> [PicturePoint] {
    PictureSpots(try coverage(places), on: view, pen: 1).centers
  }

  @Test(arguments: [PictureProjection.mercator, .equalEarth, .globe])
  func `a walk gets one dot, where it is`(projection: PictureProjection) throws {
    let view = Self.view(projection)
    let walk = (0..<20).map { (41.0 + 0.001 * Double($0), 29.0) }
    let found = try Self.spots(walk, on: view)
    let there = try #require(
      view.visiblePoint(latitudeDegrees: 41.0095, longitudeDegrees: 29))
    try #require(found.count == 1)
    #expect(abs(found[0].x - there.x) < 0.1 && abs(found[0].y - there.y) < 0.1)
  }

  @Test func `a trail that is seen as a line gets none, nor does anything from zoom 7 on`() throws {
    // 4° of longitude are 11 pixels, and 4 at zoom -0.5.
    let trail = (0..<400).map { (10.0, 20.0 + 0.01 * Double($0)) }
    #expect(try Self.spots(trail, on: Self.view(zoom: 1)).isEmpty)
    #expect(try Self.spots(trail, on: Self.view(zoom: -0.5)).count == 1)
    #expect(try Self.spots([(0, 0)], on: Self.view(.mercator, zoom: 6.99)).count == 1)
    #expect(try Self.spots([(0, 0)], on: Self.view(.mercator, zoom: 7)).isEmpty)
  }

  @Test func `what is outside the frame or on the far side gets none`() throws {
    #expect(try Self.spots([(0, 179)], on: Self.view(zoom: 3)).isEmpty)
    #expect(try Self.spots([(0, 179)], on: Self.view(.globe)).isEmpty)
    #expect(try Self.spots([(0, 179)], on: Self.view(.globe, longitude: 180)).count == 1)
  }

  @Test func `across ±180° one area is one dot`() throws {
    let walk = [(0.0, 179.999), (0, -179.999)]
    #expect(try Self.spots(walk, on: Self.view(.mercator, longitude: 180)).count == 1)
    // The map of the world, of 724 pixels here, is cut there.
    #expect(try Self.spots(walk, on: Self.view(.mercator, zoom: 0.5)).count == 2)
  }

  @Test(arguments: Seeds.sample(4))
  func `areas are those of a search through all pairs`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let projection = [PictureProjection.mercator, .equalEarth, .globe][Int(seed % 3)]
    let view = Self.view(projection, longitude: .random(in: -180...180, using: &random))
    let pen = Double.random(in: 0.7...2, using: &random)
    let clusters = (0..<30).map { _ in
      (Double.random(in: -70...70, using: &random), Double.random(in: -179...179, using: &random))
    }
    let places = (0..<200).map { number in
      let (latitude, longitude) = clusters[number % clusters.count]
      return (
        latitude + .random(in: -2...2, using: &random),
        longitude + .random(in: -0.9...0.9, using: &random)
      )
    }
    // Along a parallel, for an area that is too long for a dot.
    let trail = (0..<3_000).map { (20.0, -20 + 0.01 * Double($0)) }
    let coverage = try Self.coverage(places + trail)
    var areas: [(squares: Set<SIMD2<Int32>>, area: PictureSpots.Area)] = []
    PictureSpots.forEachPart(of: coverage, on: view) { part in
      let square = PictureSpots.square(of: part.center, side: PictureSpots.spacing * pen)
      var (squares, area) = (Set([square]), part)
      // All areas that the part touches become one.
      for (index, other) in areas.enumerated().reversed()
      where other.squares.contains(where: {
        abs($0.x - square.x) <= 1 && abs($0.y - square.y) <= 1
      }) {
        squares.formUnion(other.squares)
        area.join(other.area)
        areas.remove(at: index)
      }
      areas.append((squares, area))
    }
    let expected = areas.map(\.area).filter {
      let extent = $0.high - $0.low
      return max(extent.x, extent.y) <= PictureSpots.largestExtent * pen
    }.map(\.center).filter {
      let reach = PictureSpots.radii.ring * pen
      return -reach...1_000 + reach ~= $0.x && -reach...500 + reach ~= $0.y
    }
    let found = PictureSpots(coverage, on: view, pen: pen).centers
    #expect(found.count == expected.count)
    for center in expected {
      #expect(found.contains { abs($0.x - center.x) < 1e-6 && abs($0.y - center.y) < 1e-6 })
    }
    #expect(areas.count > expected.count, "no area is too large for a dot")
  }

  @Test func `a dot has the theme's color with a ring around it, in the raster and as SVG`() throws
  {
    let colors = try #require(ColorTheme.all.first).light
    let view = Self.view()
    var scene = PictureScene(
      width: 1_000, height: 500, view: view, style: PictureStyle(colors, for: view))
    scene.setCells(try Self.coverage([(41, 29)]))
    let center = try #require(view.visiblePoint(latitudeDegrees: 41, longitudeDegrees: 29))
    let renderer = BandRenderer(scene)
    let pixels = (0..<scene.bandCount).flatMap { renderer.rows(band: $0) }
    func color(_ right: Int) -> MapColor {
      let at = 3 * (Int(center.y) * 1_000 + Int(center.x) + right)
      return MapColor(red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2])
    }
    let primary = scene.style.color(.primary)
    #expect([-1, 0, 1].allSatisfy { color($0) == primary })
    #expect(color(4) != primary && color(8) != primary)
    var text = ""
    PictureSVG(scene).write(title: "", credits: "") {
      text += $0
      return true
    }
    let fill = MapColor(red: primary.red, green: primary.green, blue: primary.blue).text
    #expect(text.contains("fill=\"\(fill)\"/>"))
    // Without explored cells there is no dot.
    scene.setCells(Coverage())
    let empty = BandRenderer(scene)
    let rows = (0..<scene.bandCount).flatMap { empty.rows(band: $0) }
    let at = 3 * (Int(center.y) * 1_000 + Int(center.x))
    #expect(Array(rows[at..<at + 3]) != Array(pixels[at..<at + 3]))
  }
}
