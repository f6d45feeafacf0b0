import Geodesy

/// Recognizes flights among kept fixes: marks the fixes in the air, and the legs of a flight.
///
/// A leg is the step between two consecutive kept fixes with times that do not run backward. Legs
/// may cross the boundaries of segments. A leg is *fast* above ``fastMetersPerSecond``, and
/// *airborne* from ``airborneMetersPerSecond`` on. A run of fast legs is a flight if it lasts at
/// least ``shortestSeconds``, if the straight line between its ends is at least half as long as its
/// legs, and if it has at least ``fewestLegs`` legs or its ends are ``farMeters`` apart. A flight
/// extends over the airborne legs before and after it: climb and approach.
///
/// A fix between two legs of a flight is in flight. A fix at the end of a flight is on the ground,
/// unless it is certain that it is not (`docs/decisions/flights.md`).
///
/// A pure state machine. It holds back fixes until they are decided: the last one, and those of
/// airborne legs, up to ``longestWait``.
package struct FlightRecognizer: Sendable {
  /// Above this speed, in meters per second, a leg is fast: 396 km/h. The fastest trains in service
  /// run at 97 m/s (350 km/h); only the Shanghai maglev is faster, at most 120 m/s (431 km/h) for
  /// less than ``shortestSeconds``.
  package static let fastMetersPerSecond = 110.0
  /// From this speed on, in meters per second, a leg adjacent to a flight belongs to it. Airliners
  /// take off and land at 60 to 80 m/s; cars on the way to an airport are slower.
  package static let airborneMetersPerSecond = 50.0
  /// The minimum duration of a run of fast legs, in seconds.
  package static let shortestSeconds = 60.0
  /// The minimum number of legs in a run whose ends are near each other.
  package static let fewestLegs = 3
  /// The distance in meters from which one or two legs are enough. No wrong clock turns a train
  /// into an aircraft over such a distance unless it is wrong by minutes.
  package static let farMeters = 100_000.0
  /// The maximum duration in seconds of a leg that shows that a fix at its end is in the air. An
  /// airliner takes longer from the runway to the gate, or from the gate to the runway.
  package static let closestSeconds = 300.0
  /// The speed in meters per second from which the leg between the end of a flight and the ground
  /// shows that this end is in the air: 72 km/h, faster than aircraft taxi.
  package static let taxiMetersPerSecond = 20.0
  /// The maximum duration of such a leg in seconds. In a longer one, a traveler may have left the
  /// airport by car or train.
  package static let longestTaxiSeconds = 1_800.0
  /// The distance in meters from the end of a flight to the next fix on the ground from which the
  /// two are not near each other.
  package static let groundMeters = 5_000.0
  /// The maximum number of fixes held back in a file. They are 50 m apart with the default
  /// settings, so these are at least 51 km: more than the climb to a fast speed, and a minute of
  /// it.
  package static let longestWait = 1_024
  /// The maximum number of fixes held back in a recording: a minute at two fixes a second.
  package static let longestLiveWait = 128

  private var maximumSpeed: Double
  /// True if fixes are emitted as soon as possible: only fast legs hold them back.
  private let isLive: Bool
  private let capacity: Int

  /// The position and time of the fix before the oldest held one.
  private var before: Point?
  /// The fixes held back, from ``head`` on, and the last one; all legs between them are airborne.
  private var held: [AcceptedFix] = []
  private var head = 0
  /// True if the oldest held fix has been emitted, in a recording.
  private var isHeadEmitted = false
  /// The current run of fast legs, if no flight has been recognized.
  private var run = Run()
  /// The flight in progress, which includes the leg to the last fix: true if ``fewestLegs`` showed
  /// it.
  private var flightHasManyLegs: Bool?

  /// The number of flights recognized so far.
  package private(set) var flightCount = 0

  /// Creates a recognizer at the start of a source.
  ///
  /// - Parameters:
  ///   - settings: the maximum speed; a leg above it is not a fast one, since it is implausible.
  ///   - isLive: true for a recording. Fixes are held back only while the speed is that of a
  ///     flight, so climbs are not recognized.
  package init(settings: FilterSettings, isLive: Bool = false) {
    maximumSpeed = settings.maximumSpeedMetersPerSecond
    self.isLive = isLive
    capacity = isLive ? Self.longestLiveWait : Self.longestWait
  }

  /// Changes the maximum speed from the next fix on.
  package mutating func changeSettings(to settings: FilterSettings) {
    maximumSpeed = settings.maximumSpeedMetersPerSecond
  }

  /// Adds the next kept fix, and calls `emit` with each fix that is now decided, in order.
  ///
  /// - Complexity: O(1) amortized; one comparison of integers for a fix on the ground.
  @inline(__always)
  package mutating func push(_ fix: AcceptedFix, emit: (AcceptedFix) -> Void) {
    if flightHasManyLegs == nil, !isLive, held.count == 1,
      !Point(held[0]).mayBeAirborne(to: Point(fix))
    {
      before = Point(held[0])
      emit(held[0])
      held[0] = fix
      return
    }
    decide(fix, emit: emit)
  }

  /// Ends the source: calls `emit` with the fixes that are still held back.
  package mutating func finish(emit: (AcceptedFix) -> Void) {
    endRun(emit: emit)
    if flightHasManyLegs != nil { endFlight(next: nil, emit: emit) }
    release(held.count, emit: emit)
    before = nil
  }

  // MARK: - Decisions

  @inline(never)
  private mutating func decide(_ fix: AcceptedFix, emit: (AcceptedFix) -> Void) {
    guard let last = held.last else { return start(with: fix, emit: emit) }
    let leg = Leg(Point(last), Point(fix))
    let isFast =
      leg.map { $0.speed > Self.fastMetersPerSecond && $0.speed <= maximumSpeed } ?? false
    if !isFast { endRun(emit: emit) }
    let isAirborne = (leg?.speed ?? 0) >= Self.airborneMetersPerSecond
    if flightHasManyLegs != nil {
      if isAirborne { fly(to: fix, emit: emit) } else { endFlight(next: fix, emit: emit) }
    } else if let leg, isAirborne, isFast || !isLive {
      if held.count - head == capacity { release(1, emit: emit) }
      held.append(fix)
      if isFast { run.add(leg, from: Point(last), to: Point(fix)) }
      if run.isFlight { beginFlight(emit: emit) }
    } else {
      release(held.count - head, emit: emit)
      start(with: fix, emit: emit)
    }
  }

  /// Holds only this fix; a recording emits it at once.
  private mutating func start(with fix: AcceptedFix, emit: (AcceptedFix) -> Void) {
    held.append(fix)
    isHeadEmitted = isLive
    if isLive { emit(fix) }
  }

  /// Ends the run of fast legs before a leg that is not fast: even a short one is a flight if its
  /// ends are far apart.
  private mutating func endRun(emit: (AcceptedFix) -> Void) {
    if run.isFarFlight { beginFlight(emit: emit) }
    run = Run()
  }

  /// Begins a flight that includes all held fixes.
  private mutating func beginFlight(emit: (AcceptedFix) -> Void) {
    flightCount += 1
    flightHasManyLegs = run.legs >= Self.fewestLegs
    run = Run()
    let first = Point(held[head])
    held[head].isInFlight = isInAir(
      held[head], leg: Leg(first, Point(held[head + 1])), other: before.flatMap { Leg($0, first) })
    for index in held.indices[(head + 1)...] {
      held[index].endsFlightLeg = true
      held[index].isInFlight = index < held.count - 1
    }
    release(held.count - head - 1, emit: emit)
  }

  /// Continues the flight to the next fix.
  private mutating func fly(to fix: AcceptedFix, emit: (AcceptedFix) -> Void) {
    held[head].isInFlight = true
    release(1, emit: emit)
    var fix = fix
    fix.endsFlightLeg = true
    held.append(fix)
  }

  /// Ends the flight at the last fix.
  private mutating func endFlight(next: AcceptedFix?, emit: (AcceptedFix) -> Void) {
    let last = Point(held[head])
    held[head].isInFlight = isInAir(
      held[head], leg: before.flatMap { Leg($0, last) },
      other: next.flatMap { Leg(last, Point($0)) })
    flightHasManyLegs = nil
    release(1, emit: emit)
    if let next { start(with: next, emit: emit) }
  }

  /// Returns true if the fix at an end of the flight counts as in the air: its leg of the flight is
  /// too short to reach the gate, and its other leg is too fast to be on the ground, or missing; or
  /// no other fix is near it, and it has no accuracy, as in the path that Google draws for a
  /// flight.
  private func isInAir(_ end: AcceptedFix, leg: Leg?, other: Leg?) -> Bool {
    guard flightHasManyLegs == true, let leg else { return false }
    let isClose = leg.seconds <= Self.closestSeconds
    let isDrawn = end.fix.horizontalAccuracyMeters == nil
    guard let other else { return isClose || isDrawn }
    if isDrawn, other.meters > Self.groundMeters { return true }
    return isClose && other.speed >= Self.taxiMetersPerSecond
      && other.seconds <= Self.longestTaxiSeconds
  }

  /// Emits the oldest held fixes.
  private mutating func release(_ count: Int, emit: (AcceptedFix) -> Void) {
    for _ in 0..<min(count, held.count - head) {
      if !isHeadEmitted { emit(held[head]) }
      isHeadEmitted = false
      before = Point(held[head])
      head += 1
    }
    if head == held.count || head == capacity {
      held.removeFirst(head)
      head = 0
    }
  }
}

