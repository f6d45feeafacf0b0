import Geodesy
import TrackIngest

/// Gives each fix of a receiver its verdict: the filter for files, drift and gaps, and two
/// recognizers of flights.
///
/// The first recognizer decides after a minute, or in a holding pattern after 128 fixes, because a
/// kept fix must be stored soon. The second is the one for files, which may look back over a whole
/// climb; where it decides otherwise about a fix that was released before, it gives a
/// ``FlightCorrection``.
///
/// Memory: up to ``FlightRecognizer/longestWait`` fixes, and only while the track is as fast as an
/// aircraft.
struct FixJudge: Sendable {
  private(set) var rules: LiveRules
  private var filter: FixFilter
  private var flights: FlightRecognizer
  private var settled: FlightRecognizer
  /// The verdicts that wait, in the order of the fixes: the first is about a kept fix that may be
  /// part of a flight.
  private var waiting: [JudgedFix] = []
  /// What was said about the kept fixes that the second recognizer has not decided about.
  private var unsettled: [FlightFlags] = []
  private var unsettledHead = 0
  /// What the second recognizer decided about fixes that the first one still holds back: after a
  /// pause in a flight, of which only the second one knows.
  private var settledAhead: [FlightFlags] = []
  private var isFinished = false
  private var startsSegment = true
  private var keptStartsSegment = true
  /// The last kept fix of the segment, and whether drift was dropped since: the filter then
  /// compares with the drift, not with this fix.
  private var lastKept: Fix?
  private var hasDrifted = false
  private var lastTime: Timestamp?

  /// What became known with a call.
  struct Judgment {
    /// The verdicts, in the order of the fixes.
    var verdicts: [JudgedFix] = []
    /// What must be changed in fixes that were given as kept before.
    var corrections: [FlightCorrection] = []
    /// The kept fixes about which everything is certain now, in order, without those in privacy
    /// zones.
    var settled: [JudgedFix] = []
  }

  init(rules: LiveRules) {
    self.rules = rules
    filter = FixFilter(settings: rules.filter)
    flights = FlightRecognizer(settings: rules.filter, isLive: true)
    settled = FlightRecognizer(settings: rules.filter)
  }

  /// The number of flights recognized so far. A pause in a flight makes two of it until the end.
  var flightCount: Int {
    isFinished ? settled.flightCount : max(flights.flightCount, settled.flightCount)
  }
  /// Whether a fix waits for the next one.
  var isWaiting: Bool { filter.isWaiting || !waiting.isEmpty }
  /// The privacy zones.
  var zones: PrivacyZones { filter.zones }

  /// Returns true if a position lies in a privacy zone.
  func isInZone(_ coordinate: Coordinate) -> Bool { filter.isInZone(coordinate) }

  /// Judges the next fix.
  mutating func judge(_ fix: Fix, _ judgment: inout Judgment) {
    if endsSegment(before: fix) { endSegment(&judgment) }
    if let time = fix.time { lastTime = time }
    var judged: [JudgedFix] = []
    filter.push(fix, startsSegment: startsSegment) {
      judged.append(JudgedFix(fix: $0, verdict: $1))
    }
    startsSegment = false
    for one in judged { decide(one, &judgment) }
  }

  /// Ends the segment: the next fix is not compared with those before it, and the fixes that wait
  /// get their verdicts.
  mutating func endSegment(_ judgment: inout Judgment) {
    var judged: [JudgedFix] = []
    filter.finish { judged.append(JudgedFix(fix: $0, verdict: $1)) }
    for one in judged { decide(one, &judgment) }
    var decided: [AcceptedFix] = []
    flights.finish { decided.append($0) }
    for one in decided { release(one, &judgment) }
    judgment.verdicts += waiting
    waiting = []
    (startsSegment, keptStartsSegment) = (true, true)
    (lastKept, hasDrifted, lastTime) = (nil, false, nil)
  }

  /// Ends the track: like ``endSegment(_:)``, and nothing remains to be corrected.
  mutating func finish(_ judgment: inout Judgment) {
    endSegment(&judgment)
    isFinished = true
    var decided: [AcceptedFix] = []
    settled.finish { decided.append($0) }
    for one in decided { settle(one, &judgment) }
  }

  /// Changes the rules from the next fix on.
  mutating func change(to rules: LiveRules) {
    filter.changeSettings(to: rules.filter)
    flights.changeSettings(to: rules.filter)
    settled.changeSettings(to: rules.filter)
    changeZones(to: rules.filter.zones)
    self.rules = rules
  }

  /// Changes the privacy zones from the next fix on.
  mutating func changeZones(to zones: PrivacyZones) {
    guard zones != filter.zones else { return }
    rules.filter.zones = zones
    if filter.changeZones(to: zones) { keptStartsSegment = true }
  }

  /// Notes that the store left out the last kept fix, so that the next one starts a segment.
  mutating func noteWithheld() { keptStartsSegment = true }

  // MARK: - Rules

