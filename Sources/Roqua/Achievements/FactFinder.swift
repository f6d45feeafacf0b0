import Achievements
import Geocode
import Geodesy

/// Finds what achievements need to know about fixes.
struct FactFinder: Sendable {
  private var track: TrackGeocoder
  private var clock: LocalClock
  private let atlas: GroundAtlas
  private var last: (codes: PlaceCodes, facts: PlaceFacts, division: GroundAtlas.Division?)?

  init(geocoder: Geocoder, atlas: GroundAtlas = .bundled) {
    track = TrackGeocoder(geocoder)
    clock = LocalClock(geocoder: geocoder)
    self.atlas = atlas
  }

  /// The places of a fix.
  mutating func facts(at coordinate: Coordinate) -> PlaceFacts {
    facts(of: track.codes(at: coordinate), at: coordinate)
  }

  /// A fix with its places and its local time.
  ///
  /// - Complexity: that of a lookup of the place; most fixes follow one of the same place.
  mutating func fix(
    _ coordinate: Coordinate, time: Int64, source: Int64, order: UInt32, isJoined: Bool
  ) -> ChronicleFix {
    let codes = track.codes(at: coordinate)
    return ChronicleFix(
      time: time, localTime: clock.milliseconds(time, in: codes.timeZone, at: coordinate),
      coordinate: coordinate, place: facts(of: codes, at: coordinate), source: source,
      order: order, isJoined: isJoined)
  }

  private mutating func facts(of codes: PlaceCodes, at coordinate: Coordinate) -> PlaceFacts {
    if last?.codes != codes { last = (codes, facts(of: codes), division(of: codes)) }
    guard let last else { return PlaceFacts() }
    var facts = last.facts
    if let division = last.division { facts.continent = division.continent(at: coordinate).number }
    return facts
  }

  private func facts(of codes: PlaceCodes) -> PlaceFacts {
    var facts = PlaceFacts()
    guard let country = codes.country else { return facts }
    let geocoder = track.geocoder
    facts.country = CountryNumber.of(country.code) ?? 0
    let continent = geocoder.continent(of: country).flatMap(Continent.init(rawValue:))
    facts.continent = continent?.number ?? 0
    facts.region = codes.region.map { UInt32($0.rawValue) + 1 } ?? 0
    facts.district = codes.district.map { UInt32($0.rawValue) + 1 } ?? 0
    facts.city = codes.city.map { UInt32($0.rawValue) + 1 } ?? 0
    let island = geocoder.regionCode(of: codes).flatMap { atlas.islands[$0] }
    facts.island = island ?? atlas.islands[country.code] ?? 0
    return facts
  }

  private func division(of codes: PlaceCodes) -> GroundAtlas.Division? {
    track.geocoder.regionCode(of: codes).flatMap { atlas.divisions[$0] }
  }
}
