import Geocode
import Geodesy

/// Lookups a second on one core, and a sum of the answers. In a file of its own: what stands in `main.swift` belongs to the
/// main actor, and its closures ask at each call whether they run there.
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
    let start = ContinuousClock.now
    let sum = body()
    return (Double(count) / ((ContinuousClock.now - start) / .seconds(1)), sum)
  }
}