  private func endsSegment(before fix: Fix) -> Bool {
    guard !rules.isLikeFile, let last = lastTime, let time = fix.time else { return false }
    let seconds = Double(time.millisecondsSince1970 &- last.millisecondsSince1970) / 1_000
    return seconds > rules.longestGapSeconds
  }

  /// Whether a fix that passed the filter is drift of a receiver that stands still.
  private func isDrift(_ fix: Fix) -> Bool {
    guard !rules.isLikeFile, let lastKept else { return false }
    let meters = lastKept.coordinate.distanceMeters(to: fix.coordinate)
    if hasDrifted, meters < rules.filter.trackingDistanceMeters { return true }
    guard let speed = fix.speedMetersPerSecond, speed < rules.standingSpeedMetersPerSecond,
      let accuracy = fix.horizontalAccuracyMeters, let before = lastKept.horizontalAccuracyMeters
    else { return false }
    return meters * meters <= accuracy * accuracy + before * before
  }

  /// Adds a verdict, unless it waits for the recognizer of flights.
  private mutating func decide(_ judged: JudgedFix, _ judgment: inout Judgment) {
    var judged = judged
    if judged.verdict == .kept, isDrift(judged.fix) {
      judged.verdict = .dropped(.tooClose)
      hasDrifted = true
    }
    guard judged.verdict == .kept else {
      if judged.verdict == .dropped(.privacyZone) { keptStartsSegment = true }
      if waiting.isEmpty { judgment.verdicts.append(judged) } else { waiting.append(judged) }
      return
    }
    (lastKept, hasDrifted) = (judged.fix, false)
    judged.startsSegment = keptStartsSegment
    keptStartsSegment = false
    waiting.append(judged)
    let accepted = AcceptedFix(fix: judged.fix, startsSegment: judged.startsSegment)
    var decided: [AcceptedFix] = []
    flights.push(accepted) { decided.append($0) }
    for one in decided { release(one, &judgment) }
    decided.removeAll(keepingCapacity: true)
    settled.push(accepted) { decided.append($0) }
    for one in decided { settle(one, &judgment) }
  }

  /// Moves the oldest waiting verdict, about this fix, to the judgment, and the verdicts about
  /// dropped fixes behind it.
  private mutating func release(_ fix: AcceptedFix, _ judgment: inout Judgment) {
    guard !waiting.isEmpty else { return }
    let flags: FlightFlags
    if settledAhead.isEmpty {
      flags = FlightFlags(fix)
      unsettled.append(flags)
    } else {
      flags = settledAhead.removeFirst()
    }
    waiting[0].isInFlight = flags.isInFlight
    waiting[0].endsFlightLeg = flags.endsFlightLeg
    let end = waiting.dropFirst().firstIndex { $0.verdict == .kept } ?? waiting.count
    judgment.verdicts += waiting[..<end]
    waiting.removeFirst(end)
  }

  /// Compares the second recognizer's decision with what was said before.
  private mutating func settle(_ fix: AcceptedFix, _ judgment: inout Judgment) {
    let certain = FlightFlags(fix)
    if !isInZone(fix.fix.coordinate) { judgment.settled.append(JudgedFix(fix)) }
    guard unsettledHead < unsettled.count else {
      settledAhead.append(certain)
      return
    }
    let said = unsettled[unsettledHead]
    if said != certain { correct(fix, wasInFlight: said.isInFlight, &judgment) }
    unsettledHead += 1
    if unsettledHead == unsettled.count || unsettledHead == FlightRecognizer.longestWait {
      unsettled.removeFirst(unsettledHead)
      unsettledHead = 0
    }
  }

  /// Corrects the verdict of this judgment about a fix, or else one that was given before.
  private func correct(_ fix: AcceptedFix, wasInFlight: Bool, _ judgment: inout Judgment) {
    let index = judgment.verdicts.firstIndex {
      $0.verdict == .kept && $0.fix == fix.fix && $0.isInFlight == wasInFlight
    }
    if let index {
      judgment.verdicts[index].isInFlight = fix.isInFlight
      judgment.verdicts[index].endsFlightLeg = fix.endsFlightLeg
    } else {
      judgment.corrections.append(
        FlightCorrection(
          coordinate: fix.fix.coordinate, time: fix.fix.time, wasInFlight: wasInFlight,
          isInFlight: fix.isInFlight, endsFlightLeg: fix.endsFlightLeg))
    }
  }
}

/// What a recognizer decided about a fix.
private struct FlightFlags: Equatable {
  let isInFlight: Bool
  let endsFlightLeg: Bool

  init(_ fix: AcceptedFix) { (isInFlight, endsFlightLeg) = (fix.isInFlight, fix.endsFlightLeg) }
}

extension JudgedFix {
  /// A kept fix.
  fileprivate init(_ fix: AcceptedFix) {
    self.init(fix: fix.fix, verdict: .kept)
    startsSegment = fix.startsSegment
    isInFlight = fix.isInFlight
    endsFlightLeg = fix.endsFlightLeg
  }
}
