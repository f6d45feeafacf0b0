/// Deflates rows of bytes that are mostly runs or like the row above: five to ten times as fast as
/// zlib for map tiles, and about as small. Any program that knows zlib streams reads them.
///
/// It looks for repetitions only one byte back and one row back. A row that repeats the one before
/// is not even read. All rows become one block with its own codes.
///
/// - Source: RFC 1950 (zlib) and RFC 1951 (deflate).
struct RunDeflater {
  /// The bytes of a row, 3...32,768: deflate's shortest match and longest distance.
  let rowBytes: Int
  /// Literals as they are; matches with their length, ``matchBit``, and ``rowBit`` for those one
  /// row back instead of one byte.
  private var tokens: [UInt32] = []
  private var literalCounts = [UInt32](repeating: 0, count: 286)
  private var distanceCounts = [UInt32](repeating: 0, count: 30)
  private let rowDistance: (symbol: Int, bits: Int, extra: UInt32)
  /// The bytes repeated from one row back that are not in ``tokens`` yet.
  private var repeatedBytes = 0
  /// Adler-32's two sums, and those of the last row by itself.
  private var (low, high): (UInt32, UInt32) = (1, 0)
  private var (rowSum, rowWeighted): (UInt32, UInt32) = (0, 0)

  private static let matchBit: UInt32 = 1 << 31
  private static let rowBit: UInt32 = 1 << 30
  private static let longest = 258
  private static let endOfBlock = 256

  init(rowBytes: Int) {
    precondition(3...32_768 ~= rowBytes, "deflate cannot look back a row")
    self.rowBytes = rowBytes
    rowDistance = Self.distance(rowBytes)
  }

  /// Prepares for other rows.
  private mutating func reset() {
    tokens.removeAll(keepingCapacity: true)
    for index in literalCounts.indices { literalCounts[index] = 0 }
    for index in distanceCounts.indices { distanceCounts[index] = 0 }
    (low, high, repeatedBytes) = (1, 0, 0)
  }

  // MARK: - Rows

  /// Appends a row. `above` is the row before; nil for the first one.
  ///
  /// - Precondition: both have ``rowBytes`` bytes.
  mutating func append(_ row: UnsafeRawBufferPointer, above: UnsafeRawBufferPointer?) {
    precondition(row.count == rowBytes && above.map { $0.count == rowBytes } != false)
    sum(row)
    var index = 0
    while index < rowBytes {
      let byte = row[index]
      let run = index > 0 && row[index - 1] == byte ? Self.match(row, index, row, index - 1) : 0
      var rows = 0
      if let above, above[index] == byte { rows = Self.match(row, index, above, index) }
      if run >= 3, run + 1 >= rows {
        flushRepeated()
        appendMatches(run, 0)
        index += run
      } else if rows >= 4 || rows > 0 && repeatedBytes > 0 {
        // A match that ends the row above goes on in this one.
        repeatedBytes += rows
        index += rows
      } else {
        flushRepeated()
        tokens.append(UInt32(byte))
        literalCounts[Int(byte)] += 1
        index += 1
      }
    }
  }

  /// Appends a copy of the row before, of which there must be one.
  mutating func appendRepeated() {
    repeatedBytes += rowBytes
    addSums()
  }

  /// The zlib stream of the rows since the last call.
  mutating func finish() -> [UInt8] {
    flushRepeated()
    literalCounts[Self.endOfBlock] += 1
    var writer = BitWriter()
    writer.bytes.reserveCapacity(tokens.count + 256)
    // Deflate with a window of 32 KiB, zlib's level 1 (RFC 1950, 2.2).
    writer.bytes += [0x78, 0x01]
    let literals = PrefixCode(counts: literalCounts, limit: 15)
    // A block without matches has one distance code of one bit, which is not used.
    if distanceCounts.allSatisfy({ $0 == 0 }) { distanceCounts[0] = 1 }
    let distances = PrefixCode(counts: distanceCounts, limit: 15)
    writer.write(0b101, bits: 3)
    Self.writeLengths(literals.lengths, distances.lengths, to: &writer)
    write(literals, distances, to: &writer)
    writer.finishByte()
    writer.bytes += [24, 16, 8, 0].map {
      UInt8(truncatingIfNeeded: (high << 16 | low) >> UInt32($0))
    }
    reset()
    return writer.bytes
  }

  // MARK: - Matches

  /// How many bytes from two positions on are the same, up to the end of the row.
  ///
  /// Sound: eight bytes are read only if eight are left in the row, and `other` has as many from
  /// `start`, which is not after `index`.
  @inline(__always)
  private static func match(
    _ row: UnsafeRawBufferPointer, _ index: Int, _ other: UnsafeRawBufferPointer, _ start: Int
  ) -> Int {
    let most = row.count - index
    var length = 0
    while length + 8 <= most {
      let difference =
        row.loadUnaligned(fromByteOffset: index + length, as: UInt64.self)
        ^ other.loadUnaligned(fromByteOffset: start + length, as: UInt64.self)
      if difference != 0 {
        return length + UInt64(littleEndian: difference).trailingZeroBitCount / 8
      }
      length += 8
    }
    while length < most, row[index + length] == other[start + length] { length += 1 }
    return length
  }

  private mutating func flushRepeated() {
    if repeatedBytes == 0 { return }
    appendMatches(repeatedBytes, Self.rowBit)
    repeatedBytes = 0
  }

  /// Appends matches of this length in all, at least 3.
  private mutating func appendMatches(_ length: Int, _ kind: UInt32) {
    var rest = length
    while rest > 0 {
      var part = min(rest, Self.longest)
      // The last part has at least the three bytes of the shortest match.
      if 1...2 ~= rest - part { part = rest - 3 }
      tokens.append(Self.matchBit | kind | UInt32(part))
      literalCounts[Self.lengthCode(part).symbol] += 1
      distanceCounts[kind == 0 ? 0 : rowDistance.symbol] += 1
      rest -= part
    }
  }

