import Geodesy

/// Finds the places of one country around a point.
///
/// Discs larger than 4 km are in a separate list by cells of 2°, so that rows need to be searched
/// only as far as the nearest place or 4 km, whichever is more.
struct PlaceSearch {
  /// Places farther away than this are never the answer.
  static let reachMeters = 50_000.0
  /// The population density in people per square kilometer that turns a population into a disc.
  static let density = 5000.0
  static let discLimitMeters = 25_000.0
  /// The maximum distance to a large disc's center: the largest radius plus a margin for the tile
  /// of a track.
  static let largeDiscReachMeters = discLimitMeters + 2_000
  /// Discs up to this radius are found in the rows: 4 000 m and a margin for rounding.
  static let smallDiscMeters = 4_001.0
  /// Square meters of disc per person, ÷ π: r² = population × this.
  static let squareMetersPerHead = 1e6 / (density * .pi)
  static let discLimitSquared = discLimitMeters * discLimitMeters

  /// The square of the radius of a place's disc, in m².
  @inline(__always)
  static func discSquared(population: UInt32) -> Double {
    min(Double(population) * squareMetersPerHead, discLimitSquared)
  }

  let places: PlacesFile
  let country: UInt16
  let metric: LocalMetric
  /// The position of the query in units of 1e-5 degree: longitude, and latitude from the South
  /// Pole.
  let x: Double
  let y: Double

  @inline(__always)
  init(_ places: PlacesFile, at coordinate: Coordinate, in country: UInt16) {
    self.init(places, at: coordinate, in: country, LocalMetric(latitudeE7: coordinate.latitudeE7))
  }

  @inline(__always)
  init(_ places: PlacesFile, at coordinate: Coordinate, in country: UInt16, _ metric: LocalMetric) {
    self.places = places
    self.country = country
    self.metric = metric
    x = Double(coordinate.longitudeE7) / 100
    y = Double(coordinate.latitudeE7) / 100 + 90 * Double(PlacesFile.unitsPerDegree)
  }

  /// The best places for the point.
  ///
  /// - Complexity: O(places in the rows within reach and 4° of longitude), with early stops.
  func match() -> PlaceMatch {
    var match = PlaceMatch()
    walk(&match)
    return match
  }

  /// Passes to a visitor every place of the country whose disc may cover the point, and every place
  /// within the visitor's limit.
  @inline(__always)
  func walk(_ visitor: inout some PlaceVisitor) {
    scanLargeDiscs(&visitor)

    let home = min(Int(y) / PlacesFile.rowUnits, PlacesFile.rowCount - 1)
    scan(row: home, &visitor)
    var below = home - 1
    var above = home + 1
    while true {
      let down =
        below >= 0 ? (y - Double((below + 1) * PlacesFile.rowUnits)) * metric.north : .infinity
      let up =
        above < PlacesFile.rowCount
        ? (Double(above * PlacesFile.rowUnits) - y) * metric.north : .infinity
      let nearer = min(down, up)
      if nearer * nearer > visitor.limitSquared { return }
      if down <= up {
        scan(row: below, &visitor)
        below -= 1
      } else {
        scan(row: above, &visitor)
        above += 1
      }
    }
  }

  /// Passes one place to the visitor. `shift` is added to its longitude: ±360° beyond the
  /// antimeridian.
  @inline(__always)
  private func show(
    _ place: Int, rowSouth: Double, shift: Double, _ visitor: inout some PlaceVisitor
  ) {
    guard places.country(place) == country else { return }
    let placeX = Double(places.x(place)) + shift
    let placeY = rowSouth + Double(places.yInRow(place))
    visitor.visit(
      place, x: placeX, y: placeY, flaggedPopulation: places.flaggedPopulation(place),
      squared: metric.squared(dx: placeX - x, dy: placeY - y))
  }

  private func scanLargeDiscs(_ visitor: inout some PlaceVisitor) {
    let cellUnits = PlacesFile.bigCellDegrees * PlacesFile.unitsPerDegree
    let column = (Int(x) + 180 * PlacesFile.unitsPerDegree) / cellUnits
    let row = min(Int(y) / cellUnits, PlacesFile.bigRows - 1)
    let cell = row * PlacesFile.bigColumns + column
    // Sound: longitudes lie below 180° E and the row is clamped, so the cell is in the table.
    let start = Int(places.bigStarts.u16(2 * cell))
    let end = Int(places.bigStarts.u16(2 * cell + 2))
    if start == end { return }
    // Of the cell's rows only those within a disc's reach matter. Most places are decided by their
    // index alone.
    let reach = Self.largeDiscReachMeters / metric.north
    let low = max(Int(y - reach) / PlacesFile.rowUnits, 0)
    let high = min(Int(y + reach) / PlacesFile.rowUnits, PlacesFile.rowCount - 1)
    let first = places.rowStart(low)
    let beyond = places.rowStart(high + 1)
    for entry in start..<end {
      let place = Int(places.bigPlaces.u32(4 * entry))
      guard place >= first, place < beyond, places.country(place) == country else { continue }
      var placeRow = low
      while place >= places.rowStart(placeRow + 1) { placeRow += 1 }
      let rowSouth = Double(placeRow * PlacesFile.rowUnits)
      var shift = 0.0
      let away = Double(places.x(place)) - x
      if away > 18_000_000 { shift = -36_000_000 } else if away < -18_000_000 { shift = 36_000_000 }
      show(place, rowSouth: rowSouth, shift: shift, &visitor)
    }
  }

  /// Searches a row from the query's longitude outwards in both directions, up to the limit.
  private func scan(row: Int, _ visitor: inout some PlaceVisitor) {
    let start = places.rowStart(row)
    let end = places.rowStart(row + 1)
    if start == end { return }
    let rowSouth = Double(row * PlacesFile.rowUnits)
    let first = firstPlace(inRow: row, from: start)
    // Halfway to a place 50 km away, a parallel is at most 2 % shorter than at the query, up to 78°
    // of latitude. There are no places beyond 79°.
    let east = metric.east * 0.98

    var place = first
    var shift = 0.0
    for _ in start..<end {
      if place == end {
        place = start
        shift = 36_000_000
      }
      let away = (Double(places.x(place)) + shift - x) * east
      if away * away > visitor.limitSquared { break }
      show(place, rowSouth: rowSouth, shift: shift, &visitor)
      place += 1
    }
    place = first
    shift = 0
    for _ in start..<end {
      if place == start {
        place = end
        shift = -36_000_000
      }
      place -= 1
      let away = (x - Double(places.x(place)) - shift) * east
      if away * away > visitor.limitSquared { break }
      show(place, rowSouth: rowSouth, shift: shift, &visitor)
    }
  }

  /// The first place of a row that is not west of the query.
  private func firstPlace(inRow row: Int, from start: Int) -> Int {
    let column = (Int(x) + 180 * PlacesFile.unitsPerDegree) / PlacesFile.columnUnits
    // Sound: longitudes lie below 180° E, so the column is one of the 90.
    var low = start + places.columnStart(row, column)
    var high = start + places.columnStart(row, column + 1)
    while low < high {
      let middle = (low + high) / 2
      if Double(places.x(middle)) < x { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
