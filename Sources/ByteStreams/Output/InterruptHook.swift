import Synchronization

/// How far a change on disk is that a signal may interrupt.
package enum ChangeStep: Int, CaseIterable, Sendable {
  /// Nothing is visible yet.
  case working
  /// A transaction ended, or a file has its name: the change is committed.
  case committed
  /// The deleted data is erased from the files, too.
  case erased
}

/// What a program that handles signals needs to hear of changes on disk, so that its handler can
/// remove partial files and say how far a change is. All calls may come from any thread.
package protocol InterruptHandler: Sendable {
  /// Runs `body`; a signal during it is handled after it. It leaves `errno` as `body` left it.
  func deferSignals(_ body: () -> Void)
  /// A partial file, or an empty folder for some, exists. Called while signals are deferred.
  func add(partialFile path: String)
  /// It does not exist any more. Called while signals are deferred.
  func drop(partialFile path: String)
  /// A change reached a step. Called while signals are deferred.
  func reach(_ step: ChangeStep)
}

/// Where a program registers its ``InterruptHandler``. The libraries handle no signals themselves:
/// without a handler, as in an app, nothing happens here.
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

  /// Whether somebody handles signals; if not, ``reach(_:_:)`` only runs its body.
  package static var isActive: Bool { isInstalled.load(ordering: .acquiring) }

  /// Runs the code that brings a change to a step, as one step for signals, too.
  ///
  /// - Throws: what `body` throws; then the step is not reached.
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

  /// Runs `body`, which gets the handler, if there is one; a signal during it is handled after it.
  static func deferring<T>(_ body: ((any InterruptHandler)?) -> T) -> T {
    guard isActive, let handler else { return body(nil) }
    var result: T?
    handler.deferSignals { result = body(handler) }
    guard let result else { preconditionFailure("an interrupt handler did not run its body") }
    return result
  }
}
