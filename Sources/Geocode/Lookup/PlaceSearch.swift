import CGazetteer
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

  /// Asks the processor to load what a search reads first: the places of the point's row near its
  /// longitude, and the list of large discs.
  @inline(__always)
  static func prefetch(_ places: PlacesFile, at coordinate: Coordinate) {
    let x = Double(coordinate.longitudeE7) / 100
    let y = Double(coordinate.latitudeE7) / 100 + 90 * Double(PlacesFile.unitsPerDegree)
    let row = min(Int(y) / PlacesFile.rowUnits, PlacesFile.rowCount - 1)
    let guess = places.guess(x: x, inRow: row)
    roqua_prefetch(places.records + guess * PlacesFile.recordSize)
    let (start, _) = places.largeDiscs(x: x, y: y)
    roqua_prefetch(places.bigPlaces + PlacesFile.bigSize * start)
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

  private func scanLargeDiscs(_ visitor: inout some PlaceVisitor) {
    let (start, end) = places.largeDiscs(x: x, y: y)
    if start == end { return }
    for entry in start..<end {
      let disc = places.largeDisc(entry)
      guard disc.country == country else { continue }
      var placeX = Double(disc.x)
      if placeX - x > Self.halfTurn { placeX -= 2 * Self.halfTurn }
      if placeX - x < -Self.halfTurn { placeX += 2 * Self.halfTurn }
      let placeY = Double(disc.y)
      let squared = metric.squared(dx: placeX - x, dy: placeY - y)
      guard squared <= Self.largeDiscReachMeters * Self.largeDiscReachMeters else { continue }
      visitor.visit(
        disc.place, x: placeX, y: placeY, flaggedPopulation: disc.population, squared: squared)
    }
  }

  /// Searches a row from the query's longitude outwards in both directions, up to the limit.
  @inline(__always)
  private func scan(row: Int, _ visitor: inout some PlaceVisitor) {
    let start = places.rowStart(row)
    let end = places.rowStart(row + 1)
    if start == end { return }
    let rowSouth = Double(row * PlacesFile.rowUnits)
    let first = firstPlace(inRow: row, from: start, to: end)
    // Halfway to a place 50 km away, a parallel is at most 2 % shorter than at the query, up to 78°
    // of latitude. There are no places beyond 79°.
    let east = metric.east * 0.98

    var place = first
    var shift = 0.0
    for _ in start..<end {
      if place == end {
        place = start
        shift = 2 * Self.halfTurn
      }
      let placeX = Double(places.x(place)) + shift
      let away = (placeX - x) * east
      if away * away > visitor.limitSquared { break }
      look(at: place, x: placeX, rowSouth: rowSouth, &visitor)
      place += 1
    }
    place = first
    shift = 0
    for _ in start..<end {
      if place == start {
        place = end
        shift = -2 * Self.halfTurn
      }
      place -= 1
      let placeX = Double(places.x(place)) + shift
      let away = (placeX - x) * east
      if away * away > visitor.limitSquared { break }
      look(at: place, x: placeX, rowSouth: rowSouth, &visitor)
    }
  }

  /// Passes a place of a row to the visitor. Rows are much higher than most searches are wide, so
  /// most of their places are too far north or south.
  @inline(__always)
  private func look(
    at place: Int, x placeX: Double, rowSouth: Double, _ visitor: inout some PlaceVisitor
  ) {
    let placeY = rowSouth + Double(places.yInRow(place))
    let up = (placeY - y) * metric.north
    guard up * up <= visitor.limitSquared, places.country(place) == country else { return }
    visitor.visit(
      place, x: placeX, y: placeY, flaggedPopulation: places.flaggedPopulation(place),
      squared: metric.squared(dx: placeX - x, dy: placeY - y))
  }

  /// The first place of a row that is not west of the query.
  ///
  /// - Complexity: O(distance in places between the guess and the answer).
  @inline(__always)
  private func firstPlace(inRow row: Int, from start: Int, to end: Int) -> Int {
    var place = places.guess(x: x, inRow: row)
    let stride = 8
    while place &+ stride <= end, Double(places.x(place &+ (stride - 1))) < x { place &+= stride }
    while place &- stride >= start, Double(places.x(place &- stride)) >= x { place &-= stride }
    while place < end, Double(places.x(place)) < x { place &+= 1 }
    while place > start, Double(places.x(place &- 1)) >= x { place &-= 1 }
    return place
  }

  /// 180° of longitude in units of 1e-5 degree.
  private static let halfTurn = 180 * Double(PlacesFile.unitsPerDegree)
}
