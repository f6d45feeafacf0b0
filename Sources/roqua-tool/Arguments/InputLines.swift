import Foundation

/// The lines of standard input, one after the other, without their ends (LF or CR LF).
final class InputLines {
  private var buffer: [UInt8] = []
  private var start = 0
  private var hasEnded = false

  /// The next line; nil at the end. Bytes that are no UTF-8 are repaired.
  ///
  /// - Parameter beforeWaiting: called before more input is waited for.
  func next(beforeWaiting: () -> Void) -> String? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return text(buffer[start..<end])
      }
      searched = buffer.count
      guard !hasEnded else {
        defer { start = buffer.count }
        return start < buffer.count ? text(buffer[start...]) : nil
      }
      beforeWaiting()
      let unread = buffer.count - start
      buffer.removeFirst(start)
      (start, searched) = (0, unread)
      // An error ends the input as its end does: what came before was answered.
      let more = (try? FileHandle.standardInput.read(upToCount: 1 << 16)) ?? nil
      if let more, !more.isEmpty { buffer.append(contentsOf: more) } else { hasEnded = true }
    }
  }

  private func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes, as: UTF8.self)
  }
}
