import GeoStore
import Geocode
import Geodesy
import GridHash
import SQLiteLayer

extension Explorer {
  /// Does what the async form does, on the calling thread.
  package func explorerTileReport(_ query: ExplorerTileQuery) throws -> ExplorerTileReport {
    try read { snapshot in
      let visits = try explorerTileVisits(of: snapshot, query)
      let tiles = ExplorerTileSet(ordered: visits.map(\.tile), zoom: query.zoom)
      let largest = tiles.largestSquares
      let growth = query.isRestricted ? nil : tiles.squareGrowth(beyond: largest)
      let namer = PlaceNamer(geocoder: geocoder)
      let missing =
        query.isRestricted
        ? nil
        : query.missingLimit.flatMap { limit in
          query.center.map { center in
            tiles.nearestMissing(to: center, limit: min(limit, ExplorerTileQuery.largestLimit))
              .map {
                ExplorerTileReport.MissingTile(tile: $0.tile, distanceMeters: $0.distanceMeters)
              }
          }
        }
      return ExplorerTileReport(
        query: query, tiles: tiles, largestSquares: largest,
        squarePlaces: places(of: largest?.squares ?? [], query, namer),
        largestCluster: tiles.largestCluster, growth: growth,
        growthPlaces: places(of: growth?.squares ?? [], query, namer).map { place in
          .init(place: place, missing: place.square.tiles.filter { !tiles.contains($0) })
        },
        missing: missing, periods: periods(of: visits, query))
    }
  }

  /// The tiles that a query selects, in order, each with the time of its first visit.
  private func explorerTileVisits(
    of snapshot: Snapshot, _ query: ExplorerTileQuery
  ) throws(DatabaseError) -> [(tile: ExplorerTile, time: Int64)] {
    var tally = ExplorerTileTally(zoom: query.zoom)
    let flightsExplore = snapshot.settings.flightsExplore
    let longestGap = Int64(snapshot.settings.visitGapMinutes * 60_000)
    var last: (source: Int64, time: Timestamp?)?
    try snapshot.forEachChunkOfKeptFixesBySource { source, fixes in
      for fix in fixes {
        if fix.isInFlight, !flightsExplore {
          last = nil
          continue
        }
        var isJoined = false
        if let last, last.source == source, !fix.startsSegment,
          flightsExplore || !fix.endsFlightLeg
        {
          isJoined = true
          if let time = fix.time, let before = last.time {
            let gap = time.millisecondsSince1970 &- before.millisecondsSince1970
            isJoined = gap.magnitude <= longestGap.magnitude
          }
        }
        tally.add(fix.coordinate, time: fix.time, isJoined: isJoined)
        last = (source, fix.time)
      }
    }
    let visits = tally.firstVisits()
    guard query.isRestricted else { return visits }
    let area = query.selection.place.map {
      PlaceArea(of: $0, grid: snapshot.settings.grid, geocoder: geocoder)
    }
    let times = query.selection.times.map {
      $0.lowerBound.millisecondsSince1970...$0.upperBound.millisecondsSince1970
    }
    return visits.filter { visit in
      let center = visit.tile.center
      return times?.contains(visit.time) ?? true && query.box?.contains(center) ?? true
        && area?.contains(center) ?? true
    }
  }

  /// The squares nearest to the query's center, or the first ones, with their places.
  private func places(
    of squares: [ExplorerSquare], _ query: ExplorerTileQuery, _ namer: PlaceNamer
  ) -> [ExplorerTileReport.SquarePlace] {
    var found = squares.map { (square: $0, distance: 0.0) }
    if let center = query.center {
      found = squares.map { ($0, center.distanceMeters(to: $0.middle)) }
      found.sort { ($0.distance, $0.square.northWest) < ($1.distance, $1.square.northWest) }
    }
    return found.prefix(query.squareLimit).map { square, distance in
      .init(
        square: square, place: namer.names(at: square.middle),
        distanceMeters: query.center == nil ? nil : distance)
    }
  }

  /// The number of tiles by the period of their first visit, for each breakdown by time.
  private func periods(
    of visits: [(tile: ExplorerTile, time: Int64)], _ query: ExplorerTileQuery
  ) -> [Breakdown: [ExplorerTileReport.Period]] {
    var periods: [Breakdown: [ExplorerTileReport.Period]] = [:]
    let breakdowns = query.selection.breakdowns.filter { $0.placeLevel == nil }
    guard !breakdowns.isEmpty else { return [:] }
    var days: [Int?: Int] = [:]
    var clock = LocalClock(geocoder: geocoder)
    for (tile, time) in visits {
      let day =
        time == ExplorerTileTally.undated
        ? nil
        : query.selection.clock.daysSince1970(
          Timestamp(millisecondsSince1970: time), at: tile.center, by: &clock)
      days[day, default: 0] += 1
    }
    for breakdown in breakdowns {
      var counts: [Period?: Int] = [:]
      for (day, count) in days {
        counts[day.map { Period(daysSince1970: $0, breakdown) }, default: 0] += count
      }
      let ordered: [Period?] = counts.keys.compactMap { $0 }.sorted() + [nil]
      periods[breakdown] = ordered.compactMap { period in
        counts[period].map { .init(period: period?.description, newTiles: $0) }
      }
    }
    return periods
  }
}

extension Explorer {
  /// The visited explorer tiles in one state of the store.
  ///
  /// They are counted from the kept fixes, and from the lines between two fixes of a track that are
  /// at most 500 m apart, and no more than the setting `visitGapMinutes`. Flights visit no tile
  /// unless the setting `flightsExplore` is 1. Sources without fixes have none.
  ///
  /// - Complexity: O(kept fixes). Memory: about 100 bytes for each tile.
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func explorerTileReport(_ query: ExplorerTileQuery) async throws -> ExplorerTileReport {
    try await blocking { try $0.explorerTileReport(query) }
  }
}
