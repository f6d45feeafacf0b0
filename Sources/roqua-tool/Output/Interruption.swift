import Foundation

/// What Ctrl-C does to an import: one line on standard error, and the end by the same signal, which shells report as
/// status 130 (SIGINT) or 143 (SIGTERM). What was finished is in the store; the rest leaves no trace there, as after a
/// crash.
enum Interruption {
  /// The line, with the way back over a progress line in front of it on a terminal.
  // Written once before the handler is set, and only read by it: a handler may not allocate.
  nonisolated(unsafe) private static var line = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  /// Says from now on what an interruption leaves behind.
  ///
  /// - Parameter keepsFinished: whether anything is stored at all.
  static func prepare(keepsFinished: Bool) {
    let clear = isatty(STDERR_FILENO) == 1 ? "\r\u{1B}[K" : ""
    let kept =
      keepsFinished
      ? "what was finished is in the store, and the same command goes on from there" : "nothing was changed"
    let bytes = Array("\(clear)roqua: interrupted: \(kept)\n".utf8)
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = buffer.initialize(from: bytes)
    line = UnsafeBufferPointer(buffer)
    for number in [SIGINT, SIGTERM] {
      // A shell that started this in the background asked for Ctrl-C to be ignored.
      let before = unsafeBitCast(signal(number, handler), to: Int.self)
      if before == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
  }

  private static let handler: @convention(c) (Int32) -> Void = { number in
    _ = write(STDERR_FILENO, Interruption.line.baseAddress, Interruption.line.count)
    signal(number, SIG_DFL)
    raise(number)
  }
}
