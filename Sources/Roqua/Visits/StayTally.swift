import Geodesy

/// Distinguishes staying from passing through.
///
/// Two fixes are consecutive if no other fix lies between them: either none of their source, or
/// none at all. The time between them counts as a stay in a place if both lie in it, the speed
/// between them was below ``fastestStayMetersPerSecond``, and they are either no more than
/// ``longestPauseSeconds`` apart, or of one source and in one region. So a stay in a café counts
/// although a receiver that does not move records nothing, while a flight over a country does not
/// count. Fixes of another device in between do not interrupt a stay, unless the pause is longer
/// than ``longestPauseSeconds`` and they lie elsewhere.
///
/// Time that several pairs of fixes give to one place counts once. The numbers of the sources make
/// no difference.
struct StayTally<Place: Hashable> {
  /// A day. The position during a longer silence is unknown, unless the receiver did not move.
  static var longestPauseSeconds: Double { 86_400 }
  /// 70 m/s, 252 km/h: anything faster is a flight, or a train that does not stop.
  static var fastestStayMetersPerSecond: Double { 70 }
  /// The number of kept fixes after which a track without times counts as a stay in a place: 30,
  /// which are 1.5 km on foot.
  static var undatedFixesOfStay: Int { 30 }

  /// The stay in one place.
  struct Stay: Hashable {
    /// The time that counts as a stay.
    var seconds = 0.0
    /// The number of kept fixes without a time.
    var undatedFixes = 0
  }

  private struct Moment {
    let time: Int64
    let coordinate: Coordinate
    let place: Place
  }

  private let regionDiameterMeters: Double
  /// The stays in each place but the last one.
  private var spans: [Place: Spans] = [:]
  /// The place of the last stay, and the stays in it. Most stays go on there, which needs no
  /// search.
  private var last: (place: Place, spans: Spans)?
  private var undatedFixes: [Place: Int] = [:]
  /// The last fix of each source but the current one.
  private var lasts: [Int: Moment] = [:]
  /// The source of the last fix, and the fix.
  private var current: (source: Int, moment: Moment)?
  /// The time of the last fix.
  private var nowTime: Int64?
  /// The last fix at that time of each source that has one.
  private var now: [(source: Int, moment: Moment)] = []
  /// The same for the previous time.
  private var before: [(source: Int, moment: Moment)] = []
  /// The places of all fixes at that time.
  private var nowPlaces: [Place] = []
  /// The last time before that, and a place of a fix at it.
  private var lastBefore: (place: Place, time: Int64)?
  /// The last time before ``nowTime`` of a fix in any other place than that of ``lastBefore``.
  private var lastElsewhere: Int64?

  /// Creates an empty tally.
  ///
  /// - Parameter regionRadiusMeters: two fixes are in one region if they are at most twice this
  ///   apart.
  init(regionRadiusMeters: Double) { regionDiameterMeters = 2 * regionRadiusMeters }

  /// The stays so far.
  var stays: [Place: Stay] {
    var stays = spans.mapValues { Stay(seconds: $0.seconds) }
    if let last { stays[last.place] = Stay(seconds: last.spans.seconds) }
    for (place, count) in undatedFixes { stays[place, default: Stay()].undatedFixes = count }
    return stays
  }

  /// Adds the next fix. Fixes come in order of time (milliseconds since 1970), those of one source
  /// and time in the order of their file.
  ///
  /// - Complexity: O(1), but O(sources²) if many sources have fixes at the same times.
  mutating func take(time: Int64, at coordinate: Coordinate, in place: Place, source: Int) {
    let moment = Moment(time: time, coordinate: coordinate, place: place)
    if nowTime != time {
      notePlaces()
      swap(&before, &now)
      now.removeAll(keepingCapacity: true)
      nowTime = time
    }
    if !nowPlaces.contains(place) { nowPlaces.append(place) }
    if let last = replaceLast(of: source, by: moment) {
      connect(last, moment, areOfOneSource: true)
    }
    if let known = now.firstIndex(where: { $0.source == source }) {
      now[known].moment = moment
      return
    }
    // Only the first of a source's fixes at this time follows the fixes before this time.
    now.append((source, moment))
    for index in before.indices where before[index].source != source {
      connect(before[index].moment, moment, areOfOneSource: false)
    }
  }

