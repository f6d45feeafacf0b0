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
  let start: SearchStart

  @inline(__always)
  init(_ places: PlacesFile, at coordinate: Coordinate, in country: UInt16) {
    self.init(places, at: coordinate, in: country, LocalMetric(latitudeE7: coordinate.latitudeE7))
  }

  @inline(__always)
  init(_ places: PlacesFile, at coordinate: Coordinate, in country: UInt16, _ metric: LocalMetric) {
    self.init(places, at: coordinate, SearchStart(coordinate), in: country, metric)
  }

  @inline(__always)
  init(
    _ places: PlacesFile, at coordinate: Coordinate, _ start: SearchStart, in country: UInt16,
    _ metric: LocalMetric
  ) {
    self.places = places
    self.country = country
    self.metric = metric
    self.start = start
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

    // Each scan is called in one place, so that it is inlined and the visitor stays in registers.
    var row = start.row
    var below = row - 1
    var above = row + 1
    while true {
      scan(row: row, &visitor)
      let down =
        below >= 0 ? (y - Double((below + 1) * PlacesFile.rowUnits)) * metric.north : .infinity
      let up =
        above < PlacesFile.rowCount
        ? (Double(above * PlacesFile.rowUnits) - y) * metric.north : .infinity
      let nearer = min(down, up)
      if nearer * nearer > visitor.limitSquared { return }
      if down <= up {
        row = below
        below -= 1
      } else {
        row = above
        above += 1
      }
    }
  }

  @inline(__always)
  private func scanLargeDiscs(_ visitor: inout some PlaceVisitor) {
    let (first, end) = places.largeDiscs(inCell: start.discCell)
    if first == end { return }
    // The places are at most 18° from the cell's western edge, so at most 20° from the point.
    let isNearAntimeridian = abs(x) > Self.halfTurn * 8 / 9
    for entry in first..<end {
      let disc = places.largeDisc(entry)
      guard disc.country == country else { continue }
      var placeX = Double(disc.x)
      if isNearAntimeridian {
        if placeX - x > Self.halfTurn { placeX -= 2 * Self.halfTurn }
        if placeX - x < -Self.halfTurn { placeX += 2 * Self.halfTurn }
      }
      let placeY = Double(disc.y)
      let squared = metric.squared(dx: placeX - x, dy: placeY - y)
      visitor.visit(
        disc.place, x: placeX, y: placeY, flaggedPopulation: disc.population, squared: squared)
    }
  }

  /// Searches a row, and where it goes on beyond the antimeridian.
  @inline(__always)
  private func scan(row: Int, _ visitor: inout some PlaceVisitor) {
    if places.rowStart(row) == places.rowStart(row + 1) { return }
    let beyond = (Self.halfTurn - abs(x)) * eastLimit
    var shift = 0.0
    while true {
      scan(row: row, shift: shift, &visitor)
      guard shift == 0, beyond * beyond <= visitor.limitSquared else { return }
      shift = x < 0 ? -2 * Self.halfTurn : 2 * Self.halfTurn
    }
  }

  /// Searches a row from the query's longitude outwards in both directions, up to the limit. Places
  /// are visited in groups, because whether one more place is within the limit is hard to predict.
  ///
  /// - Parameter shift: added to the longitudes of places, in units of 1e-5 degree.
  @inline(__always)
  private func scan(row: Int, shift: Double, _ visitor: inout some PlaceVisitor) {
    let start = places.rowStart(row)
    let end = places.rowStart(row + 1)
    let south = Double(row * PlacesFile.rowUnits)
    // Beyond the antimeridian, the search begins at its end.
    let guess =
      shift == 0
      ? places.guess(inRow: row, column: self.start.column, share: self.start.share)
      : shift < 0 ? end : start
    let near = nearPlace(guess, from: start, to: end, x: x - shift)
    var low = max(min(near - Self.firstPlaces / 2, end - Self.firstPlaces), start)
    var high = min(low + Self.firstPlaces, end)
    visit(low..<high, shift: shift, south: south, &visitor)
    while high < end {
      let away = (Double(places.x(high)) + shift - x) * eastLimit
      if away * abs(away) > visitor.limitSquared { break }
      let next = min(high + Self.morePlaces, end)
      visit(high..<next, shift: shift, south: south, &visitor)
      high = next
    }
    while low > start {
      let away = (x - shift - Double(places.x(low - 1))) * eastLimit
      if away * abs(away) > visitor.limitSquared { break }
      let next = max(low - Self.morePlaces, start)
      visit(next..<low, shift: shift, south: south, &visitor)
      low = next
    }
  }

  /// Passes the places of the country in a part of a row to the visitor.
  @inline(__always)
  private func visit(
    _ range: Range<Int>, shift: Double, south: Double, _ visitor: inout some PlaceVisitor
  ) {
    for place in range where places.country(place) == country {
      let placeX = Double(places.x(place)) + shift
      let placeY = south + Double(places.yInRow(place))
      visitor.visit(
        place, x: placeX, y: placeY, flaggedPopulation: places.flaggedPopulation(place),
        squared: metric.squared(dx: placeX - x, dy: placeY - y))
    }
  }

  /// A place of a row less than four places away from the first that is not west of a longitude.
  ///
  /// - Complexity: O(distance in places between the guess and the answer).
  @inline(__always)
  private func nearPlace(_ guess: Int, from start: Int, to end: Int, x: Double) -> Int {
    var place = guess
    let stride = Self.firstPlaces / 2
    while place &+ stride <= end, Double(places.x(place &+ (stride - 1))) < x { place &+= stride }
    while place &- stride >= start, Double(places.x(place &- stride)) >= x { place &-= stride }
    return place
  }

  /// Returns true if the nearest place of a match lies inside the disc of the city that covers the
  /// point.
  func isNearestInDisc(_ match: PlaceMatch) -> Bool {
    let (place, city) = (match.nearest.place, match.disc.place)
    let home = start.row
    let cityY = places.y(of: city, nearRow: home)
    var dx = Double(places.x(place) - places.x(city))
    if abs(dx) > Self.halfTurn { dx -= dx < 0 ? -2 * Self.halfTurn : 2 * Self.halfTurn }
    let dy = Double(places.y(of: place, nearRow: home) - cityY)
    let latitudeE7 = Int32((cityY - 90 * PlacesFile.unitsPerDegree) * 100)
    return LocalMetric(latitudeE7: latitudeE7).squared(dx: dx, dy: dy)
      <= Self.discSquared(population: places.flaggedPopulation(city))
  }

  /// How many places of a row are visited at first, and then each time in one direction.
  static let firstPlaces = 8
  private static let morePlaces = 4

  /// Meters in 1e-5 degree of longitude, at least. Halfway to a place 50 km away, a parallel is at
  /// most 2 % shorter than at the query, up to 78° of latitude. There are no places beyond 79°.
  @inline(__always) private var eastLimit: Double { metric.east * 0.98 }

  /// 180° of longitude in units of 1e-5 degree.
  private static let halfTurn = 180 * Double(PlacesFile.unitsPerDegree)
}
