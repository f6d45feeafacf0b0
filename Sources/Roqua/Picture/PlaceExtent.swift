import Foundation
import Geocode
import Geodesy
import GridHash

/// Finds the part of the world that a picture of a place shows.
///
/// A country or region is looked up on a lattice of a quarter degree. Its largest connected part
/// decides, and others that have at least a quarter of that part's area: islands and territories
/// across an ocean would make everything else small. If only such a part is explored, the picture
/// shows that one.
struct PlaceExtent {
  private let geocoder: Geocoder
  /// Points of the lattice are connected across gaps of this many steps.
  private static let reach = 6
  private static let stepDegrees = 0.25
  private static let (rows, columns) = (720, 1_440)

  init(_ geocoder: Geocoder) { self.geocoder = geocoder }

  /// The box of a place; nil for a place that nothing is known about.
  ///
  /// Places of one name may lie in several countries. If the place names none, its box is in the
  /// one where most of its explored cells are.
  ///
  /// - Parameter explored: the explored cells of the place.
  func box(of place: NamedPlace, explored: Coverage) -> BoundingBox? {
    var place = place
    if place.country == nil { place.country = country(of: explored) }
    if place.level == .city { return cityBox(place) }
    var points = latticePoints(of: place)
    if points.isEmpty { points = Set(cities(of: place).compactMap { latticePoint(of: $0) }) }
    guard !points.isEmpty else { return nil }
    let parts = parts(of: points)
    let main = box(around: main(parts))
    guard let main, !explored.isEmpty, Self.cellCount(of: explored, in: main) == 0 else {
      return main
    }
    let seen = parts.filter { part in
      box(around: part).map { Self.cellCount(of: explored, in: $0) > 0 } ?? false
    }
    return seen.isEmpty ? main : box(around: seen.flatMap(\.self)) ?? main
  }

  /// How far from a box cells still belong to it, in degrees: waters near the coast.
  private static let nearDegrees = 1.0

  /// The number of cells in tiles whose middle lies in a box or within a degree of it.
  static func cellCount(of explored: Coverage, in box: BoundingBox) -> Int {
    let width = box.crossesAntimeridian ? box.east - box.west + 360 : box.east - box.west
    let isWide = width + 2 * nearDegrees >= 360
    let near = try? BoundingBox(
      south: max(-90, box.south - nearDegrees),
      west: isWide ? -180 : (box.west - nearDegrees).remainder(dividingBy: 360),
      north: min(90, box.north + nearDegrees),
      east: isWide ? 180 : (box.east + nearDegrees).remainder(dividingBy: 360))
    let box = near ?? box
    return explored.tiles.reduce(0) { count, entry in
      let isNear = explored.grid.middle(ofTile: entry.key).map(box.contains) ?? false
      return isNear ? count + entry.tile.count : count
    }
  }

  /// The country in which most cells lie; nil if there are none, or if they are in no country.
  private func country(of explored: Coverage) -> CountryIndex? {
    var counts: [CountryIndex: Int] = [:]
    for (key, tile) in explored.tiles {
      let bounds = explored.grid.bounds(of: explored.grid.firstCell(ofTile: key))
      guard
        let corner = try? Coordinate(
          latitudeDegrees: bounds.southDegrees, longitudeDegrees: bounds.westDegrees),
        let country = geocoder.countryIndex(at: corner)
      else { continue }
      counts[country, default: 0] += tile.count
    }
    return counts.max { ($0.value, $1.key.code) < ($1.value, $0.key.code) }?.key
  }

  /// A point of the lattice by its row and column.
  private func number(_ row: Int, _ column: Int) -> Int { row * Self.columns + column }

  private func latticePoints(of place: NamedPlace) -> Set<Int> {
    let area = PlaceArea(
      of: place, grid: .standard, geocoder: geocoder)
    var points: Set<Int> = []
    for row in 0..<Self.rows {
      for column in 0..<Self.columns {
        let coordinate = try? Coordinate(
          latitudeDegrees: (Double(row) + 0.5) * Self.stepDegrees - 90,
          longitudeDegrees: (Double(column) + 0.5) * Self.stepDegrees - 180)
        if let coordinate, area.contains(coordinate) { points.insert(number(row, column)) }
      }
    }
    return points
  }

