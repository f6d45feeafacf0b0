/// A pure function of state and action: it changes the state, and returns what must be done outside
/// as effects. It reads no clock, no file and no random number, so the same actions always give the
/// same states and effects.
///
/// An app puts one reducer inside its own by passing on the part of its state, and translating the
/// effects:
///
/// ```swift
/// struct AppReducer: Reducer {
///   struct State { var session = LiveSession.State(); var isMapShown = false }
///   enum Action { case session(LiveSession.Action), mapTapped }
///   enum Effect { case session(LiveSession.Effect) }
///
///   func reduce(_ state: inout State, _ action: Action) -> [Effect] {
///     switch action {
///     case .session(let action):
///       return LiveSession().reduce(&state.session, action).map(Effect.session)
///     case .mapTapped:
///       state.isMapShown.toggle()
///       return []
///     }
///   }
/// }
/// ```
public protocol Reducer<State, Action, Effect>: Sendable {
  /// Everything that is remembered between two actions.
  associatedtype State
  /// Something that happened.
  associatedtype Action
  /// Something to do outside. Its result comes back as an action.
  associatedtype Effect

  /// Changes the state for an action, and returns the effects in the order in which they must
  /// begin.
  func reduce(_ state: inout State, _ action: Action) -> [Effect]
}
