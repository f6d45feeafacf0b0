import Geodesy
import TrackIngest

/// A live session as a pure reducer: what a recording does with each fix, without a store, a file
/// or a clock. `Recording` of the module `Roqua` carries its effects out; a test does it with
/// `TestStore` of `RoquaTesting`; an app can put it inside a reducer of its own (``Reducer``).
///
/// ```swift
/// var state = LiveSession.State()
/// let fix = Fix(coordinate: here, time: now, horizontalAccuracyMeters: 8)
/// for effect in LiveSession().reduce(&state, .fixesArrived([fix])) {
///   if case .store(let request) = effect { print("store \(request.verdicts.count) verdicts") }
/// }
/// ```
///
/// Events come in the order of the fixes. Those about a kept fix are published when the store has
/// answered that it is stored.
public struct LiveSession: Reducer {
  /// Something that happened to the session.
  public enum Action: Hashable, Sendable {
    /// Fixes arrived from the receiver, in order.
    case fixesArrived([Fix])
    /// The person paused: the segment ends, and fixes are ignored.
    case paused
    /// The person resumed.
    case resumed
    /// The segment ends, but fixes are still taken: the receiver was away.
    case interrupted
    /// The session ends.
    case finished
    /// The settings or privacy zones changed.
    case rulesChanged(LiveRules)
    /// The timer ended.
    case clockTicked
    /// The place around the last kept fix was found; nil names if there is none.
    case placeFound(PlaceNames)
    /// A request was stored.
    case stored(Int, StoreOutcome)
    /// A request could not be stored: the reason for people.
    case failed(Int, String)
  }

  /// Something to do outside.
  public enum Effect: Hashable, Sendable {
    /// Store these fixes in one transaction, then send ``Action/stored(_:_:)`` or
    /// ``Action/failed(_:_:)``. The next request is handed over after the answer.
    case store(StoreRequest)
    /// Find the names of a place, then send ``Action/placeFound(_:)``.
    case findPlace(Coordinate)
    /// Send an event to all listeners.
    case publish(ExplorationEvent)
    /// Send ``Action/clockTicked`` after a delay, instead of any time asked for before.
    case setTimer(seconds: Double)
    /// Send no ``Action/clockTicked``.
    case cancelTimer
    /// All is stored, and the session has ended.
    case end(TrackReport)
  }

  /// The seconds after which a request that failed is handed over again.
  public static let retrySeconds = 1.0

  /// Creates the reducer.
  public init() {}

  /// Changes the state for an action, and returns what must be done outside, in order.
  ///
  /// - Complexity: O(fixes of the action), and up to 128 fixes that waited, when a flight is
  ///   recognized.
  public func reduce(_ state: inout State, _ action: Action) -> [Effect] {
    guard state.phase != .finished || action.isAnswer else { return [] }
    var effects: [Effect] = []
    switch action {
    case .fixesArrived(let fixes):
      guard state.phase == .recording else { break }
      take(fixes, &state, &effects)
    case .paused, .interrupted, .finished:
      end(action, &state, &effects)
    case .resumed:
      if state.phase == .paused { state.phase = .recording }
    case .rulesChanged(let rules):
      state.rules = rules
      state.judge.change(to: rules)
    case .clockTicked:
      tick(&state, &effects)
    case .placeFound(let place):
      state.place = place
    case .stored(let id, let outcome):
      note(outcome, of: id, &state, &effects)
    case .failed(let id, _):
      guard state.unstored.first?.id == id else { break }
      state.isRetrying = true
      setTimer(Self.retrySeconds, &state, &effects)
    }
    return effects
  }

  // MARK: - Fixes

  private func take(_ fixes: [Fix], _ state: inout State, _ effects: inout [Effect]) {
    var judgment = FixJudge.Judgment()
    for fix in fixes {
      note(fix, in: &state)
      state.judge.judge(fix, &judgment)
    }
    hand(over: judgment, points: fixes.count, &state, &effects)
    if !state.isRetrying, !state.rules.isLikeFile {
      setTimer(state.rules.longestGapSeconds, &state, &effects)
    }
  }

  private func end(_ action: Action, _ state: inout State, _ effects: inout [Effect]) {
    var judgment = FixJudge.Judgment()
    if action == .finished {
      state.judge.finish(&judgment)
      state.phase = .finished
    } else {
      state.judge.endSegment(&judgment)
      if action == .paused { state.phase = .paused }
    }
    state.report.flights = state.judge.flightCount
    hand(over: judgment, points: 0, &state, &effects)
    if !state.isRetrying, state.timerSeconds != nil {
      state.timerSeconds = nil
      effects.append(.cancelTimer)
    }
    if state.phase == .finished, state.unstored.isEmpty { effects.append(.end(state.report)) }
  }

  private func tick(_ state: inout State, _ effects: inout [Effect]) {
    state.timerSeconds = nil
    if state.isRetrying {
      state.isRetrying = false
      if let first = state.unstored.first { effects.append(.store(first)) }
    } else if state.phase == .recording, !state.rules.isLikeFile {
      end(.interrupted, &state, &effects)
    }
  }

