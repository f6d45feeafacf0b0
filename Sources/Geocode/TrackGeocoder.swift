import Geodesy

/// Finds the places along a track: as ``Geocoder/codes(at:)`` does, with the same answers, but most fixes reuse what
/// the one before them needed.
///
/// Around a fix the places that can be the answer anywhere in its tile of 0.01° are gathered once; the fixes that
/// follow in that tile and country choose among these few. Country, zone and region are looked up for each fix.
///
/// - Guarantee: equal to ``Geocoder/codes(at:)`` for every position, in any order.
public struct TrackGeocoder: Sendable {
  /// The geocoder that is asked.
  public let geocoder: Geocoder

  private var tileX: Int32 = .min
  private var tileY: Int32 = .min
  private var country = PlaceCodes.noCountry
  private var candidates: [Candidate] = []
  /// The last answer to "does the nearest place lie in the city's disc?", which costs two sines.
  private var districtCity = -1
  private var districtPlace = -1
  private var isDistrictInCity = false

  /// E7 units on a side of a tile.
  private static let tileE7: Int32 = 100_000

  /// A track geocoder that has seen nothing yet.
  public init(_ geocoder: Geocoder) { self.geocoder = geocoder }

  /// Country, time zone, region, district and city at this position.
  ///
  /// - Complexity: as ``Geocoder/countryIndex(at:)`` where the last position lay in the same tile and country.
  public mutating func codes(at coordinate: Coordinate) -> PlaceCodes {
    let gazetteer = geocoder.gazetteer
    let zone = gazetteer.boundaries.label(at: coordinate)
    guard zone != 0 else { return .none }
    let here = gazetteer.country(ofZone: zone)
    let x = Self.tile(coordinate.longitudeE7)
    let y = Self.tile(coordinate.latitudeE7)
    if x != tileX || y != tileY || here != country { gather(tileX: x, tileY: y, country: here) }

    let search = PlaceSearch(gazetteer.places, at: coordinate, in: here)
    var match = PlaceMatch()
    for candidate in candidates {
      match.visit(
        candidate.place, x: candidate.x, y: candidate.y, flaggedPopulation: candidate.flaggedPopulation,
        squared: search.metric.squared(dx: candidate.x - search.x, dy: candidate.y - search.y))
    }
    return geocoder.codes(
      zone: zone, country: here, match, region: gazetteer.regions.label(at: coordinate),
      isInDisc: { city, place in isInDisc(of: city, place) })
  }

  private mutating func isInDisc(of city: Int, _ place: Int) -> Bool {
    if city != districtCity || place != districtPlace {
      districtCity = city
      districtPlace = place
      isDistrictInCity = geocoder.isInDisc(of: city, place)
    }
    return isDistrictInCity
  }

  private static func tile(_ e7: Int32) -> Int32 {
    let quotient = e7 / tileE7
    return e7 < 0 && quotient * tileE7 != e7 ? quotient - 1 : quotient
  }

  /// Gathers the places that can be the answer in a tile.
  private mutating func gather(tileX: Int32, tileY: Int32, country: UInt16) {
    self.tileX = tileX
    self.tileY = tileY
    self.country = country
    candidates.removeAll(keepingCapacity: true)
    let half = Self.tileE7 / 2
    let latitudeE7 = min(tileY * Self.tileE7 + half, 900_000_000)
    guard let center = Coordinate(latitudeE7: latitudeE7, longitudeE7: tileX * Self.tileE7 + half) else {
      return
    }
    let places = geocoder.gazetteer.places
    let search = PlaceSearch(places, at: center, in: country)
    // Half the diagonal, a little more for the tile's wider side and for the metric's own error.
    let units = Double(half) / 100
    let radius = search.metric.squared(dx: units, dy: units).squareRoot() * 1.01 + 20
    let nearest = min(search.match().nearestCity.score.squareRoot(), PlaceSearch.reachMeters)
    var collector = Collector(nearestMeters: nearest, radiusMeters: radius, candidates: candidates)
    candidates = []
    search.walk(&collector)
    candidates = collector.candidates
  }

  /// A place that may be the answer somewhere in the tile.
  struct Candidate: Sendable {
    let place: Int
    let x: Double
    let y: Double
    let flaggedPopulation: UInt32
  }

  /// Keeps the places that may be the answer at any point within `radiusMeters` of the search's point.
  ///
  /// If the nearest city is d away from the centre, it is at most d + radius away from a point of the tile; whatever
  /// is as near to that point is at most d + 2 radius away from the centre.
  private struct Collector: PlaceVisitor {
    let reachSquared: Double
    let radiusMeters: Double
    let limitSquared: Double
    var candidates: [Candidate]

    init(nearestMeters: Double, radiusMeters: Double, candidates: [Candidate]) {
      let reach = nearestMeters + 2 * radiusMeters
      reachSquared = reach * reach
      self.radiusMeters = radiusMeters
      let limit = max(reach, PlaceSearch.smallDiscMeters + radiusMeters)
      limitSquared = limit * limit
      self.candidates = candidates
    }

    mutating func visit(_ place: Int, x: Double, y: Double, flaggedPopulation: UInt32, squared: Double) {
      if squared > reachSquared {
        guard flaggedPopulation & PlacesFile.partOfCity == 0 else { return }
        let discRadius = PlaceSearch.discSquared(population: flaggedPopulation).squareRoot()
        guard squared.squareRoot() <= discRadius + radiusMeters else { return }
      }
      if candidates.contains(where: { $0.place == place }) { return }  // a large disc is shown by its row too
      candidates.append(Candidate(place: place, x: x, y: y, flaggedPopulation: flaggedPopulation))
    }
  }
}
