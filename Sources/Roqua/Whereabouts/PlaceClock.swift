import Geocode
import Geodesy

/// Reads times by the clocks of the places where the store's owner was.
package struct PlaceClock {
  private let whereabouts: Whereabouts
  private var clock: LocalClock

  /// Reads times by the whereabouts of a store.
  package init(_ whereabouts: Whereabouts, geocoder: Geocoder) {
    self.whereabouts = whereabouts
    clock = LocalClock(geocoder: geocoder)
  }

  /// The moment at which clocks showed a time, where the owner was at that moment.
  ///
  /// Tries every quarter of an hour by which clocks differ from UTC: the place at the moment must
  /// have the offset by which the moment was computed. Clocks showed the time twice if two have it,
  /// also if the owner was in another zone for minutes only.
  ///
  /// Where none has it, looks from the earliest, the latest and the middle moment that the time can
  /// mean, each time again with the offset of the place there. That finds an offset of the past
  /// that is no quarter of an hour. If clocks skipped the time, it does not end: then the smaller
  /// one of the last two offsets counts, which is that before the change.
  ///
  /// - Parameter local: milliseconds from 1970-01-01T00:00, both as clocks show them.
  /// - Returns: the moment; nil if no position is known.
  /// - Complexity: a lookup of the position and its time zone for each of 105 offsets.
  package mutating func moment(atLocal local: Int64) -> LocalMoment? {
    var found: Set<Int64> = []
    for offset in stride(
      from: Self.smallestOffset, through: Self.largestOffset, by: Self.offsetStep)
    {
      let time = Timestamp(millisecondsSince1970: local - offset)
      guard let estimate = whereabouts.position(at: time) else { continue }
      if self.offset(at: time, in: estimate.coordinate) == offset { found.insert(offset) }
    }
    var skipped: Int64?
    if found.isEmpty {
      for start in [Self.largestOffset, Self.smallestOffset, 0] {
        switch search(local, from: start) {
        case .found(let offset): found.insert(offset)
        case .endless(let offset): skipped = min(skipped ?? offset, offset)
        case .unknown: continue
        }
      }
    }
    func time(_ offset: Int64) -> Timestamp { Timestamp(millisecondsSince1970: local - offset) }
    if let first = found.max(), let last = found.min() {
      return LocalMoment(
        time: time(first), offset: first, other: last == first ? nil : time(last),
        isSkipped: false)
    }
    return skipped.map {
      LocalMoment(time: time($0), offset: $0, other: nil, isSkipped: true)
    }
  }

  /// What a search for the offset of a local time gives.
  private enum SearchResult {
    case found(offset: Int64)
    case endless(offset: Int64)
    case unknown
  }

  private mutating func search(_ local: Int64, from start: Int64) -> SearchResult {
    var (offset, previous) = (start, start)
    for _ in 0..<Self.mostLooks {
      let time = Timestamp(millisecondsSince1970: local - offset)
      guard let estimate = whereabouts.position(at: time) else { return .unknown }
      (previous, offset) = (offset, self.offset(at: time, in: estimate.coordinate))
      if previous == offset { return .found(offset: offset) }
    }
    return .endless(offset: min(previous, offset))
  }

  private static let mostLooks = 6
  /// Today's offsets from UTC are whole quarters of an hour.
  private static let offsetStep = 15 * 60_000
  /// The clocks of Kiribati and of Baker Island.
  private static let (largestOffset, smallestOffset) = (Int64(14 * 3_600_000), Int64(-43_200_000))

  /// The offset from UTC in milliseconds of the clocks at a place.
  package mutating func offset(at time: Timestamp, in coordinate: Coordinate) -> Int64 {
    let milliseconds = time.millisecondsSince1970
    return clock.milliseconds(milliseconds, at: coordinate) - milliseconds
  }
}