extension FlightRecognizer {
  /// The position and time of a fix.
  fileprivate struct Point: Sendable {
    let coordinate: Coordinate
    let time: Timestamp?

    @inline(__always)
    init(_ fix: AcceptedFix) { (coordinate, time) = (fix.fix.coordinate, fix.fix.time) }

    /// Returns false if the leg to the next fix is certainly not airborne: a cheap test for nearly
    /// all fixes.
    @inline(__always)
    func mayBeAirborne(to next: Point) -> Bool {
      guard let time, let nextTime = next.time, nextTime >= time else { return false }
      let milliseconds = nextTime.millisecondsSince1970 &- time.millisecondsSince1970
      let reach = FlightRecognizer.airborneMetersPerSecond * Double(max(milliseconds, 1_000))
      return coordinate.mostMeters(to: next.coordinate) * 1_000 >= reach
    }
  }

  /// The step between two consecutive kept fixes.
  fileprivate struct Leg {
    let meters: Double
    let seconds: Double

    /// Creates the leg; nil if a time is unknown or runs backward.
    init?(_ start: Point, _ end: Point) {
      guard let startTime = start.time, let endTime = end.time, startTime <= endTime else {
        return nil
      }
      meters = start.coordinate.distanceMeters(to: end.coordinate)
      seconds =
        Double(endTime.millisecondsSince1970 &- startTime.millisecondsSince1970) / 1_000
    }

    /// Meters per second. Times are mostly whole seconds, so a shorter leg counts as one second.
    var speed: Double { meters / max(seconds, 1) }
  }

  /// A run of fast legs.
  fileprivate struct Run: Sendable {
    private(set) var legs = 0
    private var start: Coordinate?
    private var seconds = 0.0
    private var meters = 0.0
    private var straightMeters = 0.0

    mutating func add(_ leg: Leg, from last: Point, to next: Point) {
      let first = start ?? last.coordinate
      start = first
      legs += 1
      seconds += leg.seconds
      meters += leg.meters
      straightMeters = first.distanceMeters(to: next.coordinate)
    }

    private var leadsAway: Bool {
      seconds >= FlightRecognizer.shortestSeconds && straightMeters >= meters / 2
    }
    /// True if the run is a flight, whatever follows.
    var isFlight: Bool { legs >= FlightRecognizer.fewestLegs && leadsAway }
    /// True if the run is a flight now that it has ended.
    var isFarFlight: Bool {
      legs > 0 && leadsAway && straightMeters >= FlightRecognizer.farMeters
    }
  }
}
