import Session

/// Sends actions to a reducer, and checks every change of the state and every effect.
///
/// Each action says what it changes; the store compares the states by their `==` with that. Two
/// states of ``/Session/LiveSession`` are equal if all that is public in them is; the memory of the
/// filter shows in the verdicts that follow. Effects wait until the test receives them, in order. A
/// change that was not reported, an effect of another kind, and effects that nobody received are
/// failures, which go to `fail`: `Issue.record` in Swift Testing, `XCTFail` in XCTest.
///
/// ```swift
/// import RoquaTesting
///
/// let test = TestStore(LiveSession(), LiveSession.State()) { failure in print(failure) }
/// test.send(.paused) { $0.phase = .paused }
/// test.finish()
/// ```
///
/// Every action is reduced twice, from copies of the same state, and both must give the same
/// result: a reducer that reads a clock or a random number fails.
public final class TestStore<R: Reducer> where R.State: Equatable, R.Effect: Equatable {
  /// The state after the last action.
  public private(set) var state: R.State
  /// The effects that no test has received yet, in order.
  public private(set) var effects: [R.Effect] = []

  private let reducer: R
  private let fail: (String) -> Void

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - reducer: the reducer to test.
  ///   - state: the state to begin with.
  ///   - fail: receives a sentence for each failure.
  public init(_ reducer: R, _ state: R.State, fail: @escaping (String) -> Void) {
    (self.reducer, self.state, self.fail) = (reducer, state, fail)
  }

  /// Sends an action.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - change: makes a copy of the state before the action what it must be after it. With no
  ///     closure, the state must not change.
  public func send(_ action: R.Action, _ change: (inout R.State) -> Void = { _ in }) {
    if let first = effects.first {
      fail("An effect was not received before the next action: \(first)")
    }
    var (expected, next, again) = (state, state, state)
    let made = reducer.reduce(&next, action)
    if reducer.reduce(&again, action) != made || again != next {
      fail("The reducer gave two results for one state and action: \(action)")
    }
    change(&expected)
    if expected != next {
      fail("The state differs after \(action):\n\(Self.difference(expected, next))")
    }
    state = next
    effects += made
  }

  /// Receives the next effect, which must equal the given one.
  public func receive(_ effect: R.Effect) {
    guard let first = effects.first else { return fail("There is no effect; expected \(effect)") }
    effects.removeFirst()
    if first != effect { fail("The effect differs: expected \(effect), got \(first)") }
  }

  /// Receives the next effect and returns what `body` finds in it; fails if it finds nothing.
  @discardableResult
  public func receive<T>(_ name: String, _ body: (R.Effect) -> T?) -> T? {
    guard let first = effects.first else {
      fail("There is no effect; expected \(name)")
      return nil
    }
    effects.removeFirst()
    let found = body(first)
    if found == nil { fail("The effect differs: expected \(name), got \(first)") }
    return found
  }

  /// Checks that every effect was received.
  public func finish() {
    for effect in effects { fail("An effect was not received: \(effect)") }
    effects = []
  }

  /// The properties that differ, a line each.
  private static func difference(_ expected: R.State, _ found: R.State) -> String {
    let (left, right) = (Mirror(reflecting: expected).children, Mirror(reflecting: found).children)
    let lines = zip(left, right).compactMap { (one, other) -> String? in
      let (before, after) = ("\(one.value)", "\(other.value)")
      guard before != after, let name = one.label else { return nil }
      return "  \(name): expected \(before), got \(after)"
    }
    return lines.isEmpty ? "  \(expected)\n  \(found)" : lines.joined(separator: "\n")
  }
}
