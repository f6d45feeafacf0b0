import FogMap
import GeoStore
import Geodesy
import SQLiteLayer

/// The tracks of a map: kept fixes joined to lines and simplified. No line follows a flight, unless
/// the setting `flightsExplore` is 1.
struct MapTracks {
  /// The distances up to which a line may miss a fix, in units of 1e-5 degree (1.1 m): the first
  /// one that makes the tracks small enough is taken.
  static let tolerances = [20.0, 60, 200, 600]

  /// The lines, simplified by the first tolerance.
  private var lines: [(points: [PageTracks.Point], day: Int)] = []
  private var line: [PageTracks.Point] = []
  private var day = PageCells.noDay

  /// Reads the kept fixes of a query that are not hidden.
  ///
  /// - Complexity: O(n log n) for n kept fixes; memory for the simplified lines.
  init(
    _ query: StatisticsQuery, hiding hidden: HiddenGround, in area: PlaceArea?,
    of snapshot: Snapshot, by explorer: Explorer
  ) throws(DatabaseError) {
    var clock = LocalClock(geocoder: explorer.geocoder)
    var last: (source: Int64, coordinate: Coordinate)?
    let flightsExplore = snapshot.settings.flightsExplore
    try snapshot.forEachChunkOfKeptFixesBySource { source, fixes in
      for fix in fixes {
        let place = fix.coordinate
        let isTimely = query.times.map { range in fix.time.map(range.contains) ?? false } ?? true
        guard isTimely, !hidden.contains(place), area?.contains(place) ?? true else {
          last = nil
          endLine()
          continue
        }
        let follows =
          last.map {
            $0.source == source
              && $0.coordinate.distanceMeters(to: place) <= TrackLine.longestStepMeters
              && !hidden.isCrossed(from: $0.coordinate, to: place)
          } ?? false
        let isFlown = fix.endsFlightLeg && !flightsExplore
        if fix.startsSegment || isFlown || !follows { endLine() }
        if line.isEmpty {
          day =
            fix.time.map {
              query.clock.daysSince1970($0, at: place, by: &clock) + PageCells.dayOf1970
            } ?? PageCells.noDay
        }
        append(place)
        last = (source, place)
      }
    }
    endLine()
  }

  private mutating func append(_ place: Coordinate) {
    var longitude = Int((Double(place.longitudeE7) / 100).rounded())
    // The shorter way around the world.
    if let last = line.last {
      while longitude - last.longitudeE5 > 18_000_000 { longitude -= 36_000_000 }
      while longitude - last.longitudeE5 < -18_000_000 { longitude += 36_000_000 }
    }
    let latitude = Int((Double(place.latitudeE7) / 100).rounded())
    line.append(PageTracks.Point(latitudeE5: latitude, longitudeE5: longitude))
  }

  private mutating func endLine() {
    if line.count > 1 {
      lines.append((LineSimplifier.simplified(line, tolerance: Self.tolerances[0]), day))
    }
    line.removeAll(keepingCapacity: true)
  }

  /// The number of lines.
  var count: Int { lines.count }

  /// The positions of each line in degrees; longitudes may go beyond ±180.
  var positions: [[(latitude: Double, longitude: Double)]] {
    lines.map { line in
      line.points.map { (Double($0.latitudeE5) / 1e5, Double($0.longitudeE5) / 1e5) }
    }
  }

  /// The lines for a page, and by how many meters they may miss a fix.
  ///
  /// - Parameter index: the position of the tolerance in ``tolerances``.
  func page(tolerance index: Int) -> (tracks: PageTracks, meters: Int) {
    let tolerance = Self.tolerances[index]
    var page = PageTracks()
    for line in lines {
      let points =
        index == 0 ? line.points : LineSimplifier.simplified(line.points, tolerance: tolerance)
      page.add(points, day: line.day)
    }
    return (page, Int((tolerance * 1.11).rounded()))
  }
}
