import Geodesy

/// Tells staying from passing through.
///
/// Two fixes follow one another where no other lies between them: none of their source, or none at
/// all. The time between them counts as a stay in a place where both lie in it, the way between
/// them was slower than ``fastestStayMetersPerSecond``, and they are no more than
/// ``longestPauseSeconds`` apart, or are of one source and lie in one region. So a café counts
/// although nothing is recorded while its guest sits still, and a flight over a country does not;
/// and what one device says of its carrier is not undone by another's fixes in between.
///
/// Time that several fixes give to one place counts once. Which number a source has makes no
/// difference.
struct StayTally<Place: Hashable> {
  /// Where a receiver was that is silent for longer is unknown, unless it did not move: a day.
  static var longestPauseSeconds: Double { 86_400 }
  /// Faster than this is a flight, or a train that does not stop: 70 m/s, 252 km/h.
  static var fastestStayMetersPerSecond: Double { 70 }
  /// A track without times counts as a stay from so many kept fixes in a place: 30, which are 1.5
  /// km on foot.
  static var undatedFixesOfStay: Int { 30 }

  /// What is known of the time in one place.
  struct Stay: Hashable {
    /// Time that counts as staying.
    var seconds = 0.0
    /// Kept fixes without a time.
    var undatedFixes = 0
  }

  private struct Moment {
    let time: Int64
    let coordinate: Coordinate
    let place: Place
  }

  private let regionDiameterMeters: Double
  private var spans: [Place: Spans] = [:]
  private var undatedFixes: [Place: Int] = [:]
  /// The last fix of each source.
  private var lasts: [Int: Moment] = [:]
  /// The time of the last fix, the sources that have one then, and for each of them the last.
  private var now: (time: Int64, fixes: [Int: Moment])?
  /// The same for the time before that.
  private var before: [Int: Moment] = [:]

  /// Nothing taken yet.
  ///
  /// - Parameter regionRadiusMeters: fixes lie in one region where they are at most twice this
  ///   apart.
  init(regionRadiusMeters: Double) { regionDiameterMeters = 2 * regionRadiusMeters }

  /// What is known so far.
  var stays: [Place: Stay] {
    var stays = spans.mapValues { Stay(seconds: $0.seconds) }
    for (place, count) in undatedFixes { stays[place, default: Stay()].undatedFixes = count }
    return stays
  }

  /// Takes the next fix: in order of time (milliseconds since 1970), those of one source and time
  /// in the order of their file.
  ///
  /// - Complexity: O(1), but O(sources²) where many sources have fixes at the same times.
  mutating func take(time: Int64, at coordinate: Coordinate, in place: Place, source: Int) {
    let moment = Moment(time: time, coordinate: coordinate, place: place)
    if let last = lasts.updateValue(moment, forKey: source) {
      connect(last, moment, areOfOneSource: true)
    }
    if now?.time != time {
      before = now?.fixes ?? [:]
      now = (time, [:])
    }
    // Only the first of a source's fixes at this time follows what was before it.
    if now?.fixes.updateValue(moment, forKey: source) == nil {
      for (other, last) in before where other != source {
        connect(last, moment, areOfOneSource: false)
      }
    }
  }

  /// Takes a fix without a time.
  mutating func take(undatedIn place: Place) { undatedFixes[place, default: 0] += 1 }

  private mutating func connect(_ first: Moment, _ second: Moment, areOfOneSource: Bool) {
    guard first.place == second.place, first.time < second.time else { return }
    let seconds = Double(second.time - first.time) / 1_000
    let meters = first.coordinate.distanceMeters(to: second.coordinate)
    guard meters <= Self.fastestStayMetersPerSecond * seconds else { return }
    guard seconds <= Self.longestPauseSeconds || (areOfOneSource && meters <= regionDiameterMeters)
    else {
      return
    }
    spans[first.place, default: Spans()].add(from: first.time, to: second.time)
  }
}

/// Spans of time, united: none touches another. They are added by the order of their ends.
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
