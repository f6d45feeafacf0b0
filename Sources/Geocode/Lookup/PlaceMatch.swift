/// What is done with the places that a ``PlaceSearch`` walks past.
protocol PlaceVisitor {
  /// Square of how far the rows must be looked through, in m²; it may shrink on the way.
  var limitSquared: Double { get }
  /// A place of the search's country: its longitude (moved by ±360° where that is nearer) and its
  /// latitude from the South Pole in units of 1e-5 degree, its population with the flag, and the
  /// square of its distance in m².
  mutating func visit(
    _ place: Int, x: Double, y: Double, flaggedPopulation: UInt32, squared: Double)
}

/// The places that answer for one point, as found inside one country.
struct PlaceMatch {
  /// A place and the number by which it is the best, the smaller the better; of equals the earlier
  /// place wins.
  struct Best {
    var place = -1
    var score = Double.infinity
    /// Where it is, as the search showed it.
    var x = 0.0
    var y = 0.0
    var flaggedPopulation: UInt32 = 0

    @inline(__always)
    mutating func offer(
      _ candidate: Int, _ candidateScore: Double, x: Double, y: Double, flaggedPopulation: UInt32
    ) {
      if candidateScore < score || (candidateScore == score && candidate < place) {
        place = candidate
        score = candidateScore
        self.x = x
        self.y = y
        self.flaggedPopulation = flaggedPopulation
      }
    }
  }

  /// Of the places whose disc covers the point, the one with the smallest distance ÷ radius; the
  /// score is distance² ÷ radius², at most 1. Never a part of a city.
  var disc = Best()
  /// The nearest place that is not a part of a city; the score is the distance² in m².
  var nearestCity = Best()
  /// The nearest place of all; the score is the distance² in m².
  var nearest = Best()

  /// The city by the rule of the contract, or -1.
  @inline(__always) var city: Int { disc.place >= 0 ? disc.place : nearestCity.place }

  /// Whether the nearest place lies inside the disc of the city that covers the point.
  func isNearestInDisc() -> Bool {
    let latitudeE7 = Int32(disc.y * 100 - 900_000_000)
    let squared = LocalMetric(latitudeE7: latitudeE7).squared(
      dx: nearest.x - disc.x, dy: nearest.y - disc.y)
    return squared <= PlaceSearch.discSquared(population: disc.flaggedPopulation)
  }
}

extension PlaceMatch: PlaceVisitor {
  @inline(__always)
  var limitSquared: Double {
    max(
      min(nearestCity.score, PlaceSearch.reachMeters * PlaceSearch.reachMeters),
      PlaceSearch.smallDiscMeters * PlaceSearch.smallDiscMeters)
  }

  @inline(__always)
  mutating func visit(
    _ place: Int, x: Double, y: Double, flaggedPopulation: UInt32, squared: Double
  ) {
    guard squared <= PlaceSearch.reachMeters * PlaceSearch.reachMeters else { return }
    nearest.offer(place, squared, x: x, y: y, flaggedPopulation: flaggedPopulation)
    guard flaggedPopulation & PlacesFile.partOfCity == 0 else { return }
    nearestCity.offer(place, squared, x: x, y: y, flaggedPopulation: flaggedPopulation)
    let discSquared = PlaceSearch.discSquared(population: flaggedPopulation)
    if squared <= discSquared, discSquared > 0 {
      disc.offer(place, squared / discSquared, x: x, y: y, flaggedPopulation: flaggedPopulation)
    }
  }
}
