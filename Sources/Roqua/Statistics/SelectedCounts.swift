import GeoStore
import Geocode
import Geodesy
import SQLiteLayer

extension Explorer {
  /// The counts of a query: of the whole store, or of the part that the query selects.
  ///
  /// - Parameter presences: to each of them, the visited regions in the query's range of time are
  ///   added.
  /// - Complexity: O(regions); with a restriction also O(kept fixes), with one lookup each if it is
  ///   a place.
  func counts(
    of snapshot: Snapshot, _ query: StatisticsQuery, selecting selection: CellSelection,
    adding presences: inout [PresenceTally]
  ) throws(DatabaseError) -> StoreCounts {
    guard query.isRestricted else {
      if let byCity = presences.firstIndex(where: { $0.level == .city }) {
        var counts = try snapshot.counts { span, _ in
          for index in presences.indices { presences[index].add(span) }
        }
        counts.cities = presences[byCity].cityCount(of: self)
        return counts
      }
      var cities = try CityTally(of: snapshot, geocoder)
      if presences.isEmpty, cities.isCertain { return try snapshot.counts(cities: cities.count) }
      var counts = try snapshot.counts { span, place in
        cities.add(span.center, inPlace: place)
        for index in presences.indices { presences[index].add(span) }
      }
      counts.cities = cities.count
      return counts
    }
    let (fixes, sources) = try fixCounts(of: snapshot, query, selecting: selection)
    var (regions, visits) = (0, 0)
    var places = VisitedPlaces(geocoder: geocoder)
    try snapshot.forEachRegionSpan(in: query.times) { span in
      for index in presences.indices { presences[index].add(span) }
      guard selection.area?.contains(span.center) ?? true else { return }
      regions += 1
      visits += span.visits
      places.add(span.center)
    }
    return StoreCounts(
      visitedRegions: regions, visits: visits, keptFixes: fixes, sources: sources, cellSources: 0,
      regionSources: 0, countries: places.countries.count, regions: places.regions.count,
      cities: places.cities.count)
  }

  /// The numbers of selected kept fixes, and of sources with one.
  private func fixCounts(
    of snapshot: Snapshot, _ query: StatisticsQuery, selecting selection: CellSelection
  ) throws(DatabaseError) -> (fixes: Int, sources: Int) {
    var (count, sources) = (0, 0)
    var lastSource: Int64?
    try snapshot.forEachChunkOfKeptFixesBySource { source, fixes in
      for fix in fixes {
        if let times = query.times {
          guard let time = fix.time, times.contains(time) else { continue }
        }
        guard selection.area?.contains(fix.coordinate) ?? true else { continue }
        count += 1
        if source != lastSource { (lastSource, sources) = (source, sources + 1) }
      }
    }
    return (count, sources)
  }
}
