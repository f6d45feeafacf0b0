/// Processes the places found by a ``PlaceSearch``.
protocol PlaceVisitor {
  /// The square of the distance up to which rows must be searched, in m². It may shrink during the
  /// search.
  var limitSquared: Double { get }
  /// Visits a place of the search's country. The arguments are its longitude (shifted by ±360° if
  /// that is nearer) and its latitude from the South Pole, both in units of 1e-5 degree; its
  /// population with the flag; and the square of its distance in m².
  mutating func visit(
    _ place: Int, x: Double, y: Double, flaggedPopulation: UInt32, squared: Double)
}

/// The best places for one point, found inside one country.
struct PlaceMatch {
  /// The best place so far and its score. Smaller scores are better; among equals the earlier place
  /// wins.
  struct Best {
    var place = -1
    var score = Double.infinity
    /// The position of the place as given by the search.
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

  /// Of the places whose disc covers the point, the one with the smallest distance ÷ radius. The
  /// score is distance² ÷ radius², at most 1. Never a part of a city.
  var disc = Best()
  /// The nearest place that is not a part of a city. The score is the distance² in m².
  var nearestCity = Best()
  /// The nearest place of any kind. The score is the distance² in m².
  var nearest = Best()

  /// As far as the nearest city, and as far as a small disc may lie that is a better match.
  private(set) var limitSquared = PlaceSearch.reachMeters * PlaceSearch.reachMeters

  /// The city according to the rule for cities, or -1.
  @inline(__always) var city: Int { disc.place >= 0 ? disc.place : nearestCity.place }

  /// Returns true if the nearest place lies inside the disc of the city that covers the point.
  func isNearestInDisc() -> Bool {
    let latitudeE7 = Int32(disc.y * 100 - 900_000_000)
    let squared = LocalMetric(latitudeE7: latitudeE7).squared(
      dx: nearest.x - disc.x, dy: nearest.y - disc.y)
    return squared <= PlaceSearch.discSquared(population: disc.flaggedPopulation)
  }
}

extension PlaceMatch: PlaceVisitor {
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
    // A disc of radius r has a smaller distance ÷ radius than `disc` only if it is nearer than r
    // times that.
    limitSquared = max(
      min(nearestCity.score, PlaceSearch.reachMeters * PlaceSearch.reachMeters),
      PlaceSearch.smallDiscMeters * PlaceSearch.smallDiscMeters * min(disc.score, 1))
  }
}
