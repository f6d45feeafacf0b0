import Geodesy

/// What the filter decides about a fix.
public enum Verdict: Hashable, Sendable {
  /// Passed every rule.
  case kept
  /// Left out, and why.
  case dropped(DropReason)
}

/// Decides which fixes are kept: a pure state machine, fix in, verdict out.
///
/// The rules are asked in the order of ``DropReason``, and the first that applies is the reason. A fix that
/// could only have been reached too fast waits for the one after it, so a verdict may come one fix late;
/// verdicts always come in the order of the fixes. `docs/decisions/lone-glitch.md` defines the glitch.
///
/// A segment starts afresh: its first fix has nothing before it to be too close to or too far from.
public struct FixFilter: Sendable {
  /// What is asked of a fix.
  public let settings: FilterSettings

  /// The last kept fix of this segment.
  private var lastKept: LocalFrame?
  private var lastKeptTime: Timestamp?
  /// The last fix of this segment that was not implausible, kept or not.
  private var previous: Place?
  /// A fix that could only have been reached too fast and waits for the next.
  private var suspect: Fix?
  /// Fixes dropped while one waited. They bear no witness, and wait with it to keep the order.
  private var waiting: [(fix: Fix, reason: DropReason)] = []

  /// So many dropped fixes may wait behind a suspect; then it counts as the last of its segment would.
  public static let longestWait = 64

  /// A time difference is taken to be at least this, in seconds: times are mostly written in whole seconds.
  public static let shortestStepSeconds = 1.0

  /// A filter that has seen nothing yet.
  public init(settings: FilterSettings = FilterSettings()) { self.settings = settings }

  /// Takes the next fix, and gives `emit` each fix whose verdict is now known.
  ///
  /// - Parameter startsSegment: whether this fix is the first of a segment.
  /// - Complexity: O(1); a few dozen operations on integers and multiplications unless the fix is kept (a sine
  ///   and a cosine) or within 0.1 % of the limit (an exact distance).
  @inline(__always)
  public mutating func push(_ fix: Fix, startsSegment: Bool, emit: (Fix, Verdict) -> Void) {
    if startsSegment { startSegment(emit: emit) }
    if let reason = flaw(of: fix) {
      if suspect == nil {
        emit(fix, .dropped(reason))
      } else {
        hold(fix, reason, emit: emit)
      }
      return
    }
    if suspect != nil { settle(next: fix, emit: emit) }
    let place = Place(fix)
    if let previous, isTooFast(previous, place) {
      suspect = fix
      return
    }
    accept(fix, place, emit: emit)
  }

  /// The track has ended: gives `emit` what still waits.
  public mutating func finish(emit: (Fix, Verdict) -> Void) { startSegment(emit: emit) }

  // MARK: Rules

  /// What is wrong with a fix by itself.
  @inline(__always)
  private func flaw(of fix: Fix) -> DropReason? {
    if fix.coordinate.isNullIsland { return .nullIsland }
    if let accuracy = fix.horizontalAccuracyMeters,
      !(accuracy > 0 && accuracy <= settings.maximumAccuracyMeters)
    {
      return .inaccurate  // NaN fails both comparisons
    }
    return nil
  }

  /// Whether a fix comes too soon after the last kept one, or too close to it.
  @inline(__always)
  private func redundancy(of place: Place) -> DropReason? {
    guard let lastKept else { return nil }
    if let time = place.time, let lastKeptTime {
      let milliseconds = time.millisecondsSince1970 &- lastKeptTime.millisecondsSince1970
      if milliseconds >= 0, Double(milliseconds) < settings.minimumIntervalSeconds * 1_000 { return .tooSoon }
    }
    return lastKept.isNearer(than: settings.trackingDistanceMeters, to: place.coordinate) ? .tooClose : nil
  }

  /// Whether nobody could have come from one place to the other at the speed allowed.
  @inline(__always)
  private func isTooFast(_ start: Place, _ end: Place) -> Bool {
    guard let startTime = start.time, let endTime = end.time else { return false }
    let milliseconds = abs(endTime.millisecondsSince1970 &- startTime.millisecondsSince1970)
    let seconds = max(Double(milliseconds) / 1_000, Self.shortestStepSeconds)
    let reachMeters = settings.maximumSpeedMetersPerSecond * seconds
    if start.coordinate.mostMeters(to: end.coordinate) <= reachMeters { return false }
    return start.coordinate.distanceMeters(to: end.coordinate) > reachMeters
  }

  // MARK: State

  /// A fix that is plausible: kept unless redundant.
  @inline(__always)
  private mutating func accept(_ fix: Fix, _ place: Place, emit: (Fix, Verdict) -> Void) {
    previous = place
    if let reason = redundancy(of: place) {
      emit(fix, .dropped(reason))
      return
    }
    lastKept = LocalFrame(center: place.coordinate)
    lastKeptTime = place.time
    emit(fix, .kept)
  }

  /// Decides about the suspect, now that the fix after it is known, or that there is none.
  @inline(never)
  private mutating func settle(next: Fix?, emit: (Fix, Verdict) -> Void) {
    guard let fix = suspect else { return }
    suspect = nil
    let place = Place(fix)
    if let next, isTooFast(place, Place(next)) {
      emit(fix, .dropped(redundancy(of: place) ?? .implausible))
    } else {
      accept(fix, place, emit: emit)
    }
    for held in waiting { emit(held.fix, .dropped(held.reason)) }
    waiting.removeAll(keepingCapacity: true)
  }

  @inline(never)
  private mutating func hold(_ fix: Fix, _ reason: DropReason, emit: (Fix, Verdict) -> Void) {
    waiting.append((fix, reason))
    if waiting.count >= Self.longestWait { settle(next: nil, emit: emit) }
  }

  @inline(__always)
  private mutating func startSegment(emit: (Fix, Verdict) -> Void) {
    if suspect != nil { settle(next: nil, emit: emit) }
    (lastKept, lastKeptTime, previous) = (nil, nil, nil)
  }

  /// Where and when a fix was.
  private struct Place: Sendable {
    let coordinate: Coordinate
    let time: Timestamp?

    @inline(__always)
    init(_ fix: Fix) { (coordinate, time) = (fix.coordinate, fix.time) }
  }
}

extension Coordinate {
  /// A length in metres that the distance to `other` surely does not exceed: along a meridian, then along a
  /// parallel.
  ///
  /// - Guarantee: an upper bound. A degree of latitude is at most 111 694 m (at a pole), one of longitude at
  ///   most 111 320 m (at the equator), so 1e-7 degree is less than 0.011 17 m.
  @inline(__always)
  func mostMeters(to other: Coordinate) -> Double {
    let north = abs(Int64(latitudeE7) &- Int64(other.latitudeE7))
    let east = abs(Int64(longitudeE7) &- Int64(other.longitudeE7))
    return Double(north &+ min(east, Self.unitsPerTurn &- east)) * 0.011_17
  }
}
