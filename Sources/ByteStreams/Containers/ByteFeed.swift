/// A buffered window on the bytes of a file or stream, read in order. Not `Sendable`.
final class ByteFeed {
  /// Reads bytes from a position on, possibly fewer than asked for, and 0 only at the end. A source
  /// that cannot seek is only asked for the position that follows the last.
  typealias Source = (_ position: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(StreamError)
    -> Int

  private let source: Source
  /// Allocated in `init` and freed in `deinit`; `unread` slices do not outlive the next call.
  private let buffer: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  /// The position of the first unread byte.
  private(set) var position = 0

  /// A feed that holds up to `windowBytes` at once.
  init(windowBytes: Int = 1 << 16, source: @escaping Source) {
    self.source = source
    // Sound: freed in `deinit`.
    buffer = .allocate(byteCount: windowBytes, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// The bytes in the window that are not consumed yet; valid until the next call.
  var unread: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[start..<end]) }

  /// Consumes `count` unread bytes.
  ///
  /// Sound: callers consume no more than is unread, so `start` never passes `end`.
  func consume(_ count: Int) {
    start += count
    position += count
  }

  /// Moves to a position: only forward within the unread bytes, unless the source can seek.
  func seek(to target: Int) {
    if target >= position - start, target <= position + (end - start) {
      start += target - position
    } else {
      (start, end) = (0, 0)
    }
    position = target
  }

  /// Reads more if nothing is unread; false at the end.
  func fill() throws(StreamError) -> Bool { start < end ? true : try grow() }

  /// Reads until `count` bytes are unread, at most the window's size; false if the source ends
  /// first. The bytes read until then stay unread.
  func fill(_ count: Int) throws(StreamError) -> Bool {
    while end - start < count { guard try grow() else { return false } }
    return true
  }

  /// Reads and consumes `count` bytes, of any number; nil if the source ends first.
  func take(_ count: Int) throws(StreamError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard try fill() else { return nil }
      let piece = unread.prefix(count - bytes.count)
      bytes.append(contentsOf: piece)
      consume(piece.count)
    }
    return bytes
  }

  /// Skips `count` bytes; false if the source ends first.
  func skip(_ count: Int) throws(StreamError) -> Bool {
    var left = count
    while left > 0 {
      guard try fill() else { return false }
      let piece = min(left, end - start)
      consume(piece)
      left -= piece
    }
    return true
  }

  /// Reads more bytes after the unread ones.
  ///
  /// Sound: the source returns at most the size of `room`, so `end` stays within the buffer.
  private func grow() throws(StreamError) -> Bool {
    if start > 0 {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
      (start, end) = (0, end - start)
    }
    guard end < buffer.count else { return false }
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[end...])
    let count = try source(position + end, room)
    end += count
    return count > 0
  }
}
