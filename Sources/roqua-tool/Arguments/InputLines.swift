import Foundation

/// The lines of standard input, one after the other, without their ends (LF or CR LF).
final class InputLines {
  private var buffer: [UInt8] = []
  private var start = 0
  private var hasEnded = false
  private var isFirst = true

  /// The bytes of the next line; nil at the end. A byte order mark at the start of all is left out.
  ///
  /// - Parameter beforeWaiting: called before more input is waited for.
  func next(beforeWaiting: () -> Void) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return content(start..<end)
      }
      searched = buffer.count
      guard !hasEnded else {
        defer { start = buffer.count }
        return start < buffer.count ? content(start..<buffer.count) : nil
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

  private func content(_ range: Range<Int>) -> ArraySlice<UInt8> {
    var line = buffer[range]
    if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    isFirst = false
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}
