import Foundation

/// The lines of a stream such as standard input, one after the other, without their ends (LF or
/// CR LF). Not `Sendable`.
package final class InputLines {
  /// A line, as far as it is held.
  package enum Line: Equatable {
    /// Its bytes.
    case bytes(ArraySlice<UInt8>)
    /// More bytes than the longest line may have, which are left out.
    case tooLong
  }

  /// The stream cannot be read.
  package struct Failure: Error {
    /// The system's `errno`.
    package let code: Int32
  }

  /// The maximum number of bytes of a line up to its LF: a position takes some dozens.
  package static let longestLine = 4_096

  private let descriptor: Int32
  private let longestLine: Int
  private var block: [UInt8]
  private var buffer: [UInt8] = []
  private var start = 0
  private var hasEnded = false
  private var isFirst = true

  /// Reads lines from an open descriptor, which it does not close. Tests choose other limits.
  package init(
    descriptor: Int32 = STDIN_FILENO, blockBytes: Int = 1 << 16,
    longestLine: Int = InputLines.longestLine
  ) {
    (self.descriptor, self.longestLine) = (descriptor, longestLine)
    block = [UInt8](repeating: 0, count: blockBytes)
  }

  /// The next line; nil at the end. A byte order mark at the start of all is left out.
  ///
  /// - Parameter beforeWaiting: called before more input is waited for, if it has not come yet.
  /// - Throws: ``Failure`` if the stream is closed, a folder, or breaks off.
  /// - Complexity: O(bytes of the line); memory of one block and the longest line.
  package func next(beforeWaiting: () -> Void) throws(Failure) -> Line? {
    var (searched, isTooLong) = (start, false)
    while true {
      if let end = lineEnd(from: searched) {
        defer { start = end + 1 }
        return line(start..<end, isTooLong: isTooLong)
      }
      if buffer.count - start > longestLine {
        isTooLong = true
        start = buffer.count
      }
      guard !hasEnded else {
        defer { start = buffer.count }
        return isTooLong || start < buffer.count
          ? line(start..<buffer.count, isTooLong: isTooLong) : nil
      }
      if !hasInput { beforeWaiting() }
      buffer.removeFirst(start)
      (start, searched) = (0, buffer.count)
      try readMore()
    }
  }

  /// Where the first LF stands at or after a place.
  private func lineEnd(from searched: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, searched < bytes.count else { return nil }
      // Sound: `searched` is below the count, and `memchr` looks no farther than the end; what it
      // finds lies in the same bytes.
      return memchr(base + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched).map {
        UnsafeRawPointer($0) - base
      }
    }
  }

  /// Whether reading returns at once: bytes have come, or nothing will.
  private var hasInput: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  private func readMore() throws(Failure) {
    var count = 0
    repeat {
      count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    } while count < 0 && errno == EINTR
    if count < 0 { throw Failure(code: errno) }
    buffer.append(contentsOf: block[..<count])
    hasEnded = count == 0
  }

  private func line(_ range: Range<Int>, isTooLong: Bool) -> Line {
    defer { isFirst = false }
    if isTooLong || range.count > longestLine { return .tooLong }
    var line = buffer[range]
    if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    return .bytes(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }
}