  // MARK: - Writing

  private func write(_ literals: PrefixCode, _ distances: PrefixCode, to writer: inout BitWriter) {
    for token in tokens {
      guard token & Self.matchBit != 0 else {
        let symbol = Int(token)
        writer.write(UInt32(literals.codes[symbol]), bits: Int(literals.lengths[symbol]))
        continue
      }
      let length = Self.lengthCode(Int(token & 0xFFFF))
      writer.write(
        UInt32(literals.codes[length.symbol]), bits: Int(literals.lengths[length.symbol]))
      writer.write(length.extra, bits: length.bits)
      if token & Self.rowBit == 0 {
        writer.write(UInt32(distances.codes[0]), bits: Int(distances.lengths[0]))
      } else {
        let symbol = rowDistance.symbol
        writer.write(UInt32(distances.codes[symbol]), bits: Int(distances.lengths[symbol]))
        writer.write(rowDistance.extra, bits: rowDistance.bits)
      }
    }
    writer.write(
      UInt32(literals.codes[Self.endOfBlock]), bits: Int(literals.lengths[Self.endOfBlock]))
  }

  /// Writes the lengths of both codes, which are themselves coded (RFC 1951, 3.2.7).
  private static func writeLengths(
    _ literals: [UInt8], _ distances: [UInt8], to writer: inout BitWriter
  ) {
    let literalCount = max(257, (literals.lastIndex { $0 > 0 } ?? 0) + 1)
    let distanceCount = (distances.lastIndex { $0 > 0 } ?? 0) + 1
    let lengths = literals[..<literalCount] + distances[..<distanceCount]
    var symbols: [(symbol: Int, extra: UInt32, bits: Int)] = []
    var index = 0
    while index < lengths.count {
      let length = lengths[index]
      var run = 1
      while index + run < lengths.count, lengths[index + run] == length { run += 1 }
      index += run
      if length > 0 {
        symbols.append((Int(length), 0, 0))
        run -= 1
      }
      while run >= 3 {
        let most = length > 0 ? 6 : run > 10 ? 138 : 10
        let part = min(run, most)
        symbols.append(
          length > 0
            ? (16, UInt32(part - 3), 2)
            : part > 10 ? (18, UInt32(part - 11), 7) : (17, UInt32(part - 3), 3))
        run -= part
      }
      for _ in 0..<run { symbols.append((Int(length), 0, 0)) }
    }
    var counts = [UInt32](repeating: 0, count: 19)
    for symbol in symbols { counts[symbol.symbol] += 1 }
    // A code of a single symbol would be incomplete.
    if counts.count(where: { $0 > 0 }) == 1 { counts[counts[0] > 0 ? 1 : 0] = 1 }
    let code = PrefixCode(counts: counts, limit: 7)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    let orderCount = max(4, (order.lastIndex { code.lengths[$0] > 0 } ?? 0) + 1)
    writer.write(UInt32(literalCount - 257), bits: 5)
    writer.write(UInt32(distanceCount - 1), bits: 5)
    writer.write(UInt32(orderCount - 4), bits: 4)
    for symbol in order[..<orderCount] { writer.write(UInt32(code.lengths[symbol]), bits: 3) }
    for symbol in symbols {
      writer.write(UInt32(code.codes[symbol.symbol]), bits: Int(code.lengths[symbol.symbol]))
      writer.write(symbol.extra, bits: symbol.bits)
    }
  }

  /// The symbol and extra bits of a length, 3...258 (RFC 1951, 3.2.5).
  private static func lengthCode(_ length: Int) -> (symbol: Int, bits: Int, extra: UInt32) {
    if length == longest { return (285, 0, 0) }
    let rest = length - 3
    if rest < 8 { return (257 + rest, 0, 0) }
    let bits = Int.bitWidth - 1 - rest.leadingZeroBitCount - 2
    return (257 + 4 * bits + rest >> bits, bits, UInt32(rest & (1 << bits - 1)))
  }

  /// The symbol and extra bits of a distance, 1...32,768 (RFC 1951, 3.2.5).
  private static func distance(_ distance: Int) -> (symbol: Int, bits: Int, extra: UInt32) {
    let rest = distance - 1
    if rest < 4 { return (rest, 0, 0) }
    let bits = Int.bitWidth - 1 - rest.leadingZeroBitCount - 1
    return (2 * bits + rest >> bits, bits, UInt32(rest & (1 << bits - 1)))
  }

  // MARK: - Checksum

  /// Takes the sums of a row and adds them to Adler-32's.
  private mutating func sum(_ row: UnsafeRawBufferPointer) {
    (rowSum, rowWeighted) = (0, 0)
    var start = 0
    while start < row.count {
      // Blocks whose weighted sum fits 32 bits: 4,096 × 4,097 / 2 × 255 is less than 2^31.
      let end = min(start + 4_096, row.count)
      var (sum, weighted): (UInt32, UInt32) = (0, 0)
      for index in start..<end {
        let byte = UInt32(row[index])
        sum &+= byte
        weighted &+= byte &* UInt32(truncatingIfNeeded: end &- index)
      }
      let after = UInt32(row.count - end)
      rowWeighted = (rowWeighted + weighted % 65_521 + after * (sum % 65_521) % 65_521) % 65_521
      rowSum = (rowSum + sum) % 65_521
      start = end
    }
    addSums()
  }

  private mutating func addSums() {
    high = UInt32((UInt64(high) + UInt64(rowBytes) * UInt64(low) + UInt64(rowWeighted)) % 65_521)
    low = (low + rowSum) % 65_521
  }
}
