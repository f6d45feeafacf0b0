import Geodesy

/// The filter's decision about a fix.
///
/// ```swift
/// let recording = try await explorer.startRecording(named: "Walk")
/// for await fix in receiver {
///   for judged in try await recording.add(fix).verdicts {
///     if case .dropped(let reason) = judged.verdict { print("dropped: \(reason)") }
///   }
/// }
/// ```
public enum Verdict: Hashable, Sendable {
  /// The fix passed every rule.
  case kept
  /// The fix was dropped for this reason.
  case dropped(DropReason)
}

/// Decides which fixes are kept. A pure state machine: each fix is pushed, and its verdict is
/// emitted.
///
/// A fix in a privacy zone is dropped and ends the segment. Otherwise the rules apply in the order
/// of ``DropReason``; the first that matches is the reason. A fix that is too far from the previous
/// one waits for the next, so its verdict may come later. Verdicts are always emitted in the order
/// of the fixes. `docs/decisions/lone-glitch.md` defines the implausible jump.
///
/// A new segment has no earlier fixes: its first fix is neither too close to nor too far from
/// another.
package struct FixFilter: Sendable {
  /// The limits.
  package private(set) var settings: FilterSettings
  /// True if there are privacy zones.
  private var hasZones: Bool

  /// The last kept fix of this segment.
  private var lastKept: LocalFrame?
  private var lastKeptTime: Timestamp?
  private var lastKeptResolution = TimeResolution.second
  /// The last fix of this segment that was not implausible, kept or not.
  private var previous: Place?
  /// A fix that is too far from the previous one and waits for the next.
  private var suspect: Fix?
  /// Fixes dropped while a suspect waits. They confirm nothing, and wait too to preserve the order.
  private var waiting: [(fix: Fix, reason: DropReason)] = []

  /// The maximum number of dropped fixes that wait with a suspect. After that, the suspect is
  /// decided like the last fix of a segment.
  package static let longestWait = 64

  /// Creates a filter at the start of a track.
  package init(settings: FilterSettings = FilterSettings()) {
    self.settings = settings
    hasZones = !settings.zones.isEmpty
  }

  /// The privacy zones.
  package var zones: PrivacyZones { settings.zones }

  /// Whether a fix waits for the next one.
  package var isWaiting: Bool { suspect != nil }

  /// Changes the limits, which apply from the next fix on. The privacy zones stay
  /// (``changeZones(to:)``).
  package mutating func changeSettings(to settings: FilterSettings) {
    let zones = self.settings.zones
    self.settings = settings
    self.settings.zones = zones
  }

  /// Changes the privacy zones, which apply from the next fix on. If the last fix is in a zone now,
  /// the next one starts a segment.
  ///
  /// - Returns: true if the next fix starts a segment.
  package mutating func changeZones(to zones: PrivacyZones) -> Bool {
    settings.zones = zones
    hasZones = !zones.isEmpty
    let last = [lastKept?.center, previous?.coordinate, suspect?.coordinate]
    guard last.contains(where: { $0.map(isInZone) ?? false }) else { return false }
    (lastKept, lastKeptTime, previous) = (nil, nil, nil)
    return true
  }

  /// Returns true if a position lies in a privacy zone.
  @inline(__always)
  package func isInZone(_ coordinate: Coordinate) -> Bool {
    hasZones && settings.zones.contains(coordinate)
  }

  /// Adds the next fix, and calls `emit` with each fix whose verdict is now known.
  ///
  /// - Parameters:
  ///   - fix: the next fix.
  ///   - startsSegment: true if this fix is the first of a segment.
  ///   - emit: receives a fix and its verdict.
  /// - Complexity: O(1); a few dozen operations on integers and multiplications unless the fix is
  ///   kept (a sine and a cosine) or within 0.1 % of the limit (an exact distance).
  @inline(__always)
  package mutating func push(_ fix: Fix, startsSegment: Bool, emit: (Fix, Verdict) -> Void) {
    if startsSegment { startSegment(emit: emit) }
    if isInZone(fix.coordinate) { return cut(at: fix, emit: emit) }
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

  /// Ends the track: calls `emit` with the fixes that are still waiting.
  package mutating func finish(emit: (Fix, Verdict) -> Void) { startSegment(emit: emit) }

  // MARK: Rules

  /// The reason to drop a fix that does not depend on others.
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

  /// The reason to drop a fix that is too soon after, or too close to, the last kept one.
  @inline(__always)
  private func redundancy(of place: Place) -> DropReason? {
    guard let lastKept else { return nil }
    if let time = place.time, let lastKeptTime {
      let milliseconds = time.millisecondsSince1970 &- lastKeptTime.millisecondsSince1970
      if milliseconds >= 0, Double(milliseconds) < settings.minimumIntervalSeconds * 1_000,
        isCertainlyTooSoon(milliseconds, after: lastKeptResolution, place.timeResolution)
      {
        return .tooSoon
      }
    }
    return lastKept.isNearer(than: settings.trackingDistanceMeters, to: place.coordinate)
      ? .tooClose : nil
  }

  /// Returns true if a fix that seems to be too soon is. Equal times without seconds may be nearly
  /// a minute apart.
  @inline(never)
  private func isCertainlyTooSoon(
    _ milliseconds: Int64, after last: TimeResolution, _ next: TimeResolution
  ) -> Bool {
    let coarser = max(last, next)
    return coarser == .second
      || Double(milliseconds) / 1_000 + Double(coarser.seconds) < settings.minimumIntervalSeconds
  }

  /// Returns true if one place cannot be reached from the other at the maximum speed, in at least a
  /// second. If a time has no seconds, or no time of day, a minute or a day more may have passed.
  @inline(__always)
  private func isTooFast(_ start: Place, _ end: Place) -> Bool {
    guard let startTime = start.time, let endTime = end.time else { return false }
    let milliseconds = abs(endTime.millisecondsSince1970 &- startTime.millisecondsSince1970)
    let coarser = max(start.timeResolution, end.timeResolution)
    let seconds =
      coarser == .second
      ? max(Double(milliseconds) / 1_000, 1)
      : Double(milliseconds) / 1_000 + Double(coarser.seconds)
    let reachMeters = settings.maximumSpeedMetersPerSecond * seconds
    if start.coordinate.mostMeters(to: end.coordinate) <= reachMeters { return false }
    return start.coordinate.distanceMeters(to: end.coordinate) > reachMeters
  }

  // MARK: State

  /// Adds a plausible fix, which is kept unless it is redundant.
  @inline(__always)
  private mutating func accept(_ fix: Fix, _ place: Place, emit: (Fix, Verdict) -> Void) {
    previous = place
    if let reason = redundancy(of: place) {
      emit(fix, .dropped(reason))
      return
    }
    lastKept = LocalFrame(center: place.coordinate)
    lastKeptTime = place.time
    lastKeptResolution = place.timeResolution
    emit(fix, .kept)
  }

  /// Decides about the suspect, with or without the next fix.
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

  /// Drops a fix in a privacy zone, and ends the segment.
  @inline(never)
  private mutating func cut(at fix: Fix, emit: (Fix, Verdict) -> Void) {
    startSegment(emit: emit)
    emit(fix, .dropped(.privacyZone))
  }

  @inline(__always)
  private mutating func startSegment(emit: (Fix, Verdict) -> Void) {
    if suspect != nil { settle(next: nil, emit: emit) }
    (lastKept, lastKeptTime, previous) = (nil, nil, nil)
  }

  /// The position and time of a fix.
  private struct Place: Sendable {
    let coordinate: Coordinate
    let time: Timestamp?
    let timeResolution: TimeResolution

    @inline(__always)
    init(_ fix: Fix) {
      (coordinate, time, timeResolution) = (fix.coordinate, fix.time, fix.timeResolution)
    }
  }
}

extension Coordinate {
  /// An upper bound of the distance to `other` in meters: along a meridian, then along a parallel.
  ///
  /// - Source: a degree of latitude is at most 111 694 m (at a pole), one of longitude at
  ///   most 111 320 m (at the equator), so 1e-7 degree is less than 0.011 17 m.
  @inline(__always)
  func mostMeters(to other: Coordinate) -> Double {
    let north = abs(Int64(latitudeE7) &- Int64(other.latitudeE7))
    let east = abs(Int64(longitudeE7) &- Int64(other.longitudeE7))
    return Double(north &+ min(east, Self.unitsPerTurn &- east)) * 0.011_17
  }
}
