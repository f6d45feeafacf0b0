import Geodesy
import SQLiteLayer

extension Snapshot {
  /// Returns the flights among the kept fixes, in order of time, each once even if several sources
  /// have it; and the number of kept fixes in the air.
  ///
  /// - Parameter times: only flights that share a moment with this range, and fixes of it; nil for
  ///   all.
  /// - Throws: `DatabaseError.damaged(path:detail:)` for a chunk that cannot be read.
  /// - Complexity: O(chunks), and O(fixes) of the chunks that have a flight.
  public func flights(
    in times: ClosedRange<Timestamp>? = nil
  ) throws(DatabaseError) -> (flights: [Flight], keptFixes: Int) {
    // The second byte of a chunk has its flags; `hasFlights` is the highest one.
    let select = try Statement(
      """
      SELECT id, source_id FROM kept_fixes WHERE hex(substr(payload, 2, 1)) >= '40'
      ORDER BY source_id, id
      """, on: connection)
    var search = FlightSearch()
    var lastChunk: Int64?
    var keptFixes = 0
    while try select.step() {
      let (chunk, source) = (select.int64(at: 0), select.int64(at: 1))
      let fixes = try self.keptFixes(ofChunk: chunk)
      if fixes.first?.endsFlightLeg == true {
        let previous = try chunkBefore(chunk, ofSource: source)
        if previous == nil || previous != lastChunk {
          search.begin(after: try previous.map(keptFixes(ofChunk:))?.last)
        }
      }
      for fix in fixes {
        search.add(fix)
        if fix.isInFlight, times.map({ range in fix.time.map(range.contains) ?? false }) ?? true {
          keptFixes += 1
        }
      }
      lastChunk = chunk
    }
    let flights = Flight.union(search.flights).filter { flight in
      times.map { flight.start <= $0.upperBound && flight.end >= $0.lowerBound } ?? true
    }
    return (flights, keptFixes)
  }

  /// Returns the number of the chunk of a source before one of its chunks.
  private func chunkBefore(_ chunk: Int64, ofSource source: Int64) throws(DatabaseError) -> Int64? {
    let select = try connection.cached(
      "SELECT max(id) FROM kept_fixes WHERE source_id = ?1 AND id < ?2")
    select.bind(source, at: 1)
    select.bind(chunk, at: 2)
    guard try select.step(), !select.isNull(at: 0) else { return nil }
    return select.int64(at: 0)
  }
}

/// Joins the legs of flights among kept fixes, in the order of their source.
private struct FlightSearch {
  /// Below this speed in meters per second, a leg is not part of a flight: the fixes between were
  /// deleted. Flights have no leg that is slower (`docs/decisions/flights.md`).
  private static let leastMetersPerSecond = 50.0

  private(set) var flights: [Flight] = []
  private var last: KeptFix?
  /// Whether the last fix ended a leg of the last flight.
  private var isFlying = false

  /// Starts again after a fix; nil at the start of a source.
  mutating func begin(after fix: KeptFix?) { (last, isFlying) = (fix, false) }

  mutating func add(_ fix: KeptFix) {
    defer { last = fix }
    guard fix.endsFlightLeg, let last, let start = last.time, let end = fix.time, start <= end
    else {
      isFlying = false
      return
    }
    let meters = last.coordinate.distanceMeters(to: fix.coordinate)
    let milliseconds = end.millisecondsSince1970 &- start.millisecondsSince1970
    guard meters * 1_000 >= Self.leastMetersPerSecond * Double(max(1_000, milliseconds)) else {
      isFlying = false
      return
    }
    if isFlying {
      flights[flights.count - 1].end = end
      flights[flights.count - 1].distanceMeters += meters
    } else {
      flights.append(Flight(start: start, end: end, distanceMeters: meters))
      isFlying = true
    }
  }
}
