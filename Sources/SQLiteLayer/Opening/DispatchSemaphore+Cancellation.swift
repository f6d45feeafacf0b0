import Dispatch

extension DispatchSemaphore {
  /// Waits for the semaphore and takes it, or stops waiting soon after the work was canceled.
  ///
  /// A semaphore that is free is taken in any case. Work is also canceled from signal handlers,
  /// which can wake nobody, so the waiter looks every twentieth of a second. The semaphore decides
  /// whether a wait that ends at the moment of a signal has taken it, so no signal is lost.
  ///
  /// - Parameter isCancelled: returns whether the work is canceled; nil if it cannot be canceled.
  /// - Returns: whether the semaphore was taken.
  package func wait(unless isCancelled: (() -> Bool)?) -> Bool {
    guard let isCancelled else {
      wait()
      return true
    }
    var end = DispatchTime.now()
    while wait(timeout: end) == .timedOut {
      if isCancelled() { return false }
      end = .now() + .milliseconds(50)
    }
    return true
  }
}
