import Synchronization

/// The progress of a change on disk that a signal may interrupt.
package enum ChangeStep: Int, CaseIterable, Sendable {
  /// Nothing is visible yet.
  case working
  /// A transaction ended, or a file has its name: the change is committed.
  case committed
  /// The deleted data has also been erased from the files.
  case erased
}

/// Receives the changes on disk in a program that handles signals, so that its signal handler can
/// remove partial files and report the progress of a change. All calls may come from any thread.
package protocol InterruptHandler: Sendable {
  /// Runs `body`. A signal during it is handled afterwards. `errno` is left as `body` left it.
  func deferSignals(_ body: () -> Void)
  /// A partial file, or an empty folder for such files, was created. Called while signals are
  /// deferred.
  func add(partialFile path: String)
  /// A partial file or folder was removed. Called while signals are deferred.
  func drop(partialFile path: String)
  /// A change reached a step. Called while signals are deferred.
  func reach(_ step: ChangeStep)
}

/// The place to register a program's ``InterruptHandler``. The libraries do not handle signals
/// themselves: without a handler, as in an app, nothing happens here.
package enum InterruptHook {
  /// `nonisolated(unsafe)`: written once, before ``isInstalled`` is set; read only after it is.
  nonisolated(unsafe) private static var handler: (any InterruptHandler)?
  private static let isInstalled = Atomic(false)

  /// Registers a handler for all changes from now on. Call it before the first change, on one
  /// thread; a second handler is ignored.
  package static func install(_ new: any InterruptHandler) {
    guard !isActive else { return }
    handler = new
    isInstalled.store(true, ordering: .releasing)
  }

  /// True if a handler is installed; if not, ``reach(_:_:)`` only runs its body.
  package static var isActive: Bool { isInstalled.load(ordering: .acquiring) }

  /// Runs the code that brings a change to a step. For signals, code and step are one unit.
  ///
  /// - Throws: any error of `body`, in which case the step is not reached.
  package static func reach<T, Failure: Error>(
    _ reached: ChangeStep, _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    guard isActive else { return try body() }
    let result = deferring { handler in
      let result = Result { () throws(Failure) in try body() }
      if case .success = result { handler?.reach(reached) }
      return result
    }
    return try result.get()
  }

  /// Runs `body` with the handler, if there is one. A signal during it is handled afterwards.
  static func deferring<T>(_ body: ((any InterruptHandler)?) -> T) -> T {
    guard isActive, let handler else { return body(nil) }
    var result: T?
    handler.deferSignals { result = body(handler) }
    guard let result else { preconditionFailure("an interrupt handler did not run its body") }
    return result
  }
}
