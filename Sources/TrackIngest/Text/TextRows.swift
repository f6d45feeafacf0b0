import ByteStreams

/// Divides text of any encoding, which comes in pieces of any size, into rows: lines, or rows of a
/// table whose quoted fields may contain line ends.
///
/// A quotation mark that is not closed within the longest row, or within the text, is certainly
/// unclosed. If ``endsUnclosedRows`` is true, its row ends at its first line end, and the lines
/// behind it are read again as rows.
///
/// - Memory: two rows of at most ``longestRow`` bytes.
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
  /// Whether a row with an unclosed quotation mark ends at its first line end; otherwise at the
  /// first one behind ``longestRow`` bytes, or with the text.
  let endsUnclosedRows: Bool
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
  /// The first line end in the quoted row if such a row can end there; nil if there is none yet.
  private var firstEnd: LineEnd?
  /// Memory for a row that is read again.
  private var spare: [UInt8] = []

  /// A line end in a quoted field.
  private struct LineEnd {
    /// The bytes of the row before it.
    let length: Int
    /// The line behind it.
    let line: Int
  }

  /// What is known at the end of a text that is read again.
  private struct Reached {
    let line: Int
    let wasCarriageReturn: Bool
  }

  /// Rows at the start of a text.
  init(longestRow: Int, endsUnclosedRows: Bool = false) {
    self.longestRow = longestRow
    self.endsUnclosedRows = endsUnclosedRows
  }

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
    while isQuoted, firstEnd != nil { readAgain(body) }
    guard length > 0 else { return }
    passCarried(isLast: true, body)
  }

  /// Finds the rows in a piece of text.
  ///
  /// Sound: all indexes are below the count of the text.
  ///
  /// - Parameter reached: for text that is read again, what is known at its end, where the row that
  ///   was read first is quoted. That row is quoted at each line end of the text, too, so any other
  ///   that is quoted at one goes on like it: to the end, quoted. Each line is so read again once.
  private mutating func divide(
    _ text: UnsafeBufferPointer<UInt8>, until reached: Reached? = nil,
    _ body: (inout Self, Row) -> Void
  ) {
    var start = 0
    var index = 0
    var end = limit(of: text, from: start)
    while true {
      if index == end {
        if end == text.count { break }
        // A row with a line end in a quoted field has its longest length.
        if isQuoted {
          keep(UnsafeBufferPointer(rebasing: text[start..<index]))
          readAgain(body)
          start = index
        } else {
          firstEnd = nil
        }
        end = limit(of: text, from: start)
        continue
      }
      let byte = text[index]
      let isAfterReturn = wasCarriageReturn
      wasCarriageReturn = byte == 0x0D
      if byte == 0x0A, isAfterReturn {
        // The end of the pair CR LF, whose row has ended, unless it is quoted.
        if index == start, length == 0 { start = index + 1 }
      } else if byte == 0x0A || byte == 0x0D {
        line += 1
        let rowLength = length + index - start
        // After too many bytes, an unmatched quotation mark is not one.
        if isQuoted, rowLength < longestRow || rowLength == longestRow && !endsUnclosedRows {
          if endsUnclosedRows, firstEnd == nil {
            firstEnd = LineEnd(length: rowLength, line: line)
            if let reached {
              (line, wasCarriageReturn) = (reached.line, reached.wasCarriageReturn)
              break
            }
            end = limit(of: text, from: start)
          }
        } else {
          pass(UnsafeBufferPointer(rebasing: text[start..<index]), body)
          start = index + 1
          end = text.count
        }
      } else if let separator {
        follow(byte, separator: separator)
      }
      index += 1
    }
    keep(UnsafeBufferPointer(rebasing: text[start...]))
  }

  /// The index in a text at which the current row, from `start` on, has its longest length, if
  /// there is a line end in a quoted field of it; otherwise the end of the text.
  private func limit(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    firstEnd == nil ? text.count : min(text.count, start + longestRow - length)
  }

  /// Ends the row that is carried, whose quotation mark is certainly unclosed, at its first line
  /// end, and reads the bytes behind it again.
  ///
  /// The bytes of the row are all carried, since it has its longest length at most.
  private mutating func readAgain(_ body: (inout Self, Row) -> Void) {
    guard let lineEnd = firstEnd else { return }
    var bytes: [UInt8] = []
    swap(&bytes, &spare)
    swap(&bytes, &carried)
    let reached = Reached(line: line, wasCarriageReturn: wasCarriageReturn)
    let first = firstLine
    line = lineEnd.line
    begin()
    bytes.withUnsafeBufferPointer { text in
      body(
        &self,
        Row(
          text: UnsafeBufferPointer(rebasing: text[..<lineEnd.length]), line: first,
          isTooLong: false, isLast: false, isUnclosed: true))
      wasCarriageReturn = text[lineEnd.length] == 0x0D
      divide(
        UnsafeBufferPointer(rebasing: text[(lineEnd.length + 1)...]), until: reached, body)
    }
    bytes.removeAll(keepingCapacity: true)
    spare = bytes
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
    let row = Row(
      text: rest, line: firstLine, isTooLong: false, isLast: false, isUnclosed: isQuoted)
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
    firstEnd = nil
    firstLine = line
  }

  /// Keeps the beginning of a row.
  private mutating func keep(_ text: UnsafeBufferPointer<UInt8>) {
    guard !text.isEmpty else { return }
    note(text)
    length += text.count
    carried.append(
      contentsOf: UnsafeBufferPointer(rebasing: text.prefix(longestRow - carried.count)))
  }

  private mutating func note(_ text: UnsafeBufferPointer<UInt8>) {
    if !sawContent { sawContent = text.contains { $0 > 0x20 } }
  }
}
