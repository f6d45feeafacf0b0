import FogMap
import Geocode

/// The names of cities on a picture of a country or a smaller part of the world.
///
/// They depend on the map alone, not on what was explored: the largest cities get their names
/// first, and others where there is room.
struct PictureLabels {
  /// The zoom from which on there are names.
  static let firstZoom = 3.5
  /// The most names.
  private static let mostNames = 120

  /// The names, and the dots next to them.
  private(set) var lines: [TextLine] = []
  /// What is taken: left, top, right, bottom.
  private var boxes: [SIMD4<Double>] = []
  private let frame: PictureFrame

  /// Finds the names of a view.
  ///
  /// - Parameters:
  ///   - pen: the width of a thin line in pixels.
  ///   - names: the language. A name whose letters the picture does not have is English.
  /// - Complexity: O(cities).
  init(on view: MapView, pen: Double, geocoder: Geocoder, in names: PlaceTranslator) {
    frame = view.frame
    guard view.zoom >= Self.firstZoom else { return }
    var found: [(city: CityIndex, population: Int, at: PicturePoint)] = []
    for number in 0..<geocoder.cityCount {
      guard let city = geocoder.city(number), let center = geocoder.coordinate(of: city) else {
        continue
      }
      let population = geocoder.population(of: city)
      // Parts of a city are named where it fills the picture.
      guard population > 0, view.zoom >= 9 || !geocoder.isPartOfCity(city) else { continue }
      let point = view.visiblePoint(
        latitudeDegrees: center.latitudeDegrees, longitudeDegrees: center.longitudeDegrees)
      if let point { found.append((city, population, point)) }
    }
    found.sort { ($0.population, $1.city.rawValue) > ($1.population, $0.city.rawValue) }
    let room = Double(frame.width) * Double(frame.height) / (190 * pen * 190 * pen)
    let most = min(Self.mostNames, max(3, Int(room)))
    var count = 0
    for (city, population, point) in found.prefix(4_000) where count < most {
      let known = [names.name(of: city), geocoder.name(of: city)].compactMap(\.self)
      guard let name = known.first(where: { Typeface.text.readable($0).missing == 0 }) else {
        continue
      }
      let size = pen * (population >= 1_000_000 ? 21 : population >= 200_000 ? 18 : 15.5)
      if place(name, at: point, size: size, pen: pen) { count += 1 }
    }
  }

  /// Writes a name to the right or the left of its place, if there is room.
  private mutating func place(
    _ name: String, at point: PicturePoint, size: Double, pen: Double
  ) -> Bool {
    for (anchor, side) in [(TextLine.Anchor.start, 1.0), (.end, -1)] {
      let line = TextLine(
        name, size: size, x: point.x + side * 6 * pen,
        y: point.y + 0.36 * size, anchor: anchor)
      let left = min(line.left, point.x - 4 * pen) - 5 * pen
      let right = max(line.left + line.width, point.x + 4 * pen) + 5 * pen
      let box = SIMD4(left, point.y - 0.75 * size, right, point.y + 0.75 * size)
      guard box.x > Double(frame.x), box.z < Double(frame.x + frame.width),
        box.y > Double(frame.y), box.w < Double(frame.y + frame.height),
        !boxes.contains(where: {
          $0.x < box.z && box.x < $0.z && $0.y < box.w && box.y < $0.w
        })
      else { continue }
      boxes.append(box)
      lines.append(line)
      // A bullet is a little above the middle of small letters.
      lines.append(
        TextLine(
          "•", size: 13 * pen, x: point.x, y: point.y + 0.36 * 13 * pen, anchor: .middle))
      return true
    }
    return false
  }
}