  private func note(_ fix: Fix, in state: inout State) {
    state.report.points += 1
    if fix.horizontalAccuracyMeters == nil { state.report.unknownAccuracy += 1 }
    if fix.time == nil { state.report.undated += 1 }
    // Of a fix in a privacy zone, the state contains neither place nor time.
    state.latestFix = nil
    if state.judge.isInZone(fix.coordinate) { return }
    state.latestFix = fix
    if !fix.coordinate.isNullIsland, state.report.extent?.include(fix.coordinate) == nil {
      state.report.extent = Extent(fix.coordinate)
    }
    guard let time = fix.time else { return }
    if let last = state.report.lastTime, time < last { state.hasBackwardTime = true }
    state.report.firstTime = state.report.firstTime.map { min($0, time) } ?? time
    state.report.lastTime = state.report.lastTime.map { max($0, time) } ?? time
  }

  // MARK: - Storing

  private func hand(
    over judgment: FixJudge.Judgment, points: Int, _ state: inout State, _ effects: inout [Effect]
  ) {
    let isEmpty =
      judgment.verdicts.isEmpty && judgment.corrections.isEmpty && judgment.settled.isEmpty
    guard points > 0 || !isEmpty else { return }
    var request = StoreRequest(
      id: state.nextRequest, verdicts: judgment.verdicts, points: points,
      corrections: judgment.corrections)
    request.settled = judgment.settled
    state.nextRequest += 1
    state.unstored.append(request)
    if state.unstored.count == 1 { effects.append(.store(request)) }
  }

  private func note(
    _ outcome: StoreOutcome, of id: Int, _ state: inout State, _ effects: inout [Effect]
  ) {
    guard state.unstored.first?.id == id else { return }
    var request = state.unstored.removeFirst()
    if outcome.withheld > 0 {
      for index in request.verdicts.indices
      where outcome.zones.contains(request.verdicts[index].fix.coordinate) {
        request.verdicts[index] = JudgedFix(
          fix: request.verdicts[index].fix, verdict: .dropped(.privacyZone))
      }
      state.report.extent = nil
      state.judge.noteWithheld()
      if let latest = state.latestFix, outcome.zones.contains(latest.coordinate) {
        state.latestFix = nil
      }
    }
    if outcome.withheld > 0 || state.judge.zones != outcome.zones {
      state.rules.filter.zones = outcome.zones
      state.judge.changeZones(to: outcome.zones)
    }
    count(request, &state)
    state.regionsDiscovered += outcome.entered.count(where: \.isNew)
    state.regionsRevisited += outcome.entered.count { !$0.isNew }
    state.cellsAdded += outcome.cellsAdded
    state.squareKilometersAdded += outcome.squareKilometersAdded
    publish(request, outcome, &effects)
    if let last = outcome.entered.last { effects.append(.findPlace(last.region.center)) }
    if let next = state.unstored.first { effects.append(.store(next)) }
    if state.phase == .recording, state.timerSeconds == nil, !state.rules.isLikeFile {
      setTimer(state.rules.longestGapSeconds, &state, &effects)
    }
    if state.phase == .finished, state.unstored.isEmpty { effects.append(.end(state.report)) }
  }

  private func count(_ request: StoreRequest, _ state: inout State) {
    state.report.flights = state.judge.flightCount
    for judged in request.verdicts {
      switch judged.verdict {
      case .kept:
        state.report.kept += 1
        state.report.flightPoints += judged.isInFlight ? 1 : 0
      case .dropped(let reason): state.report.dropped[reason] += 1
      }
    }
    for correction in request.corrections where correction.isInFlight != correction.wasInFlight {
      state.report.flightPoints += correction.isInFlight ? 1 : -1
    }
  }

  private func publish(
    _ request: StoreRequest, _ outcome: StoreOutcome, _ effects: inout [Effect]
  ) {
    for judged in request.verdicts {
      switch judged.verdict {
      case .kept: effects.append(.publish(.fixKept(judged)))
      case .dropped(.privacyZone): effects.append(.publish(.fixDropped(nil, .privacyZone)))
      case .dropped(let reason): effects.append(.publish(.fixDropped(judged.fix, reason)))
      }
    }
    for entered in outcome.entered {
      effects.append(
        .publish(
          entered.isNew ? .regionDiscovered(entered.region) : .regionRevisited(entered.region)))
    }
    if outcome.cellsAdded > 0 {
      effects.append(
        .publish(
          .areaGrown(
            cells: outcome.cellsAdded, squareKilometers: outcome.squareKilometersAdded)))
    }
    for place in outcome.reached { effects.append(.publish(.placeReached(place))) }
    for unlock in outcome.unlocks { effects.append(.publish(.achievementUnlocked(unlock))) }
    for progress in outcome.progress {
      effects.append(.publish(.achievementProgressed(progress)))
    }
  }

  private func setTimer(_ seconds: Double, _ state: inout State, _ effects: inout [Effect]) {
    state.timerSeconds = seconds
    effects.append(.setTimer(seconds: seconds))
  }
}

extension LiveSession.Action {
  /// Whether it answers an effect: such actions also come after the end.
  fileprivate var isAnswer: Bool {
    switch self {
    case .stored, .failed, .placeFound, .clockTicked: true
    default: false
    }
  }
}