  /// Replaces the last fix of a source, and returns it. Most fixes are of the source of the one
  /// before, which needs no search.
  private mutating func replaceLast(of source: Int, by moment: Moment) -> Moment? {
    defer { current = (source, moment) }
    guard let current else { return nil }
    if current.source == source { return current.moment }
    lasts[current.source] = current.moment
    return lasts.removeValue(forKey: source)
  }

  /// Remembers the places of the fixes at ``nowTime``, because later fixes follow.
  private mutating func notePlaces() {
    guard let nowTime else { return }
    for place in nowPlaces {
      if let last = lastBefore, last.place != place { lastElsewhere = last.time }
      lastBefore = (place, nowTime)
    }
    nowPlaces.removeAll(keepingCapacity: true)
  }

  /// Returns whether a fix between a time and ``nowTime`` lies in another place.
  private func isAnyElsewhere(than place: Place, since time: Int64) -> Bool {
    guard let lastBefore else { return false }
    let last = lastBefore.place == place ? lastElsewhere : lastBefore.time
    return last.map { $0 > time } ?? false
  }

  /// Adds a fix without a time.
  mutating func take(undatedIn place: Place) { undatedFixes[place, default: 0] += 1 }

  private mutating func connect(_ first: Moment, _ second: Moment, areOfOneSource: Bool) {
    guard first.place == second.place, first.time < second.time else { return }
    let seconds = Double(second.time - first.time) / 1_000
    let (from, to) = (first.coordinate, second.coordinate)
    guard Self.areWithin(Self.fastestStayMetersPerSecond * seconds, from, to) else { return }
    guard
      seconds <= Self.longestPauseSeconds
        || (areOfOneSource && Self.areWithin(regionDiameterMeters, from, to)
          && !isAnyElsewhere(than: first.place, since: first.time))
    else { return }
    add(from: first.time, to: second.time, in: first.place)
  }

  private mutating func add(from start: Int64, to end: Int64, in place: Place) {
    if last?.place != place {
      if let last { spans[last.place] = last.spans }
      last = (place, spans.removeValue(forKey: place) ?? Spans())
    }
    last?.spans.add(from: start, to: end)
  }

  /// Returns whether two positions are at most some meters apart on the ellipsoid.
  ///
  /// The straight line on a map with equally spaced degrees is a path between them. It is no longer
  /// than if a degree of latitude were everywhere as long as at the poles, and one of longitude as
  /// long as on the equator. Nearly always that is short enough, and needs no sine.
  static func areWithin(_ meters: Double, _ from: Coordinate, _ to: Coordinate) -> Bool {
    let north = Double(Int64(to.latitudeE7) - Int64(from.latitudeE7)) * LongestUnit.latitude
    let east = Double(Int64(to.longitudeE7) - Int64(from.longitudeE7)) * LongestUnit.longitude
    return north * north + east * east <= meters * meters || from.distanceMeters(to: to) <= meters
  }
}

/// The length of 1e-7 degree in meters where it is longest, and a millionth more for rounding.
private enum LongestUnit {
  /// Along the meridian, at a pole.
  static let latitude =
    Ellipsoid.meridianRadiusMeters(sinLatitude: 1) * Coordinate.radiansPerUnit * 1.000_001
  /// Along a parallel, on the equator.
  static let longitude =
    Ellipsoid.semiMajorAxisMeters * Coordinate.radiansPerUnit * 1.000_001
}

/// A union of time spans, in which no two touch. Spans are added in the order of their ends.
private struct Spans {
  private var spans: [(start: Int64, end: Int64)] = []

  /// Adds a span that ends no earlier than any before it.
  ///
  /// - Complexity: O(1) over all that is added.
  mutating func add(from start: Int64, to end: Int64) {
    var start = start
    while let last = spans.last, last.end >= start {
      start = min(start, last.start)
      spans.removeLast()
    }
    spans.append((start, end))
  }

  var seconds: Double { Double(spans.reduce(0) { $0 + $1.end - $1.start }) / 1_000 }
}
