import Geodesy

/// Finds the places of one country around a point.
///
/// Discs larger than 4 km stand in a list of their own by cells of 2°, so that the rows need to be
/// walked only as far as the nearest place, or 4 km, whichever is more.
struct PlaceSearch {
  /// Beyond this a place is never the answer.
  static let reachMeters = 50_000.0
  /// People per square kilometre by which a population becomes a disc.
  static let density = 5000.0
  static let discLimitMeters = 25_000.0
  /// How far away a large disc's center may be: the largest radius, and room for the tile of a
  /// track.
  static let largeDiscReachMeters = discLimitMeters + 2_000
  /// Discs up to this radius are found in the rows: 4 000 m, a little more for rounding.
  static let smallDiscMeters = 4_001.0
  /// Square meters of disc per head, ÷ π: r² = population × this.
  static let squareMetersPerHead = 1e6 / (density * .pi)
  static let discLimitSquared = discLimitMeters * discLimitMeters

  /// Square of the radius of a place's disc, in m².
  @inline(__always)
  static func discSquared(population: UInt32) -> Double {
    min(Double(population) * squareMetersPerHead, discLimitSquared)
  }

  let places: PlacesFile
  let country: UInt16
  let metric: LocalMetric
  /// The query in units of 1e-5 degree: longitude, latitude from the South Pole.
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

  /// The places that answer for the point.
  ///
  /// - Complexity: O(places in the rows within reach and 4° of longitude), with early stops.
  func match() -> PlaceMatch {
    var match = PlaceMatch()
    walk(&match)
    return match
  }

  /// Shows a visitor every place of the country whose disc may cover the point, and every one
  /// within its limit.
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

  /// Shows one place. `shift` is added to its longitude: ±360° beyond the antimeridian.
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
    // Of the cell's rows only those within a disc's reach matter, and most places are told by their
    // number.
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

  /// Walks a row outwards from the query's longitude, both ways, as far as the limit reaches.
  private func scan(row: Int, _ visitor: inout some PlaceVisitor) {
    let start = places.rowStart(row)
    let end = places.rowStart(row + 1)
    if start == end { return }
    let rowSouth = Double(row * PlacesFile.rowUnits)
    let first = firstPlace(inRow: row, from: start)
    // A parallel half way to a place 50 km off is at most 2 % shorter than the query's, up to 78°
    // of latitude; beyond 79° there are no places.
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

  /// The first place of a row that does not lie west of the query.
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
