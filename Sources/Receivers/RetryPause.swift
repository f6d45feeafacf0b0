/// The pauses between attempts to connect: they double from ``shortestSeconds`` to
/// ``longestSeconds``, each shortened by a random share of up to a half, so that many clients of a
/// server that comes back do not call at once.
package struct RetryPause: Sendable {
  /// The first pause in seconds, before the random share is taken off.
  package static let shortestSeconds = 0.5
  /// The longest pause in seconds.
  package static let longestSeconds = 30.0

  private var next = Self.shortestSeconds

  /// Creates pauses that begin with the shortest.
  package init() {}

  /// The pause before the next attempt in seconds.
  package mutating func seconds(using random: inout some RandomNumberGenerator) -> Double {
    let pause = next
    next = min(next * 2, Self.longestSeconds)
    return pause * Double.random(in: 0.5...1, using: &random)
  }

  /// The connection gave good data: the next pause is the shortest again.
  package mutating func reset() { next = Self.shortestSeconds }
}
