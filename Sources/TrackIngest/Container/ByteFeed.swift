/// A window on bytes that come from a file or a stream, read in order. Not `Sendable`.
final class ByteFeed {
  /// Reads bytes from a position on, fewer than asked for if it must, and 0 only at the end. A source that cannot
  /// jump is only asked for the position that follows the last.
  typealias Source = (_ position: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(IngestError) -> Int

  private let source: Source
  private let buffer: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  /// Where the first unread byte stands.
  private(set) var position = 0

  /// A feed that holds up to `windowBytes` at once.
  init(windowBytes: Int = 1 << 16, source: @escaping Source) {
    self.source = source
    buffer = .allocate(byteCount: windowBytes, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// The bytes that are there and not read yet; valid until the next call.
  var unread: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[start..<end]) }

  /// Passes over unread bytes.
  func consume(_ count: Int) {
    start += count
    position += count
  }

  /// Goes to a position: only forward in what is unread, unless the source can jump.
  func seek(to target: Int) {
    if target >= position - start, target <= position + (end - start) {
      start += target - position
    } else {
      (start, end) = (0, 0)
    }
    position = target
  }

  /// Makes sure that something is unread; false at the end.
  func fill() throws(IngestError) -> Bool { start < end ? true : try grow() }

  /// Makes sure that `count` bytes are unread, at most the window's size; false where the end comes first. What
  /// there is stays unread.
  func fill(_ count: Int) throws(IngestError) -> Bool {
    while end - start < count { guard try grow() else { return false } }
    return true
  }

  /// Reads so many bytes, any number; nil where the end comes first.
  func take(_ count: Int) throws(IngestError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard try fill() else { return nil }
      let piece = unread.prefix(count - bytes.count)
      bytes.append(contentsOf: piece)
      consume(piece.count)
    }
    return bytes
  }

  /// Reads over so many bytes; false where the end comes first.
  func skip(_ count: Int) throws(IngestError) -> Bool {
    var left = count
    while left > 0 {
      guard try fill() else { return false }
      let piece = min(left, end - start)
      consume(piece)
      left -= piece
    }
    return true
  }

  /// Reads more behind what is unread.
  private func grow() throws(IngestError) -> Bool {
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
