import Foundation
import GeoStore
import Geodesy

@testable import Roqua

/// A source as it is written: its fixes, and the last time near its last fix.
struct RecordedTrack {
  var fixes: [KeptFix] = []
  var end: Timestamp?
}

/// Where the owner was, by the words of `docs/where-was-i.md`: every answer looks at every fix.
struct SlowWhereabouts {
  struct Fix {
    let time: Int64
    let track: Int
    /// The number in the track, undated fixes included.
    let number: Int
    let segment: Int
    let coordinate: Coordinate
    let accuracy: Double
    let flies: Bool
    /// Whether it is the end of a stay at the fix before, not a fix.
    var isStayEnd = false
  }

  struct Answer {
    let coordinate: Coordinate
    let uncertainty: Double
    let certainty: PositionCertainty
    let previous: Int64?
    let next: Int64?
  }

  /// In order of time, those of one time in the order of import.
  private(set) var fixes: [Fix] = []
  /// Consecutive fixes of one track.
  private(set) var pairs: [(Fix, Fix)] = []

  init(_ tracks: [RecordedTrack]) {
    for (track, recorded) in tracks.enumerated() {
      var segment = 0
      var own: [Fix] = []
      for (number, fix) in recorded.fixes.enumerated() {
        if fix.startsSegment { segment += 1 }
        guard let time = fix.time else { continue }
        own.append(
          Fix(
            time: time.millisecondsSince1970, track: track, number: number, segment: segment,
            coordinate: fix.coordinate, accuracy: fix.accuracyMeters ?? 20,
            flies: fix.endsFlightLeg))
      }
      if let end = recorded.end, let last = recorded.fixes.last, let time = last.time,
        own.allSatisfy({ $0.time <= time.millisecondsSince1970 }), end > time,
        let fix = own.last
      {
        own.append(
          Fix(
            time: end.millisecondsSince1970, track: track, number: fix.number + 1,
            segment: segment, coordinate: fix.coordinate, accuracy: fix.accuracy + 50, flies: false,
            isStayEnd: true))
      }
      let ordered = own.enumerated().sorted {
        ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
      }.map(\.element)
      pairs += zip(ordered, ordered.dropFirst())
      fixes += ordered
    }
    fixes = fixes.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
  }

  func answer(at time: Int64) -> Answer? {
    let now = fixes.filter { $0.time == time }
    if let least = now.map(\.accuracy).min(), let best = now.first(where: { $0.accuracy == least })
    {
      return Answer(
        coordinate: best.coordinate, uncertainty: best.accuracy,
        certainty: best.isStayEnd ? .visit : .fix, previous: time, next: time)
    }
    let before = fixes.last { $0.time < time }
    let after = fixes.first { $0.time > time }
    switch (before, after) {
    case (nil, nil): return nil
    case (nil, let after?): return beyond(after, Double(after.time - time) / 1_000, .before)
    case (let before?, nil): return beyond(before, Double(time - before.time) / 1_000, .after)
    case (let before?, let after?): return between(before, after, time)
    }
  }

  private func beyond(_ fix: Fix, _ seconds: Double, _ certainty: PositionCertainty) -> Answer? {
    guard seconds <= 24 * 3_600 else { return nil }
    return Answer(
      coordinate: fix.coordinate, uncertainty: fix.accuracy + 15 * seconds, certainty: certainty,
      previous: certainty == .after ? fix.time : nil,
      next: certainty == .before ? fix.time : nil)
  }

  private func between(_ before: Fix, _ after: Fix, _ time: Int64) -> Answer {
    var best: (Fix, Fix, isFlight: Bool)?
    for (first, last) in pairs where first.time < time && last.time > time {
      let isFlight = last.flies && last.number == first.number + 1
      guard isFlight || first.segment == last.segment && last.time - first.time <= 1_800_000
      else { continue }
      guard let known = best else {
        best = (first, last, isFlight)
        continue
      }
      let (length, shortest) = (last.time - first.time, known.1.time - known.0.time)
      if length < shortest
        || length == shortest && (first.time, first.track) < (known.0.time, known.0.track)
      {
        best = (first, last, isFlight)
      }
    }
    let (first, last) = best.map { ($0.0, $0.1) } ?? (before, after)
    let meters = first.coordinate.distanceMeters(to: last.coordinate)
    let seconds = Double(last.time - first.time) / 1_000
    let (since, until) = (Double(time - first.time) / 1_000, Double(last.time - time) / 1_000)
    let accuracy = max(first.accuracy, last.accuracy)
    let isStay =
      meters <= 300 && meters / seconds <= 0.5
      && (best != nil || first.track == last.track || seconds <= 86_400)
    if best?.isFlight != true, isStay {
      return Answer(
        coordinate: first.coordinate,
        uncertainty: accuracy + min(1.4 * since, max(50, meters)), certainty: .visit,
        previous: first.time, next: last.time)
    }
    guard let best, best.isFlight || meters <= 350 * max(seconds, 60) else {
      return Answer(
        coordinate: since <= until ? first.coordinate : last.coordinate,
        uncertainty: accuracy + min(20_003_931.5, max(15, meters / seconds) * min(since, until)),
        certainty: .gap, previous: first.time, next: last.time)
    }
    return Answer(
      coordinate: Self.onTheWay(first.coordinate, last.coordinate, since / seconds),
      uncertainty: accuracy
        + min(max(1.4, meters / seconds) * min(since, until), max(50, meters / 2)),
      certainty: best.isFlight ? .flight : .moving, previous: first.time, next: last.time)
  }

  /// The position on the great circle by the initial bearing and the angle from the start.
  private static func onTheWay(_ a: Coordinate, _ b: Coordinate, _ share: Double) -> Coordinate {
    let (p1, p2) = (a.latitudeDegrees * .pi / 180, b.latitudeDegrees * .pi / 180)
    let turn = (b.longitudeDegrees - a.longitudeDegrees) * .pi / 180
    let half = pow(sin((p2 - p1) / 2), 2) + cos(p1) * cos(p2) * pow(sin(turn / 2), 2)
    let angle = 2 * asin(min(1, half.squareRoot())) * share
    let bearing = atan2(sin(turn) * cos(p2), cos(p1) * sin(p2) - sin(p1) * cos(p2) * cos(turn))
    let latitude = asin(sin(p1) * cos(angle) + cos(p1) * sin(angle) * cos(bearing))
    let longitude =
      a.longitudeDegrees * .pi / 180
      + atan2(sin(bearing) * sin(angle) * cos(p1), cos(angle) - sin(p1) * sin(latitude))
    return Coordinate(latitude * 180 / .pi, longitude * 180 / .pi)
  }
}
