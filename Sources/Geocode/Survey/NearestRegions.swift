import Geodesy

/// The first-level divisions of the nearest places around a point in one country. Places are
/// gathered once, so that where all of them agree no search is needed for each point.
///
/// - Guarantee: for points within the radius, the first-level division equals that of
///   `Geocoder.codes(at:)` if the polygons leave it to the nearest place.
package struct NearestRegions {
  private let places: PlacesFile
  private let country: CountryIndex
  private let candidates: [Candidate]
  /// True if all points have the same answer.
  package let isUniform: Bool

  private struct Candidate {
    let place: Int
    let x: Double
    let y: Double
    let regionRow: UInt16
  }

  /// Gathers the places that may be the nearest one of any point.
  ///
  /// If the nearest place is d away from the center, it is at most d + radius away from a point
  /// within the radius. Any place as near to that point is at most d + 2 radius away from the
  /// center.
  ///
  /// - Complexity: O(places within that distance).
  package init(
    _ geocoder: Geocoder, around center: Coordinate, radiusMeters: Double, in country: CountryIndex
  ) {
    places = geocoder.gazetteer.places
    self.country = country
    // The margin covers the metric's own error: 0.01 % of 50 km.
    let radius = radiusMeters * 1.01 + 20
    let search = PlaceSearch(places, at: center, in: country.rawValue)
    var nearest = Nearest(limitMeters: PlaceSearch.reachMeters + radius)
    search.walk(&nearest)
    let distance = nearest.squared.squareRoot()
    guard distance <= PlaceSearch.reachMeters + radius else {
      (candidates, isUniform) = ([], true)
      return
    }
    var gatherer = Gatherer(limitMeters: distance + 2 * radius, places: places)
    search.walk(&gatherer)
    let found = gatherer.candidates
    candidates = found
    isUniform =
      distance + radius <= PlaceSearch.reachMeters
      && found.allSatisfy { $0.regionRow == found.first?.regionRow }
  }

  /// The first-level division of a point within the radius.
  ///
  /// - Parameters:
  ///   - coordinate: the point.
  ///   - fallback: the guess of the polygons, used if no place is within 50 km.
  package func region(at coordinate: Coordinate, fallback: RegionIndex?) -> RegionIndex? {
    var row = fallback?.rawValue ?? PlaceCodes.noRegion
    if isUniform {
      if let candidate = candidates.first { row = candidate.regionRow }
    } else {
      let search = PlaceSearch(places, at: coordinate, in: country.rawValue)
      var best = BestPlace(limit: PlaceSearch.reachMeters * PlaceSearch.reachMeters)
      for candidate in candidates {
        let squared = search.metric.squared(dx: candidate.x - search.x, dy: candidate.y - search.y)
        best.offer(candidate.place, squared)
      }
      if best.place >= 0 { row = places.admin1Row(best.place) }
    }
    return row == PlaceCodes.noRegion ? nil : RegionIndex(rawValue: row)
  }

  /// Finds the distance of the nearest place that is not part of a city.
  private struct Nearest: PlaceVisitor {
    var limitSquared: Double
    var squared = Double.infinity

    init(limitMeters: Double) { limitSquared = limitMeters * limitMeters }

    mutating func visit(
      _ place: Int, x: Double, y: Double, flaggedPopulation: UInt32, squared: Double
    ) {
      guard flaggedPopulation & PlacesFile.partOfCity == 0, squared < self.squared else { return }
      self.squared = squared
      limitSquared = min(limitSquared, squared)
    }
  }

  /// Gathers all such places up to a distance.
  private struct Gatherer: PlaceVisitor {
    let limitSquared: Double
    let places: PlacesFile
    var candidates: [Candidate] = []

    init(limitMeters: Double, places: PlacesFile) {
      limitSquared = limitMeters * limitMeters
      self.places = places
    }

    mutating func visit(
      _ place: Int, x: Double, y: Double, flaggedPopulation: UInt32, squared: Double
    ) {
      guard squared <= limitSquared, flaggedPopulation & PlacesFile.partOfCity == 0 else { return }
      // A large disc is also found in its row.
      if candidates.contains(where: { $0.place == place }) { return }
      candidates.append(Candidate(place: place, x: x, y: y, regionRow: places.admin1Row(place)))
    }
  }
}
