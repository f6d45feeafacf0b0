import GeoStore
import Geocode
import Geodesy
import SQLiteLayer

/// Counts the visited regions of each country, region and city. A city that extends into a
/// neighboring region is one, with the region in which it lies.
struct ExportedPlaces {
  /// What is counted for a place.
  struct Count {
    let kind: String
    let place: PlaceNames
    var regions = 0
    var visits = 0
    var firstTime: Timestamp?
    var lastTime: Timestamp?
    /// The most visited region.
    var best: (visits: Int, coordinate: Coordinate)?
  }

  private(set) var counts: [Count] = []
  private var places: [PlaceNames: [Int]] = [:]
  private var numbers: [PlaceNames: Int] = [:]
  private let geocoder: Geocoder

  /// Counts nothing yet.
  init(geocoder: Geocoder) { self.geocoder = geocoder }

  /// Adds a region to its country, region and city.
  mutating func add(_ region: VisitedRegion) {
    let names = PlaceNames(
      countryCode: region.place.countryCode, country: region.place.country,
      regionCode: region.place.regionCode, region: region.place.region, city: region.place.city)
    let found = places[names] ?? indexes(of: names, at: region.coordinate)
    places[names] = found
    for index in found { counts[index].add(region) }
  }

  /// The counts of the country, region and city of some names.
  private mutating func indexes(of names: PlaceNames, at coordinate: Coordinate) -> [Int] {
    guard names.country != nil else { return [] }
    let country = PlaceNames(countryCode: names.countryCode, country: names.country)
    var found = [index(of: country, "country")]
    guard names.region != nil || names.city != nil else { return found }
    var region = names
    region.city = nil
    if names.region != nil { found.append(index(of: region, "region")) }
    if names.city != nil { found.append(index(of: home(of: names, at: coordinate), "city")) }
    return found
  }

  /// The names with the region in which the city lies. A city that the data have by another name
  /// keeps the region of the position.
  private func home(of names: PlaceNames, at coordinate: Coordinate) -> PlaceNames {
    guard let city = geocoder.codes(at: coordinate).city, geocoder.name(of: city) == names.city,
      let region = geocoder.region(of: city)
    else { return names }
    var names = names
    (names.regionCode, names.region) = (geocoder.code(of: region), geocoder.name(of: region))
    return names
  }

  private mutating func index(of names: PlaceNames, _ kind: String) -> Int {
    if let number = numbers[names] { return number }
    numbers[names] = counts.count
    counts.append(Count(kind: kind, place: names))
    return counts.count - 1
  }
}

extension ExportedPlaces.Count {
  fileprivate mutating func add(_ region: VisitedRegion) {
    regions += 1
    visits += region.visitCount
    if let time = region.timestampStart { firstTime = min(firstTime ?? time, time) }
    if let time = region.timestampEnd { lastTime = max(lastTime ?? time, time) }
    if region.visitCount > best?.visits ?? 0 { best = (region.visitCount, region.coordinate) }
  }

  /// The name of the place itself.
  fileprivate var name: String? {
    kind == "city" ? place.city : kind == "region" ? place.region : place.country
  }
}

extension ExportFeed {
  /// Writes the visited places: countries first, then regions, then cities, each by descending
  /// number of visited regions.
  func addPlaces(
    _ selection: ExportSelection, of snapshot: Snapshot, by explorer: Explorer
  ) throws(DatabaseError) {
    var places = ExportedPlaces(geocoder: explorer.geocoder)
    try snapshot.forEachRegion(matching: selection.regionQuery) { region in
      if selection.contains(region) { places.add(region) }
      return true
    }
    for kind in ["country", "region", "city"] {
      let counts = places.counts.filter { $0.kind == kind }.sorted {
        ($1.regions, $0.name ?? "", $0.place.countryCode ?? "")
          < ($0.regions, $1.name ?? "", $1.place.countryCode ?? "")
      }
      for count in counts {
        guard let best = count.best else { continue }
        feature.setPoint(best.coordinate)
        feature.append(kind)
        feature.append(count.name)
        feature.append(kind == "country" ? nil : count.place.region)
        feature.append(count.place.country)
        feature.append(count.place.countryCode)
        feature.append(count.regions)
        feature.append(count.visits)
        feature.append(count.firstTime)
        feature.append(count.lastTime)
        try add()
      }
    }
  }
}
