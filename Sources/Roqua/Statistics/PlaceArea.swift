import GeoStore
import Geocode
import Geodesy
import GridHash

/// The points and cells of a place that somebody named: those that the bundled data give its name.
///
/// Cells are found as in a breakdown by the place's level, so a place has the same cells whether it
/// is named or listed.
final class PlaceArea {
  private let place: NamedPlace
  private let level: PlaceLevel
  private let geocoder: Geocoder
  private var track: TrackGeocoder
  private var known: [PlaceKey: Bool] = [:]
  private var last: (key: PlaceKey, isInside: Bool)?
  /// The cells of all tiles that were clipped.
  private(set) var ground: GroundTally

  init(of place: NamedPlace, grid: Grid, geocoder: Geocoder) {
    self.place = place
    self.geocoder = geocoder
    level = place.level
    track = TrackGeocoder(geocoder)
    ground = GroundTally(grid: grid, geocoder: geocoder, level: level)
  }

  /// Whether a position lies in the place.
  func contains(_ coordinate: Coordinate) -> Bool {
    let key = PlaceKey(at: coordinate, level: level, along: &track)
    if let last, last.key == key { return last.isInside }
    let isInside = isInside(key)
    last = (key, isInside)
    return isInside
  }

  /// The cells of a tile that lie in the place; they are added to ``ground``. Keys must ascend.
  func clipped(_ tile: Tile, at key: Int64) -> Tile {
    var clipped = Tile()
    for part in ground.parts(of: tile, at: key) where isInside(part.place) {
      ground.add(part, at: key)
      clipped = clipped.union(part.tile)
    }
    return clipped
  }

  private func isInside(_ key: PlaceKey) -> Bool {
    if let answer = known[key] { return answer }
    let answer = matches(key)
    known[key] = answer
    return answer
  }

  private func matches(_ key: PlaceKey) -> Bool {
    guard let country = key.country else { return false }
    if let wanted = place.country, wanted != country { return false }
    if let code = place.regionCode {
      guard key.region.flatMap({ geocoder.code(of: $0) }) == code else { return false }
    } else if let regions = place.regions {
      guard let name = key.region.flatMap({ geocoder.name(of: $0) }), regions.contains(name) else {
        return false
      }
    }
    if let cities = place.cities {
      guard let name = key.city.flatMap({ geocoder.name(of: $0) }), cities.contains(name) else {
        return false
      }
    }
    return true
  }
}

extension NamedPlace {
  /// The finest level that was named.
  package var level: PlaceLevel { cities != nil ? .city : regions != nil ? .region : .country }
}
