/// Decodes text in pieces of any size to bytes whose ASCII characters are single bytes (UTF-8, or
/// an encoding that passes through), without byte order marks.
///
/// UTF-16 and UTF-32 are detected by their mark, or else by the zeros of their first characters. An
/// encoding that the text itself declares is set with ``switchEncoding(to:)``.
///
/// - Memory: converted text comes in pieces of at most about 16 KiB.
package struct EncodedTextReader {
  /// The encoding in use; nil until the first bytes decide it.
  package private(set) var encoding: ByteEncoding?
  /// The number of byte order marks at the start; more than one is odd.
  package private(set) var markCount = 0

  private var head: [UInt8] = []
  private var markPrefix = 0
  private var wide: WideTextReader?
  private var converter: CharacterConverter?
  private var output: [UInt8] = []
  private static let pieceSize = 4096
  /// Without a mark, two characters of UTF-32 must agree: 8 bytes.
  private static let headBytes = 8

  /// Creates a reader at the start of a text.
  package init() {}

  /// True if any byte was invalid in its encoding (only for encodings that are converted here).
  package var sawInvalid: Bool { (wide?.sawInvalid ?? false) || (converter?.sawInvalid ?? false) }

  /// Decodes the next bytes and calls `body` with text, zero or more times.
  ///
  /// `body` returns how many bytes it consumed; the rest is passed again, in the new encoding if
  /// `body` switched it.
  package mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout Self, UnsafeBufferPointer<UInt8>) -> Int
  ) {
    var rest = bytes
    if encoding == nil {
      // Eight bytes decide; they are kept so that one byte at a time gives the same result.
      while head.count < Self.headBytes, let first = rest.first {
        head.append(first)
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst())
      }
      guard head.count == Self.headBytes else { return }
      decide(body)
    }
    convert(rest, body)
  }

  /// Ends the text.
  package mutating func finish(_ body: (inout Self, UnsafeBufferPointer<UInt8>) -> Int) {
    if encoding == nil { decide(body) }
    // The start of a further mark is ordinary text here.
    flushMarkPrefix(body)
    output.removeAll(keepingCapacity: true)
    wide?.finish(into: &output)
    converter?.finish(into: &output)
    emit(body)
  }

  /// Reads the following bytes in another encoding, as an XML declaration requires.
  package mutating func switchEncoding(to encoding: ByteEncoding) {
    self.encoding = encoding
    if case .converted(let name) = encoding { converter = CharacterConverter(from: name) }
  }

  // MARK: - Deciding

  private mutating func decide(_ body: (inout Self, UnsafeBufferPointer<UInt8>) -> Int) {
    let found = Self.encoding(of: head)
    encoding = found
    switch found {
    case .utf16(let isBigEndian): wide = WideTextReader(unitSize: 2, isBigEndian: isBigEndian)
    case .utf32(let isBigEndian): wide = WideTextReader(unitSize: 4, isBigEndian: isBigEndian)
    default: break
    }
    // The mark of wide text converts to U+FEFF, which `pass` drops like UTF-8's.
    let start = head
    head = []
    start.withUnsafeBufferPointer { convert($0, body) }
  }

  /// The encoding that the first bytes (up to ``headBytes``) indicate.
  static func encoding(of head: [UInt8]) -> ByteEncoding {
    let first = encoding(ofFour: head[...])
    // Zeros at the start may just be zeros: the next four bytes must look the same.
    guard !hasMark(head), head.count == headBytes else { return first }
    return encoding(ofFour: head[4...]) == first ? first : .utf8
  }

  private static func hasMark(_ head: [UInt8]) -> Bool {
    [[0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF]].contains { head.starts(with: $0) }
  }

  private static func encoding(ofFour bytes: ArraySlice<UInt8>) -> ByteEncoding {
    let head = Array(bytes.prefix(4))
    let padded = head + [UInt8](repeating: 0x20, count: max(0, 4 - head.count))
    switch (padded[0], padded[1], padded[2], padded[3]) {
    case (0xFF, 0xFE, 0, 0): return .utf32(bigEndian: false)
    case (0, 0, 0xFE, 0xFF): return .utf32(bigEndian: true)
    case (0xFF, 0xFE, _, _): return .utf16(bigEndian: false)
    case (0xFE, 0xFF, _, _): return .utf16(bigEndian: true)
    case (0xEF, 0xBB, 0xBF, _): return .utf8
    case (1..., 0, 0, 0): return .utf32(bigEndian: false)
    case (0, 0, 0, 1...): return .utf32(bigEndian: true)
    case (1..., 0, 1..., 0): return .utf16(bigEndian: false)
    case (0, 1..., 0, 1...): return .utf16(bigEndian: true)
    default: return .utf8
    }
  }

  // MARK: - Converting

  private mutating func convert(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout Self, UnsafeBufferPointer<UInt8>) -> Int
  ) {
    var rest = bytes
    while !rest.isEmpty {
      if wide == nil && converter == nil {
        let taken = pass(rest, body)
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(taken))
        continue
      }
      let piece = UnsafeBufferPointer(rebasing: rest.prefix(Self.pieceSize))
      output.removeAll(keepingCapacity: true)
      wide?.convert(piece, into: &output)
      converter?.convert(piece, into: &output)
      emit(body)
      rest = UnsafeBufferPointer(rebasing: rest.dropFirst(piece.count))
    }
  }

  /// Passes on the converted text. A declaration cannot change the encoding of converted text.
  private mutating func emit(_ body: (inout Self, UnsafeBufferPointer<UInt8>) -> Int) {
    let text = output
    text.withUnsafeBufferPointer { buffer in
      var rest = buffer
      while !rest.isEmpty {
        let taken = pass(rest, body)
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(taken))
      }
    }
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private var isPastMarks = false

  /// Drops marks at the start and passes on the rest; returns how many bytes were consumed.
  ///
  /// Sound: `taken` is compared with the count before each read; `body` gets the rest only for the
  /// time of its call.
  private mutating func pass(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout Self, UnsafeBufferPointer<UInt8>) -> Int
  ) -> Int {
    if isPastMarks { return body(&self, bytes) }
    var taken = 0
    while taken < bytes.count, bytes[taken] == Self.mark[markPrefix] {
      taken += 1
      markPrefix += 1
      if markPrefix == 3 {
        markPrefix = 0
        markCount += 1
      }
    }
    guard taken < bytes.count else { return taken }
    flushMarkPrefix(body)
    return taken + body(&self, UnsafeBufferPointer(rebasing: bytes.dropFirst(taken)))
  }

  private mutating func flushMarkPrefix(_ body: (inout Self, UnsafeBufferPointer<UInt8>) -> Int) {
    isPastMarks = true
    let count = markPrefix
    markPrefix = 0
    guard count > 0 else { return }
    Self.mark.withUnsafeBufferPointer {
      _ = body(&self, UnsafeBufferPointer(rebasing: $0.prefix(count)))
    }
  }
}
