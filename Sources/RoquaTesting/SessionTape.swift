import Session

/// The actions of a session in order, and what the reducer answered, as text: a session that is
/// recorded once can be replayed, and gives the same bytes as long as the rules do.
///
/// ```swift
/// import RoquaTesting
///
/// var tape = SessionTape(rules: LiveRules())
/// tape.send(.fixesArrived([Fix(coordinate: here, time: now, horizontalAccuracyMeters: 8)]))
/// print(tape.replayed().text == tape.text)  // true
/// ```
public struct SessionTape {
  /// The actions so far.
  public private(set) var actions: [LiveSession.Action] = []
  /// The effects of all actions, a line each, in order.
  public private(set) var text = ""
  /// The state after the last action.
  public private(set) var state: LiveSession.State

  private let rules: LiveRules

  /// Creates an empty tape.
  public init(rules: LiveRules) {
    self.rules = rules
    state = LiveSession.State(rules: rules)
  }

  /// Sends an action, and returns its effects.
  @discardableResult
  public mutating func send(_ action: LiveSession.Action) -> [LiveSession.Effect] {
    actions.append(action)
    let effects = LiveSession().reduce(&state, action)
    for effect in effects { text += "\(actions.count) \(effect)\n" }
    return effects
  }

  /// Sends the same actions to a new session.
  public func replayed() -> SessionTape {
    var tape = SessionTape(rules: rules)
    for action in actions { tape.send(action) }
    return tape
  }
}
