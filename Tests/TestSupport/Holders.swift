import Dispatch
import Foundation

/// Threads that hold something, such as a reader or a lock, until they are released.
public final class Holders: Sendable {
  private let count: Int
  private let gate = DispatchSemaphore(value: 0)
  private let held = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// The time after which a thread releases what it holds in any case, so that a failing test ends.
  public static let longestSeconds = 1_500

  /// Starts threads.
  ///
  /// - Parameters:
  ///   - count: the number of threads.
  ///   - body: what each thread does; it calls its argument while it holds what it is to hold.
  public init(_ count: Int, _ body: @escaping @Sendable (_ hold: () -> Void) -> Void) {
    self.count = count
    for _ in 0..<count {
      // Not threads of Dispatch, which are few.
      Thread { [gate, held, ended] in
        body {
          held.signal()
          _ = gate.wait(timeout: .now() + .seconds(Self.longestSeconds))
        }
        ended.signal()
      }.start()
    }
  }

  /// Waits until all threads hold something; returns false if that takes long.
  public func wait() -> Bool {
    (0..<count).allSatisfy { _ in held.wait(timeout: .now() + .seconds(120)) == .success }
  }

  /// Lets all threads go on. ``end()`` must follow.
  public func release() { for _ in 0..<count { gate.signal() } }

  /// Waits until all threads have ended.
  public func end() { for _ in 0..<count { ended.wait() } }
}
