import Synchronization

/// The tokens of a running server. A change of the file counts within a second, so that a removed
/// token stops working without a restart.
package final class TokenList: Sendable {
  private struct State {
    var tokens: [AccessToken]
    var stamp: [Int]
    var nextLook: ContinuousClock.Instant
  }

  private let file: TokenFile
  private let state: Mutex<State>

  /// Reads the file.
  ///
  /// - Throws: ``TokenFile/Failure``.
  package init(_ file: TokenFile) throws(TokenFile.Failure) {
    self.file = file
    let stamp = file.stamp
    state = Mutex(State(tokens: try file.read(), stamp: stamp, nextLook: .now + .seconds(1)))
  }

  /// The token that an app sent; nil if there is none. If the file cannot be read any more, the
  /// tokens read last count.
  package func token(_ secret: String) -> AccessToken? {
    guard secret.utf8.count <= 256 else { return nil }
    let hash = AccessToken.hash(of: secret)
    let tokens = state.withLock { state in
      if state.nextLook <= .now {
        state.nextLook = .now + .seconds(1)
        let stamp = file.stamp
        if stamp != state.stamp, let read = try? file.read() {
          (state.tokens, state.stamp) = (read, stamp)
        }
      }
      return state.tokens
    }
    return AccessToken.find(hash, in: tokens)
  }

  /// The number of tokens.
  package var count: Int { state.withLock { $0.tokens.count } }
}
