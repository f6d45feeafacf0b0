import Synchronization

/// The tokens of a running server. A change of the file counts within half a second, so that a
/// removed token stops working without a restart.
package final class TokenList: Sendable {
  private struct State {
    var tokens: [AccessToken]
    var stamp: [Int]
    var nextLook: ContinuousClock.Instant
  }

  /// The minimum time between two looks at the file.
  private static let pause = Duration.milliseconds(250)

  private let file: TokenFile
  private let state: Mutex<State>

  /// Reads the file.
  ///
  /// - Throws: ``TokenFile/Failure``.
  package init(_ file: TokenFile) throws(TokenFile.Failure) {
    self.file = file
    let stamp = file.stamp
    state = Mutex(State(tokens: try file.read(), stamp: stamp, nextLook: .now + Self.pause))
  }

  /// The token that an app sent; nil if there is none. If the file cannot be read any more, the
  /// tokens read last count.
  package func token(_ secret: String) -> AccessToken? {
    guard secret.utf8.count <= 256 else { return nil }
    let hash = AccessToken.hash(of: secret)
    return AccessToken.find(hash, in: present)
  }

  /// Whether a token that was right still is: it exists and allows the same.
  ///
  /// - Complexity: O(tokens).
  package func contains(_ token: AccessToken) -> Bool { present.contains(token) }

  /// The tokens that the file has now.
  private var present: [AccessToken] {
    state.withLock { state in
      if state.nextLook <= .now {
        state.nextLook = .now + Self.pause
        let stamp = file.stamp
        if stamp != state.stamp, let read = try? file.read() {
          (state.tokens, state.stamp) = (read, stamp)
        }
      }
      return state.tokens
    }
  }

  /// The number of tokens.
  package var count: Int { state.withLock { $0.tokens.count } }
}
