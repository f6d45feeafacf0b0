import Geodesy

/// The countries, regions, districts and cities that have a visited region.
struct VisitedLevels {
  private var keys: Set<[String?]> = []

  /// Adds the names of a region's place.
  ///
  /// - Returns: those of its country, region, district and city that are new, the largest first.
  mutating func insert(_ names: PlaceNames) -> [ReachedPlace] {
    ReachedPlace.Level.allCases.compactMap { level in
      guard let key = Self.key(of: names, at: level), keys.insert(key).inserted else { return nil }
      return ReachedPlace(level: level, place: names)
    }
  }

  /// What identifies a place of a level; nil if the names have none of this level.
  private static func key(of names: PlaceNames, at level: ReachedPlace.Level) -> [String?]? {
    let place = ReachedPlace(level: level, place: names)
    guard place.name != nil else { return nil }
    let region = names.regionCode ?? names.region
    switch level {
    case .country: return [level.rawValue, names.countryCode ?? names.country]
    case .region: return [level.rawValue, names.countryCode, region]
    case .district: return [level.rawValue, names.countryCode, region, names.district]
    case .city: return [level.rawValue, names.countryCode, region, names.city]
    }
  }
}
