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
  /// Begins with the zone of the place at that time of UTC, and looks again with the offset that it
  /// finds until the place at the moment has the offset by which the moment was computed. It ends
  /// without one where clocks were moved forward on the way, and skipped the time: then the last
  /// offset counts.
  ///
  /// - Parameter local: milliseconds from 1970-01-01T00:00, both as clocks show them.
  /// - Returns: the moment and the offset from UTC in milliseconds; nil if no position is known.
  package mutating func moment(atLocal local: Int64) -> (time: Timestamp, offset: Int64)? {
    var offset: Int64 = 0
    for _ in 0..<Self.mostLooks {
      let time = Timestamp(millisecondsSince1970: local - offset)
      guard let estimate = whereabouts.position(at: time) else { return nil }
      let found = self.offset(at: time, in: estimate.coordinate)
      if found == offset { return (time, offset) }
      offset = found
    }
    return (Timestamp(millisecondsSince1970: local - offset), offset)
  }

  private static let mostLooks = 6

  /// The offset from UTC in milliseconds of the clocks at a place.
  package mutating func offset(at time: Timestamp, in coordinate: Coordinate) -> Int64 {
    let milliseconds = time.millisecondsSince1970
    return clock.milliseconds(milliseconds, at: coordinate) - milliseconds
  }
}
