import ByteStreams
import Foundation
import GeoStore

/// What Ctrl-C does to a command: partial files are removed, one line on standard error says what
/// was done, and the same signal ends the program, which shells report as status 130 (SIGINT), 143
/// (SIGTERM) or 129 (SIGHUP). The store is as after a crash: whole.
enum Interruption {
  /// Sets what to say if a signal ends the command.
  ///
  /// - Parameters:
  ///   - working: said while the change is not visible yet.
  ///   - committed: said once the change is committed.
  ///   - erased: said once deleted data is also erased from the store's files.
  static func prepare(working: String, committed: String, erased: String? = nil) {
    // Clears a progress line on a terminal.
    let clear = isatty(STDERR_FILENO) == 1 ? "\r\u{1B}[K" : ""
    SignalCleanup.install { step in
      let text =
        switch step {
        case .working: working
        case .committed: committed
        case .erased: erased ?? committed
        }
      return "\(clear)roqua: interrupted: \(text)\n"
    }
  }

  /// The same for a command that deletes or rebuilds, and then erases the old data from the file.
  static func prepareRewriting(_ done: String) {
    prepare(
      working: "nothing was changed",
      committed:
        "\(done), but the store's file still holds the old data; roqua rebuild or the next command "
        + "that changes the store erases it",
      erased: done)
  }

  /// The same for an import: the first signal cancels it, so that it can report what it stored.
  ///
  /// - Parameters:
  ///   - working: what to say if the import does not stop in time.
  ///   - patienceSeconds: the time that it has to stop.
  static func prepareCanceling(
    _ import: Cancellation, working: String, patienceSeconds: UInt32 = 3
  ) {
    prepare(working: working, committed: working)
    SignalCleanup.cancelFirst(`import`, patienceSeconds: patienceSeconds)
  }

  /// Says what an interrupted import left behind, and ends the program by the signal that canceled
  /// it; returns if there was none.
  static func endIfCanceled(saying line: @autoclosure () -> String) {
    guard let number = SignalCleanup.caughtSignal else { return }
    Console.printError("roqua: interrupted: " + line())
    SignalCleanup.end(bySignal: number)
  }
}
