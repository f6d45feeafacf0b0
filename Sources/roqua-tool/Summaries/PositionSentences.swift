import Geocode
import Geodesy
import Roqua

/// An estimated position in sentences for people.
struct PositionSentences {
  var clock: PlaceClock
  /// Whether times are shown by the clocks of their places, else in UTC.
  let showsLocalTime: Bool

  /// The place with the position, what it rests on, and the time there. Far from all fixes, the
  /// clocks of that time and an uncertainty would mean nothing.
  mutating func lines(_ estimate: PositionEstimate, _ place: Place) -> [String] {
    let position = "\(estimate.coordinate.latitudeDegrees), \(estimate.coordinate.longitudeDegrees)"
    if estimate.isFarFromFixes {
      return [
        Self.nothingKnown(near: estimate.time),
        "The nearest known position is \(Self.nearest(estimate)): \(Self.text(place)): "
          + "\(position).",
        ends(of: estimate),
      ]
    }
    let within = "within \(Wording.distance(estimate.uncertaintyMeters))"
    return [
      "\(Self.text(place)): \(position), \(within).", basis(estimate),
      "The time was \(text(estimate.time, at: estimate.coordinate, isOther: true)).",
    ]
  }

  /// The answer for a time that is more than a day from every fix.
  static func nothingKnown(near time: Timestamp) -> String {
    "Nothing is known within a day of \(time.iso8601)."
  }

  /// What is special about a local time; nil if clocks showed it once.
  ///
  /// - Parameter coordinate: the position at that moment.
  mutating func note(_ local: LocalMoment, at coordinate: Coordinate) -> String? {
    let shown = Self.text(local.time.millisecondsSince1970 + local.offset)
    if let other = local.other {
      return "Clocks showed \(shown) twice: this is the first time, in "
        + "UTC\(ClockOffset(milliseconds: local.offset)). For the second one, give "
        + "\(other.iso8601)."
    }
    guard local.isSkipped else { return nil }
    let offset = clock.offset(at: local.time, in: coordinate)
    return "No clock showed \(shown), because clocks were set forward: this is the answer for "
      + "\(Self.text(local.time.millisecondsSince1970 + offset))."
  }

  /// The place in words: quarter, city, region and country, or the sea.
  static func text(_ place: Place) -> String {
    let wording = PlaceWording.current
    if let sea = SeaWording.text(place, wording) { return sea }
    let country = wording.text(code: place.countryCode, name: place.country)
    let region = place.region == place.city ? nil : place.region
    let names = [place.quarter, place.city, region, country].compactMap { $0 }
    return names.isEmpty ? "In no country" : names.joined(separator: ", ")
  }

  private mutating func basis(_ estimate: PositionEstimate) -> String {
    switch estimate.certainty {
    case .fix: return "A fix was recorded at exactly this time."
    case .visit:
      guard let first = estimate.previous, let last = estimate.next else { return "" }
      let times = texts(first, last)
      return "You stayed there from \(times.first) to \(times.last), or longer."
    case .moving: return "You were on the way; the nearest fix is \(Self.nearest(estimate))."
    case .flight: return "You were on a flight; the nearest fix is \(Self.nearest(estimate))."
    case .gap:
      return "Nothing was recorded then: this is the nearest known position, "
        + "\(Self.nearest(estimate)). \(ends(of: estimate))"
    case .before: return "This is the first known position, \(Self.nearest(estimate))."
    case .after: return "This is the last known position, \(Self.nearest(estimate))."
    }
  }

  /// The fixes at the ends of a gap.
  private mutating func ends(of gap: PositionEstimate) -> String {
    guard let first = gap.previous, let last = gap.next else { return "" }
    let meters = first.coordinate.distanceMeters(to: last.coordinate)
    let times = texts(first, last)
    return "You were last seen at \(times.first), and next at \(times.last), "
      + "\(Wording.distance(meters)) away."
  }

  /// The times of two fixes by the clock that was asked for: with their offsets from UTC if clocks
  /// had different ones, because the later time may then be the smaller one.
  private mutating func texts(
    _ first: PositionEstimate.KnownPosition, _ last: PositionEstimate.KnownPosition
  ) -> (first: String, last: String) {
    let plain = (
      first: text(first.time, at: first.coordinate), last: text(last.time, at: last.coordinate)
    )
    guard showsLocalTime else { return plain }
    let (from, to) = (
      clock.offset(at: first.time, in: first.coordinate),
      clock.offset(at: last.time, in: last.coordinate)
    )
    guard from != to else { return plain }
    return (
      first: "\(plain.first) (UTC\(ClockOffset(milliseconds: from)))",
      last: "\(plain.last) (UTC\(ClockOffset(milliseconds: to)))"
    )
  }

  /// `12 s earlier`, `3 h later`.
  private static func nearest(_ estimate: PositionEstimate) -> String {
    let seconds = estimate.secondsToNearestFix
    let isEarlier = estimate.previous.map {
      abs(Double(estimate.time.millisecondsSince1970 - $0.time.millisecondsSince1970))
        == seconds * 1_000
    }
    return Wording.exactDuration(seconds) + (isEarlier == true ? " earlier" : " later")
  }

  /// A time by the clock that was asked for, or by the other one.
  private mutating func text(
    _ time: Timestamp, at coordinate: Coordinate, isOther: Bool = false
  ) -> String {
    guard showsLocalTime != isOther else {
      return Self.text(time.millisecondsSince1970) + (isOther ? " in UTC" : " UTC")
    }
    let offset = clock.offset(at: time, in: coordinate)
    let text = Self.text(time.millisecondsSince1970 + offset)
    return isOther ? "\(text) by local clocks (UTC\(ClockOffset(milliseconds: offset)))" : text
  }

  /// `2024-05-01 10:00:00`.
  private static func text(_ milliseconds: Int64) -> String {
    let text = Timestamp(millisecondsSince1970: milliseconds).iso8601
    return String(text.prefix { $0 != "." && $0 != "Z" }).replacing("T", with: " ")
  }
}
