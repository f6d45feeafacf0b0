import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// Quotation marks that are not closed: their row is lost, and no other.
@Suite struct CSVUnclosedTests {
  private static let message = "A quotation mark is not closed; the row was ignored."

  private func decode(_ text: String) -> TrackRecorder {
    expectSame(Array(text.utf8), inAnyPiecesWith: CSVDecoder(now: readingTime))
  }

  /// Rows of 26 bytes.
  private func rows(_ range: Range<Int>, end: String = "\n") -> String {
    range.map { "1.\(10_000 + $0),2,1714557600,note\(end)" }.joined()
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `a quotation mark that the text does not close ends its row`(end: String) {
    let read = decode(
      "lat,lon,time,note\(end)\(rows(0..<2, end: end))1,2,1714557600,\"open\(end)"
        + rows(2..<5, end: end))
    #expect(read.lines == [2, 3, 5, 6, 7])
    #expect(read.skips == [.invalidCoordinate])
    #expect(
      read.warnings == [IngestWarning(code: .unreadable, line: 4, message: Self.message)])
  }

  @Test func `a quotation mark that the longest row does not close ends its row`() {
    // Sizes around the limit, so that it is reached inside a row, at its end and behind it.
    for count in 620...640 {
      let read = TrackRecorder(
        Array("lat,lon,time,note\n1,2,1714557600,\"open\n\(rows(0..<count))".utf8),
        with: CSVDecoder(now: readingTime))
      #expect(read.lines == Array(3..<(3 + count)), "\(count) rows")
      #expect(read.warnings.map(\.line) == [2])
      #expect(read.warnings.map(\.message) == [Self.message])
    }
  }

  @Test func `rows behind an unclosed mark are the same in pieces of any size`() {
    var text = "lat,lon,time,note\r\n1,2,1714557600,\"open\r\n" + rows(0..<700, end: "\r\n")
    text += "1,2,1714557600,\"open again\r\n" + rows(700..<720)
    let whole = TrackRecorder(Array(text.utf8), with: CSVDecoder(now: readingTime))
    #expect(whole.lines.count == 720)
    #expect(whole.warnings.map(\.line) == [2, 703])
    for size in [1, 2, 3, 7, 27, 1_000, 16_383, 16_384, 16_385] {
      let pieces = TrackRecorder(
        Array(text.utf8), with: CSVDecoder(now: readingTime), pieces: [size])
      #expect(pieces.events == whole.events, "pieces of \(size)")
    }
  }

  @Test func `a quoted field with line ends is whole behind an unclosed mark`() {
    let read = decode(
      """
      lat,lon,time,note
      1,2,1714557600,"a
      b"
      1,3,1714557600,"open
      1,4,1714557600,note

      """)
    #expect(read.lines == [2, 5])
    #expect(read.warnings.map(\.line) == [4])
  }

  @Test func `a last row without a line end is read up to its open mark`() {
    let read = decode("lat,lon,time,note\n1,2,1714557600,a\n1,3,1714557600,\"cut o")
    #expect(read.lines == [2, 3])
    #expect(read.warnings.isEmpty)
  }

  /// Each row is unclosed on its own, and continues to be if it is read on. Takes minutes if
  /// each is read to the longest row.
  @Test func `a text of unclosed marks is read in linear time`() {
    let count = 20_000
    let text = "lat,lon,time,a,b\n" + String(repeating: "1,2,x\",\"\n", count: count)
    let read = TrackRecorder(Array(text.utf8), with: CSVDecoder(now: readingTime))
    #expect(read.skips.count == count)
    #expect(read.codes.allSatisfy { $0 == .unreadable || $0 == .leftOut })
  }

  @Test(arguments: [1, 2, 3, 4])
  func `rows are those of a reader that keeps the whole text`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<400 {
      let letters = Array("\"\"\n\n\r,,ab".utf8)
      let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? 0
      }
      let longest = Int.random(in: 4...30, using: &random)
      let expected = SlowRows.rows(of: text, longest: longest)
      for size in [1, 2, 5, 100] {
        var rows = TextRows(longestRow: longest, endsUnclosedRows: true)
        rows.separator = UInt8(ascii: ",")
        var found: [SlowRows.Row] = []
        func note(_ rows: inout TextRows, _ row: TextRows.Row) {
          found.append(
            SlowRows.Row(text: Array(row.text), line: row.line, isUnclosed: row.isUnclosed))
        }
        for start in stride(from: 0, to: text.count, by: size) {
          Array(text[start..<min(start + size, text.count)]).withUnsafeBytes {
            rows.read($0, note)
          }
        }
        rows.finish(note)
        #expect(found == expected, "\(String(decoding: text, as: UTF8.self).debugDescription)")
      }
    }
  }
}

/// Rows by the rules of `TextRows`, found in the whole text, each from its beginning.
private enum SlowRows {
  struct Row: Equatable {
    let text: [UInt8]
    let line: Int
    let isUnclosed: Bool
  }

  static func rows(of text: [UInt8], longest: Int) -> [Row] {
    var rows: [Row] = []
    var start = 0
    var line = 1
    while start < text.count {
      var (isQuoted, isFieldStart) = (false, true)
      var firstEnd: Int?
      var at = start
      var isAtEnd = false
      while at < text.count {
        let byte = text[at]
        if byte == 0x0A || byte == 0x0D {
          guard isQuoted, at - start < longest else {
            isAtEnd = true
            break
          }
          firstEnd = firstEnd ?? at
        } else if byte == 0x22 {
          if isQuoted { (isQuoted, isFieldStart) = (false, true) } else { isQuoted = isFieldStart }
        } else if !isQuoted {
          isFieldStart = byte == 0x2C
        }
        at += 1
        // Any more bytes make it too long, and without more bytes it is unclosed as well.
        if at - start == longest {
          if isQuoted, firstEnd != nil { break }
          firstEnd = nil
        }
      }
      if !isAtEnd, isQuoted, let firstEnd { (at, isAtEnd) = (firstEnd, true) }
      rows.append(
        Row(text: Array(text[start..<at].prefix(longest)), line: line, isUnclosed: isQuoted))
      line += lines(in: text[start..<at]) + (isAtEnd ? 1 : 0)
      start = isAtEnd ? at + 1 : at
      if isAtEnd, text[at] == 0x0D, start < text.count, text[start] == 0x0A { start += 1 }
    }
    return rows
  }

  /// The line ends in a text: LF, CR, and CR LF as one.
  private static func lines(in text: ArraySlice<UInt8>) -> Int {
    text.indices.count { index in
      text[index] == 0x0D
        || text[index] == 0x0A && (index == text.startIndex || text[index - 1] != 0x0D)
    }
  }
}
