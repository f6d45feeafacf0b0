/// Times of a track that come before their positions, in few bytes.
///
/// - Byte layout: of each time the change of the interval, in zigzag form plus 1, as a
///   variable-length integer of seven bits a byte; 0 for no time. At a constant interval that is
///   one byte.
struct KMLTimeQueue {
  /// The values that the next change refers to.
  private struct Base {
    var time: Int64 = 0
    var interval: Int64 = 0
  }

  private static let chunkSize = 1 << 16
  private var chunks: [[UInt8]] = []
  /// The position of the next byte to read, in the first chunk.
  private var offset = 0
  private var written = Base()
  private var read = Base()
  /// The number of times.
  private(set) var count = 0

  /// The memory of all times in bytes.
  var memory: Int { chunks.count * Self.chunkSize }

  /// True if no more times are to be appended.
  var isFull: Bool { memory > KMLLimits.timeBytes }

  /// Appends a time in milliseconds since 1970, from 0; nil for none.
  mutating func append(_ time: Int64?) {
    count += 1
    guard let time else { return append(byte: 0) }
    let interval = time - written.time
    let change = interval - written.interval
    written = Base(time: time, interval: interval)
    var code = UInt64(bitPattern: (change << 1) ^ (change >> 63)) + 1
    while code >= 0x80 {
      append(byte: UInt8(truncatingIfNeeded: code) | 0x80)
      code >>= 7
    }
    append(byte: UInt8(code))
  }

  /// Removes and returns the first time; it must not be empty.
  mutating func removeFirst() -> Int64? {
    count -= 1
    var code: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = nextByte()
      code |= UInt64(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    guard code > 0 else { return nil }
    let zigzag = code - 1
    let change = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
    read.interval += change
    read.time += read.interval
    return read.time
  }

  private mutating func append(byte: UInt8) {
    if chunks.isEmpty || chunks[chunks.count - 1].count == Self.chunkSize {
      var chunk: [UInt8] = []
      chunk.reserveCapacity(Self.chunkSize)
      chunks.append(chunk)
    }
    chunks[chunks.count - 1].append(byte)
  }

  private mutating func nextByte() -> UInt8 {
    let byte = chunks[0][offset]
    offset += 1
    if offset == chunks[0].count {
      chunks.removeFirst()
      offset = 0
    }
    return byte
  }
}
