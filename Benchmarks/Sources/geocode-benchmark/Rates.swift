import BenchmarkSupport
import Geocode
import Geodesy

/// Lookups per second on one core, and a sum of the answers.
///
/// Not in `main.swift`, because code there belongs to the main actor, and its closures check at
/// each call whether they run on it.
enum Rates {
  static func countries(_ points: [Coordinate], _ geocoder: Geocoder) -> Double {
    let (rate, sum) = perSecond(points.count) {
      points.reduce(into: 0) { $0 &+= Int(geocoder.countryIndex(at: $1)?.rawValue ?? 0) }
    }
    check(sum > 0, "countries")
    return rate
  }

  static func places(_ points: [Coordinate], _ geocoder: Geocoder) -> (rate: Double, sum: Int) {
    perSecond(points.count) {
      points.reduce(into: 0) { add(geocoder.codes(at: $1), to: &$0) }
    }
  }

  static func words(_ points: [Coordinate], _ geocoder: Geocoder) -> Double {
    let (rate, sum) = perSecond(points.count) {
      points.reduce(into: 0) { $0 &+= geocoder.place(at: $1).city?.utf8.count ?? 0 }
    }
    check(sum > 0, "places in words")
    return rate
  }

  static func timeZones(_ points: [Coordinate], _ geocoder: Geocoder) -> Double {
    let (rate, sum) = perSecond(points.count) {
      points.reduce(into: 0) { $0 &+= geocoder.timeZone(at: $1)?.utf8.count ?? 0 }
    }
    check(sum > 0, "time zones")
    return rate
  }

  static func track(_ points: [Coordinate], _ geocoder: Geocoder) -> (rate: Double, sum: Int) {
    perSecond(points.count) {
      var track = TrackGeocoder(geocoder)
      return points.reduce(into: 0) { add(track.codes(at: $1), to: &$0) }
    }
  }

  private static func add(_ codes: PlaceCodes, to sum: inout Int) {
    sum &+= Int(codes.country?.rawValue ?? 0)
    if let city = codes.city { sum &+= Int(city.rawValue) << 10 }
  }

  private static func perSecond(_ count: Int, _ body: () -> Int) -> (rate: Double, sum: Int) {
    var sum = 0
    let seconds = Clock.wallSeconds { sum = body() }
    return (Double(count) / seconds, sum)
  }
}
