/// Processes the places found by a ``PlaceSearch``.
protocol PlaceVisitor {
  /// The square of the distance up to which rows must be searched, in m². It may shrink during the
  /// search.
  var limitSquared: Double { get }
  /// Visits a place of the search's country, which may also lie beyond the limit, and may be
  /// visited twice. The arguments are its longitude (shifted by ±360° if that is nearer) and its
  /// latitude from the South Pole, both in units of 1e-5 degree; its population with the flag; and
  /// the square of its distance in m².
  mutating func visit(
    _ place: Int, x: Double, y: Double, flaggedPopulation: UInt32, squared: Double)
}

/// The best places for one point, found inside one country.
struct PlaceMatch {
  /// Of the places whose disc covers the point, the one with the smallest distance ÷ radius. The
  /// score is distance² ÷ radius², at most 1. Never a part of a city.
  var disc = BestPlace(limit: 1)
  /// The nearest place that is not a part of a city. The score is the distance² in m².
  var nearestCity = BestPlace(limit: PlaceSearch.reachMeters * PlaceSearch.reachMeters)
  /// The nearest place of any kind. The score is the distance² in m².
  var nearest = BestPlace(limit: PlaceSearch.reachMeters * PlaceSearch.reachMeters)

  /// The city according to the rule for cities, or -1.
  @inline(__always) var city: Int { disc.place >= 0 ? disc.place : nearestCity.place }
}

extension PlaceMatch: PlaceVisitor {
  /// As far as the nearest city, and as far as a small disc may lie that is a better match: a disc
  /// of radius r has a smaller distance ÷ radius than ``disc`` only if it is nearer than r times
  /// that.
  @inline(__always)
  var limitSquared: Double {
    max(
      nearestCity.ranked,
      PlaceSearch.smallDiscMeters * PlaceSearch.smallDiscMeters * disc.ranked)
  }

  @inline(__always)
  mutating func visit(
    _ place: Int, x: Double, y: Double, flaggedPopulation: UInt32, squared: Double
  ) {
    let isPart = flaggedPopulation & PlacesFile.partOfCity != 0
    nearest.offer(place, squared)
    nearestCity.offer(place, squared, unless: isPart)
    // Without people the disc has no area, and the quotient is infinite or not a number.
    disc.offer(
      place, squared / PlaceSearch.discSquared(population: flaggedPopulation), unless: isPart)
  }
}
