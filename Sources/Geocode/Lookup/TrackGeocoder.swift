import Geodesy

/// Finds the places along a track. The answers are the same as those of `Geocoder.codes(at:)`, but
/// most fixes reuse the work done for the previous one.
///
/// The places that can be the answer anywhere in a fix's tile of 0.01° are gathered once. The next
/// fixes in the same tile and country choose among these few. Zone and region are looked up for
/// each fix if a line runs through the tile, otherwise once.
///
/// ```swift
/// var track = TrackGeocoder(geocoder)
/// for await fix in receiver {
///   let codes = track.codes(at: fix.coordinate)
///   print(codes.country?.code ?? "at sea")
/// }
/// ```
///
/// - Guarantee: equal to `Geocoder.codes(at:)` for every position, in any order.
public struct TrackGeocoder: Sendable {
  /// The geocoder that answers the lookups.
  public let geocoder: Geocoder

  private var tileX: Int32 = .min
  private var tileY: Int32 = .min
  /// The labels of the whole tile; nil if they are not the same everywhere in it.
  private var tileZone: UInt16?
  private var tileRegion: UInt16?
  private var band = LatitudeBand(holding: 0)
  /// Where a search begins at the tile's first fix. Here it only says which rows are near.
  private var start = SearchStart(Coordinate(uncheckedLatitudeE7: 0, longitudeE7: 0))
  /// The country of the candidates.
  private var country = PlaceCodes.noCountry
  private var candidates: [Candidate] = []
  /// The last answer to "does the nearest place lie in the city's disc?", which costs two sine
  /// computations.
  private var quarterCity = -1
  private var quarterPlace = -1
  private var isQuarterInCity = false

  /// The side of a tile in E7. A tile lies in one band of latitude and in one cell of each
  /// partition.
  private static let tileE7 = LatitudeBand.heightE7

  /// Creates a track geocoder for a new track.
  public init(_ geocoder: Geocoder) { self.geocoder = geocoder }

  /// Country, time zone, region, district, city and quarter at this position.
  ///
  /// - Complexity: O(candidates), a few, if the last position was in the same tile and no border
  ///   runs through it.
  public mutating func codes(at coordinate: Coordinate) -> PlaceCodes {
    let gazetteer = geocoder.gazetteer
    let x = Self.tile(coordinate.longitudeE7)
    let y = Self.tile(coordinate.latitudeE7)
    if x != tileX || y != tileY { enter(tileX: x, tileY: y, at: coordinate) }
    let zone = tileZone ?? gazetteer.boundaries.label(at: coordinate)
    guard zone != 0 else { return .none }
    let here = gazetteer.country(ofZone: zone)
    if here != country { gather(country: here) }

    let search = PlaceSearch(
      gazetteer.places, at: coordinate, start, in: here,
      LocalMetric(latitudeE7: coordinate.latitudeE7, in: band))
    var match = PlaceMatch()
    // Loops over indices, since without optimization an iterator allocates.
    for index in candidates.indices {
      let candidate = candidates[index]
      match.visit(
        candidate.place, x: candidate.x, y: candidate.y,
        flaggedPopulation: candidate.flaggedPopulation,
        squared: search.metric.squared(dx: candidate.x - search.x, dy: candidate.y - search.y))
    }
    return geocoder.codes(
      zone: zone, country: here, match,
      region: tileRegion ?? gazetteer.regions.label(at: coordinate),
      isNearestInDisc: { isNearestInDisc($0, search) })
  }

  private mutating func isNearestInDisc(_ match: PlaceMatch, _ search: PlaceSearch) -> Bool {
    if match.disc.place != quarterCity || match.nearest.place != quarterPlace {
      quarterCity = match.disc.place
      quarterPlace = match.nearest.place
      isQuarterInCity = search.isNearestInDisc(match)
    }
    return isQuarterInCity
  }

  private static func tile(_ e7: Int32) -> Int32 {
    let quotient = e7 / tileE7
    return e7 < 0 && quotient * tileE7 != e7 ? quotient - 1 : quotient
  }

  /// Looks up the values that are the same everywhere in a tile.
  private mutating func enter(tileX: Int32, tileY: Int32, at coordinate: Coordinate) {
    self.tileX = tileX
    self.tileY = tileY
    band = LatitudeBand(holding: coordinate.latitudeE7)
    start = SearchStart(coordinate)
    country = PlaceCodes.noCountry
    tileZone = nil
    tileRegion = nil
    // At the North Pole a tile has no height.
    guard let low = Coordinate(latitudeE7: tileY * Self.tileE7, longitudeE7: tileX * Self.tileE7),
      let high = Coordinate(
        latitudeE7: low.latitudeE7 + Self.tileE7 - 1, longitudeE7: low.longitudeE7 + Self.tileE7 - 1
      )
    else { return }
    tileZone = geocoder.gazetteer.boundaries.uniformLabel(from: low, to: high)
    if tileZone != 0 { tileRegion = geocoder.gazetteer.regions.uniformLabel(from: low, to: high) }
  }

  /// Gathers the places of a country that can be the answer in the tile.
  private mutating func gather(country: UInt16) {
    self.country = country
    candidates.removeAll(keepingCapacity: true)
    let half = Self.tileE7 / 2
    let latitudeE7 = min(tileY * Self.tileE7 + half, 900_000_000)
    guard let center = Coordinate(latitudeE7: latitudeE7, longitudeE7: tileX * Self.tileE7 + half)
    else {
      return
    }
    let places = geocoder.gazetteer.places
    let search = PlaceSearch(places, at: center, in: country)
    // Half the diagonal, with a margin for the tile's wider side and for the metric's own error.
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

  /// Keeps the places that may be the answer at any point within `radiusMeters` of the search's
  /// point.
  ///
  /// If the nearest city is d away from the center, it is at most d + radius away from a point of
  /// the tile. Any place as near to that point is at most d + 2 radius away from the center.
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

    mutating func visit(
      _ place: Int, x: Double, y: Double, flaggedPopulation: UInt32, squared: Double
    ) {
      if squared > reachSquared {
        guard flaggedPopulation & PlacesFile.partOfCity == 0 else { return }
        let discRadius = PlaceSearch.discSquared(population: flaggedPopulation).squareRoot()
        guard squared.squareRoot() <= discRadius + radiusMeters else { return }
      }
      // A large disc is also found in its row.
      if candidates.contains(where: { $0.place == place }) { return }
      candidates.append(Candidate(place: place, x: x, y: y, flaggedPopulation: flaggedPopulation))
    }
  }
}
