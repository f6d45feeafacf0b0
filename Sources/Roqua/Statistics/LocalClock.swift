import Foundation
import Geocode
import Geodesy

/// The time that clocks show at a place.
///
/// The zone is that of the place, with its daylight saving time. In the open sea, and where the
/// system does not know the zone, it is nautical time: whole hours, by longitude.
struct LocalClock {
  private let geocoder: Geocoder
  private var zones: [TimeZoneIndex: TimeZone?] = [:]
  /// The offset of a zone on a day of UTC, in milliseconds; nil if it changes on that day.
  private var offsets: [Day: Int64?] = [:]
  private var last: (day: Day, offset: Int64?)?

  private struct Day: Hashable {
    let zone: TimeZoneIndex
    let daysSince1970: Int
  }

  init(geocoder: Geocoder) { self.geocoder = geocoder }

  /// The milliseconds from 1970-01-01T00:00 to a time, both as clocks at the position show them.
  ///
  /// - Complexity: O(1), with two questions to the system for each zone and day.
  mutating func milliseconds(_ time: Int64, at coordinate: Coordinate) -> Int64 {
    time + offset(time, geocoder.timeZoneIndex(at: coordinate), at: coordinate)
  }

  /// Like ``milliseconds(_:at:)``, for a position whose zone is known.
  mutating func milliseconds(
    _ time: Int64, in zone: TimeZoneIndex?, at coordinate: Coordinate
  ) -> Int64 {
    time + offset(time, zone, at: coordinate)
  }

  /// The dates that clocks at a position showed between two times, as days since 1970-01-01, and
  /// those among them that they never showed, because they were set forward by a day.
  mutating func dates(
    from start: Int64, to end: Int64, at coordinate: Coordinate
  ) -> (shown: ClosedRange<Int>, skipped: Range<Int>) {
    func date(_ time: Int64) -> Int {
      Timestamp(millisecondsSince1970: milliseconds(time, at: coordinate)).daysSince1970
    }
    let (first, last) = (date(start), date(end))
    // Clocks were set back by a day.
    guard first <= last else { return (last...first, first..<first) }
    let offset = milliseconds(start, at: coordinate) - start
    // More than any daylight saving time, and less than the change of a date.
    func isAfterChange(_ time: Int64) -> Bool {
      milliseconds(time, at: coordinate) - time - offset > Timestamp.millisecondsPerDay / 2
    }
    guard isAfterChange(end) else { return (first...last, last..<last) }
    var (before, after) = (start, end)
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if isAfterChange(middle) { after = middle } else { before = middle }
    }
    let skipped = date(before) + 1..<max(date(after), date(before) + 1)
    return (first...last, skipped)
  }

  private mutating func offset(
    _ time: Int64, _ zone: TimeZoneIndex?, at coordinate: Coordinate
  ) -> Int64 {
    guard let zone else { return Self.nauticalOffset(coordinate) }
    let day = Day(
      zone: zone, daysSince1970: Timestamp(millisecondsSince1970: time).daysSince1970)
    if let last, last.day == day, let offset = last.offset { return offset }
    guard let timeZone = timeZone(zone) else { return Self.nauticalOffset(coordinate) }
    if offsets[day] == nil { offsets[day] = .some(Self.offset(of: timeZone, on: day)) }
    let known = offsets[day] ?? nil
    last = (day, known)
    return known ?? Self.offset(of: timeZone, at: time)
  }

  private mutating func timeZone(_ zone: TimeZoneIndex) -> TimeZone? {
    if let known = zones[zone] { return known }
    let found = geocoder.name(of: zone).flatMap { TimeZone(identifier: $0) }
    zones[zone] = .some(found)
    return found
  }

  /// The offset all day; nil if it changes. No zone changes its offset twice in a day.
  private static func offset(of zone: TimeZone, on day: Day) -> Int64? {
    let start = Int64(day.daysSince1970) * Timestamp.millisecondsPerDay
    let first = offset(of: zone, at: start)
    return first == offset(of: zone, at: start + Timestamp.millisecondsPerDay) ? first : nil
  }

  private static func offset(of zone: TimeZone, at time: Int64) -> Int64 {
    // Whole seconds, rounded down: an offset changes at a whole second.
    let seconds = (Double(time) / 1_000).rounded(.down)
    return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))) * 1_000
  }

  /// As ``Geocode/Place/timeZone`` has it at sea.
  private static func nauticalOffset(_ coordinate: Coordinate) -> Int64 {
    Int64(NauticalZone(at: coordinate).hoursEast) * 3_600_000
  }
}

extension StatisticsQuery.Clock {
  /// The days since 1970-01-01 on which a time falls at a position, in this clock.
  func daysSince1970(_ time: Timestamp, at coordinate: Coordinate, by local: inout LocalClock)
    -> Int
  {
    guard self == .local else { return time.daysSince1970 }
    let milliseconds = local.milliseconds(time.millisecondsSince1970, at: coordinate)
    return Timestamp(millisecondsSince1970: milliseconds).daysSince1970
  }
}
