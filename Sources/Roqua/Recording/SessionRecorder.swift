import GeoStore
import Session
import TrackIngest

/// Carries out the effects of a live session that is part of an app's own state: it stores fixes,
/// finds places, and feeds ``Explorer/events``.
///
/// A ``Recording`` does this for an app that only adds fixes. With a recorder, the app owns the
/// state of the session, and the clock and the receiver are its own:
///
/// ```swift
/// let recorder = try await explorer.startSession(named: "Ride")
/// var state = LiveSession.State(rules: recorder.rules)
/// let fix = Fix(coordinate: here, time: now, horizontalAccuracyMeters: 8)
/// for effect in LiveSession().reduce(&state, .fixesArrived([fix])) {
///   for action in try recorder.carryOut(effect, of: state) {
///     print(LiveSession().reduce(&state, action).count, "effects follow")
///   }
/// }
/// ```
public struct SessionRecorder: Sendable {
  /// The number of the session's source in the store.
  public let sourceID: StoredSource.ID
  /// The name of the source.
  public let name: String
  /// The rules to begin the session with: the store's settings and privacy zones.
  public let rules: LiveRules

  let environment: RecordingEnvironment

  /// Carries out an effect, and blocks while SQLite writes. Effects must be carried out in order,
  /// and not at the same time.
  ///
  /// A timer is the app's own: `setTimer` and `cancelTimer` do nothing here.
  ///
  /// - Parameters:
  ///   - effect: what the session asks to be done.
  ///   - state: the state after the action that had the effect.
  /// - Returns: the actions that answer it, to be sent in order before anything else: whether a
  ///   request was stored, or why not, with changed rules before it; and the place that was found.
  /// - Throws: `StoreError.recordingForgotten(path:id:)` if the session's source was forgotten; at
  ///   the end of the session, also `DatabaseError`.
  public func carryOut(
    _ effect: LiveSession.Effect, of state: LiveSession.State
  ) throws -> [LiveSession.Action] {
    switch effect {
    case .store(let request):
      do {
        let stored = try environment.store(request, state.rules)
        let answer = LiveSession.Action.stored(request.id, stored.outcome)
        return (stored.newRules.map { [.rulesChanged($0)] } ?? []) + [answer]
      } catch let error as DatabaseError {
        return [.failed(request.id, error.description)]
      }
    case .findPlace(let coordinate): return [.placeFound(environment.place(coordinate))]
    case .publish(let event): environment.publish([event])
    case .setTimer, .cancelTimer: break
    case .end(let report):
      let unlocks = try environment.end(report, state.hasBackwardTime)
      environment.publish(unlocks.map { .achievementUnlocked($0) })
    }
    return []
  }
}
