/// A place that was reached for the first time.
///
/// ```swift
/// for await case .placeReached(let reached) in explorer.events where reached.level == .city {
///   print("first time in \(reached.name ?? ""), \(reached.place.country ?? "")")
/// }
/// ```
public struct ReachedPlace: Hashable, Sendable {
  /// The kinds of places, from large to small.
  public enum Level: String, CaseIterable, Sendable {
    /// A country.
    case country
    /// A first-level division of a country.
    case region
    /// A second-level division of a country.
    case district
    /// A city, town or village.
    case city
  }

  /// What kind of place it is.
  public let level: Level
  /// The names of the place and of those around it; smaller ones are nil.
  public let place: PlaceNames

  /// Creates a reached place: the names below its level are left out.
  package init(level: Level, place: PlaceNames) {
    self.level = level
    var names = place
    names.quarter = nil
    if level != .city { names.city = nil }
    if level == .country || level == .region { names.district = nil }
    if level == .country { (names.region, names.regionCode) = (nil, nil) }
    self.place = names
  }

  /// The name of the place itself.
  public var name: String? {
    switch level {
    case .country: place.country
    case .region: place.region
    case .district: place.district
    case .city: place.city
    }
  }
}
