import ByteStreams
import Foundation

/// What Ctrl-C does to a command: half-written files go, one line on standard error says how things
/// are, and the end is by the same signal, which shells report as status 130 (SIGINT), 143
/// (SIGTERM) or 129 (SIGHUP). The store is as after a crash: whole.
enum Interruption {
  /// Says from now on what an interruption leaves behind.
  ///
  /// - Parameters:
  ///   - working: before what was asked for is there.
  ///   - committed: when it is there.
  ///   - erased: when, after a deletion, the store's files hold nothing of it any more.
  static func prepare(working: String, committed: String, erased: String? = nil) {
    // The way back over a progress line on a terminal.
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

  /// The same for what forgets or rebuilds, and then rewrites the file.
  static func prepareRewriting(_ done: String) {
    prepare(
      working: "nothing was changed",
      committed:
        "\(done), but the store's file still holds what was there before: roqua rebuild, or the "
        + "next command that changes the store, takes it out",
      erased: done)
  }
}
