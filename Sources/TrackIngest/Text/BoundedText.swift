/// Bytes of text up to a limit, in memory that is allocated once.
struct BoundedText {
  private var bytes: [UInt8]
  /// The bytes kept.
  private(set) var count = 0
  /// True if there were more bytes than the limit.
  private(set) var isTooLong = false

  /// An empty text that keeps up to `limit` bytes.
  init(limit: Int) { bytes = [UInt8](repeating: 0, count: limit) }

  /// The maximum number of bytes kept.
  var limit: Int { bytes.count }

  /// Forgets the text.
  @inline(__always)
  mutating func reset() { (count, isTooLong) = (0, false) }

  /// Appends one byte.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    guard count < bytes.count else { return isTooLong = true }
    bytes[count] = byte
    count &+= 1
  }

  /// Appends one byte of a value: leading white space is dropped, trailing white space never makes
  /// it too long.
  @inline(__always)
  mutating func appendTrimmed(_ byte: UInt8) {
    if count < bytes.count {
      if count == 0, DecimalText.isSpace(byte) { return }
      bytes[count] = byte
      count &+= 1
    } else if !DecimalText.isSpace(byte) {
      isTooLong = true
    }
  }

  /// Appends a run of bytes of a value, as byte after byte would. `start` and `end` bound
  /// initialized memory.
  mutating func appendTrimmed(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
    var at = start
    if count == 0 {
      while at < end, DecimalText.isSpace(at.pointee) { at += 1 }
    }
    let added = min(end - at, bytes.count - count)
    let target = count
    // Sound: `added` is at most what is left of the run and of the room.
    bytes.withUnsafeMutableBufferPointer { bytes in
      for index in 0..<added { bytes[target + index] = at[index] }
    }
    count += added
    at += added
    while at < end, !isTooLong {
      isTooLong = !DecimalText.isSpace(at.pointee)
      at += 1
    }
  }

  /// Appends a run of bytes. `start` and `end` bound initialized memory.
  mutating func append(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
    let added = min(end - start, bytes.count - count)
    let target = count
    // Sound: `added` is at most what is left of the run and of the room.
    bytes.withUnsafeMutableBufferPointer { bytes in
      for index in 0..<added { bytes[target + index] = start[index] }
    }
    count += added
    if end - start > added { isTooLong = true }
  }

  /// Calls `body` with the bytes kept, which are only valid during the call.
  ///
  /// Sound: `count` never passes the limit.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<count])) }
  }

  /// The bytes of a value: none if it is too long. They are only valid during the call.
  @inline(__always)
  func withValue<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[..<(isTooLong ? 0 : count)]))
    }
  }
}