  /// The cities of a place, or those with its city's name.
  private func cities(of place: NamedPlace) -> [CityIndex] {
    let area = PlaceArea(of: place, grid: .standard, geocoder: geocoder)
    return (0..<geocoder.cityCount).compactMap { number in
      guard let city = geocoder.city(number), let center = geocoder.coordinate(of: city) else {
        return nil
      }
      if let names = place.cities {
        guard let name = geocoder.name(of: city), names.contains(name) else { return nil }
      }
      return area.contains(center) ? city : nil
    }
  }

  private func latticePoint(of city: CityIndex) -> Int? {
    geocoder.coordinate(of: city).map { center in
      let row = Int((center.latitudeDegrees + 90) / Self.stepDegrees)
      let column = Int((center.longitudeDegrees + 180) / Self.stepDegrees)
      return number(min(Self.rows - 1, row), min(Self.columns - 1, column))
    }
  }

  /// The connected parts, the largest area first.
  private func parts(of points: Set<Int>) -> [[Int]] {
    var left = points
    var parts: [(points: [Int], area: Double)] = []
    while let start = left.min() {
      left.remove(start)
      var (part, next) = ([start], 0)
      while next < part.count {
        let (row, column) = part[next].quotientAndRemainder(dividingBy: Self.columns)
        next += 1
        // A degree of longitude is shorter away from the equator.
        let wide = min(60, Int((Double(Self.reach) / cosine(ofRow: row)).rounded()))
        for otherRow in max(0, row - Self.reach)...min(Self.rows - 1, row + Self.reach) {
          for step in -wide...wide {
            let otherColumn = (column + step + Self.columns) % Self.columns
            let other = number(otherRow, otherColumn)
            if left.remove(other) != nil { part.append(other) }
          }
        }
      }
      let area = part.reduce(0.0) { $0 + cosine(ofRow: $1 / Self.columns) }
      parts.append((part, area))
    }
    parts.sort { ($0.area, $1.points[0]) > ($1.area, $0.points[0]) }
    return parts.map(\.points)
  }

  private func cosine(ofRow row: Int) -> Double {
    let angle = (Double(row) + 0.5) * Self.stepDegrees - 90
    return max(0.05, cos(angle * .pi / 180))
  }

  private func main(_ parts: [[Int]]) -> [Int] {
    func area(_ part: [Int]) -> Double {
      part.reduce(0.0) { $0 + cosine(ofRow: $1 / Self.columns) }
    }
    let largest = area(parts[0])
    return parts.filter { area($0) >= largest / 4 }.flatMap { $0 }
  }

  /// The box around points of the lattice; it crosses ±180° if that makes it narrower.
  private func box(around points: [Int]) -> BoundingBox? {
    let rows = points.map { $0 / Self.columns }
    guard let south = rows.min(), let north = rows.max() else { return nil }
    // The widest gap between columns is left out.
    let columns = Set(points.map { $0 % Self.columns }).sorted()
    var (gap, first) = (0, 0)
    for (place, column) in columns.enumerated() {
      let before = place == 0 ? columns[columns.count - 1] - Self.columns : columns[place - 1]
      if column - before > gap { (gap, first) = (column - before, place) }
    }
    let west = columns[first]
    let east = columns[(first + columns.count - 1) % columns.count]
    func degrees(_ index: Int, _ start: Double) -> Double {
      Double(index) * Self.stepDegrees + start
    }
    return try? BoundingBox(
      south: degrees(south, -90), west: degrees(west, -180), north: degrees(north + 1, -90),
      east: degrees(east + 1, -180))
  }

  /// The disc of the largest city of that name, and its surroundings.
  private func cityBox(_ place: NamedPlace) -> BoundingBox? {
    let largest = cities(of: place).max {
      geocoder.population(of: $0) < geocoder.population(of: $1)
    }
    guard let largest, let center = geocoder.coordinate(of: largest) else { return nil }
    let people = Double(max(1, geocoder.population(of: largest)))
    let kilometers = max(2.5, min(25, (people / (5_000 * .pi)).squareRoot()))
    return BoundingBox(around: center, radiusMeters: 1_300 * kilometers)
  }
}
