import Geodesy

@testable import TrackIngest

/// The rules of flights, applied to a whole source at once.
struct SlowFlightRecognizer {
  /// The ranges of legs of each flight; leg `i` leads to fix `i`.
  private(set) var flights: [ClosedRange<Int>] = []
  /// True for each fix in the air.
  private(set) var isInFlight: [Bool]

  /// True for each fix whose leg belongs to a flight.
  var endsFlightLeg: [Bool] {
    isInFlight.indices.map { index in flights.contains { $0.contains(index) } }
  }

  init(_ fixes: [Fix], maximumSpeed: Double = 350, longestWait: Int) {
    isInFlight = fixes.map { _ in false }
    func seconds(_ leg: Int) -> Double? {
      guard leg > 0, leg < fixes.count, let start = fixes[leg - 1].time, let end = fixes[leg].time,
        start <= end
      else { return nil }
      return Double(end.millisecondsSince1970 - start.millisecondsSince1970) / 1_000
    }
    func meters(_ start: Int, _ end: Int) -> Double {
      fixes[start].coordinate.distanceMeters(to: fixes[end].coordinate)
    }
    func speed(_ leg: Int) -> Double {
      seconds(leg).map { meters(leg - 1, leg) / max(1, $0) } ?? 0
    }
    func isFast(_ leg: Int) -> Bool { speed(leg) > 110 && speed(leg) <= maximumSpeed }
    func leadsAway(_ legs: ClosedRange<Int>) -> Bool {
      legs.reduce(0) { $0 + (seconds($1) ?? 0) } >= 60
        && 2 * meters(legs.lowerBound - 1, legs.upperBound)
          >= legs.reduce(0) { $0 + meters($1 - 1, $1) }
    }

    var leg = 1
    while leg < fixes.count {
      guard isFast(leg) else {
        leg += 1
        continue
      }
      let first = leg
      while isFast(leg + 1) { leg += 1 }
      let run = first...leg
      let early = run.first { $0 - first >= 2 && leadsAway(first...$0) }
      let isFar = leadsAway(run) && meters(first - 1, leg) >= 100_000
      guard let end = early ?? (isFar ? leg : nil) else {
        leg += 1
        continue
      }
      var (start, last) = (end, end)
      while speed(start - 1) >= 50, start - 1 >= end - longestWait + 2 { start -= 1 }
      while speed(last + 1) >= 50 { last += 1 }
      flights.append(start...last)
      let isDense = end - first >= 2
      func isInAir(_ fix: Int, _ flightLeg: Int, _ other: Int) -> Bool {
        guard isDense, let duration = seconds(flightLeg) else { return false }
        if fixes[fix].horizontalAccuracyMeters == nil {
          if seconds(other) == nil || meters(other - 1, other) > 5_000 { return true }
        }
        guard duration <= 300 else { return false }
        guard let otherDuration = seconds(other) else { return true }
        return speed(other) >= 20 && otherDuration <= 1_800
      }
      isInFlight[start - 1] = isInFlight[start - 1] || isInAir(start - 1, start, start - 1)
      for index in start..<last { isInFlight[index] = true }
      isInFlight[last] = isInAir(last, last, last + 1)
      leg = last + 1
    }
  }
}
