import ByteStreams

/// Divides text of any encoding, which comes in pieces of any size, into rows: lines, or rows of a
/// table whose quoted fields may contain line ends.
///
/// - Memory: one row of at most ``longestRow`` bytes.
struct TextRows {
  /// One row, valid only during the call.
  struct Row {
    /// Its bytes without the line end; only the first ones of a row that is too long.
    let text: UnsafeBufferPointer<UInt8>
    /// The line on which it begins, counted from 1.
    let line: Int
    /// True if it is longer than ``TextRows/longestRow``.
    let isTooLong: Bool
    /// True if the text ends without a line end after it.
    let isLast: Bool
    /// True if a quoted field does not end in it.
    var isUnclosed = false
  }

  /// The longest row that is kept, in bytes.
  let longestRow: Int
  /// The separator of fields, of which one that begins with a quotation mark may contain line ends;
  /// nil if rows are lines.
  var separator: UInt8?
  /// The line that the text has reached, counted from 1.
  private(set) var line = 1
  /// True if there was anything but white space and control characters.
  private(set) var sawContent = false

  private var reader = EncodedTextReader()
  /// The beginning of a row, from earlier pieces.
  private var carried: [UInt8] = []
  /// The bytes of that row, kept or not.
  private var length = 0
  private var firstLine = 1
  private var wasCarriageReturn = false
  private var isQuoted = false
  private var isFieldStart = true

  /// Rows at the start of a text.
  init(longestRow: Int) { self.longestRow = longestRow }

  /// True if a byte was invalid in the encoding of the text.
  var sawInvalid: Bool { reader.sawInvalid }

  /// Takes the next bytes, and calls `body` with each row that ends in them.
  ///
  /// - Complexity: O(bytes).
  mutating func read(_ bytes: UnsafeRawBufferPointer, _ body: (inout Self, Row) -> Void) {
    var reader = EncodedTextReader()
    swap(&reader, &self.reader)
    // Any memory may be read as bytes; the buffer does not outlive the closure.
    bytes.withMemoryRebound(to: UInt8.self) { buffer in
      reader.read(buffer) { _, text in
        divide(text, body)
        return text.count
      }
    }
    swap(&reader, &self.reader)
  }

  /// Ends the text, and calls `body` with a last row that has no line end.
  mutating func finish(_ body: (inout Self, Row) -> Void) {
    var reader = EncodedTextReader()
    swap(&reader, &self.reader)
    reader.finish { _, text in
      divide(text, body)
      return text.count
    }
    swap(&reader, &self.reader)
    guard length > 0 else { return }
    passCarried(isLast: true, body)
  }

  /// Finds the rows in a piece of text.
  ///
  /// Sound: all indexes are below the count of the text.
  private mutating func divide(
    _ text: UnsafeBufferPointer<UInt8>, _ body: (inout Self, Row) -> Void
  ) {
    var start = 0
    for index in text.indices {
      let byte = text[index]
      let isAfterReturn = wasCarriageReturn
      wasCarriageReturn = byte == 0x0D
      if byte == 0x0A, isAfterReturn {
        // The end of the pair CR LF, whose row has ended, unless it is quoted.
        if index == start, length == 0 { start = index + 1 }
        continue
      }
      if byte == 0x0A || byte == 0x0D {
        line += 1
        // After too many bytes, an unmatched quotation mark is not one.
        if isQuoted, length + index - start <= longestRow { continue }
        pass(UnsafeBufferPointer(rebasing: text[start..<index]), body)
        start = index + 1
      } else if let separator {
        follow(byte, separator: separator)
      }
    }
    keep(UnsafeBufferPointer(rebasing: text[start...]))
  }

  /// Follows the quotation marks of a row: one at the start of a field begins a quoted part.
  @inline(__always)
  private mutating func follow(_ byte: UInt8, separator: UInt8) {
    if byte == 0x22 {
      if isQuoted {
        isQuoted = false
        isFieldStart = true  // a doubled mark goes on
      } else if isFieldStart {
        isQuoted = true
      }
    } else if !isQuoted {
      isFieldStart = byte == separator
    }
  }

  /// Passes a row that ends in the current piece.
  private mutating func pass(
    _ rest: UnsafeBufferPointer<UInt8>, _ body: (inout Self, Row) -> Void
  ) {
    guard length == 0, rest.count <= longestRow else {
      keep(rest)
      return passCarried(isLast: false, body)
    }
    note(rest)
    let row = Row(text: rest, line: firstLine, isTooLong: false, isLast: false)
    begin()
    body(&self, row)
  }

  /// Passes the row that is carried.
  private mutating func passCarried(isLast: Bool, _ body: (inout Self, Row) -> Void) {
    var bytes: [UInt8] = []
    swap(&bytes, &carried)
    let (first, isTooLong, isUnclosed) = (firstLine, length > longestRow, isQuoted)
    begin()
    bytes.withUnsafeBufferPointer {
      body(
        &self,
        Row(
          text: $0, line: first, isTooLong: isTooLong, isLast: isLast, isUnclosed: isUnclosed))
    }
    bytes.removeAll(keepingCapacity: true)
    carried = bytes
  }

  /// Begins the next row.
  private mutating func begin() {
    length = 0
    isQuoted = false
    isFieldStart = true
    firstLine = line
  }

  /// Keeps the beginning of a row.
  private mutating func keep(_ text: UnsafeBufferPointer<UInt8>) {
    guard !text.isEmpty else { return }
    note(text)
    length += text.count
    carried.append(contentsOf: text.prefix(longestRow - carried.count))
  }

  private mutating func note(_ text: UnsafeBufferPointer<UInt8>) {
    if !sawContent { sawContent = text.contains { $0 > 0x20 } }
  }
}
