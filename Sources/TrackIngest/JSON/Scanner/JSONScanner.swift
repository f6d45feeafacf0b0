/// Finds the names and values of a JSON text in its bytes and passes those that are wanted to a
/// ``JSONBuilder``.
///
/// It reads one text, several texts one after another (JSON lines, text sequences), and texts with
/// errors: after the first error in an object, the rest of that object is ignored.
///
/// Names and values that lie within one piece are passed without a copy; those cut by its end are
/// collected in ``BoundedText``. Skipped values are scanned eight bytes at a time.
struct JSONScanner {
  /// A position in the piece that is scanned: valid only during ``scan(_:into:_:)``, and read only
  /// before the end of the piece.
  typealias Position = UnsafePointer<UInt8>

  /// What is read at the end of a piece.
  enum State: UInt8 {
    /// Nothing: blanks and punctuation come next.
    case between
    /// A string, after its quotation mark.
    case string
    /// A number or a word.
    case word
    /// An object or an array that is not wanted.
    case skipped
  }

  /// What comes next in the innermost object or array.
  enum Expected: UInt8 {
    case name, colon, value, comma
  }

  var state = State.between
  var expected = Expected.value
  var lines = LineCounter()
  /// The start of the piece that is scanned, and the number of bytes before it.
  private var piece: Position?
  private var passed = 0

  /// The number of open objects and arrays that are wanted.
  var depth = 0
  /// A bit for each of them, the innermost in the lowest bit: 1 for an object.
  var objects: UInt64 = 0
  /// The depth of the outermost object with an error, whose further members are ignored; 0 if none.
  var damagedDepth = 0
  /// True if the next value is wanted.
  var isWanted = true

  /// The name or value that is read, if it is not within one piece.
  var text = BoundedText(limit: JSONLimits.valueBytes)
  /// True if the string that is read is a name.
  var isName = false
  /// The escape sequence that is read.
  var escape = JSONEscape()
  /// The value that is skipped.
  var skipping = JSONSkipping()
  /// The texts of the file.
  var roots = JSONRoots()

  /// True if the file ended inside its JSON.
  private(set) var isCutOff = false

  /// Creates a scanner at the start of a file.
  ///
  /// - Parameter isAfterText: true if each line may have other text before its JSON.
  init(isAfterText: Bool = false) { roots.isAfterText = isAfterText }

  /// The line reached, counted from 1.
  var line: Int { lines.line }
  /// True if the innermost open value is an object.
  var isInObject: Bool { objects & 1 == 1 && depth > 0 }

  /// Scans a piece of text.
  mutating func scan(
    _ text: UnsafeBufferPointer<UInt8>, into builder: inout some JSONBuilder,
    _ sink: inout some TrackSink
  ) {
    guard let start = text.baseAddress, !text.isEmpty else { return }
    let end = start + text.count
    lines.beginChunk(text)
    piece = start
    var at = start
    while at < end {
      guard roots.areLines else {
        at = scan(at, end, &builder, &sink)
        continue
      }
      let lineEnd = JSONWords.find(0x0A, at, end)
      while at < lineEnd { at = scan(at, lineEnd, &builder, &sink) }
      if lineEnd < end {
        endLine(lineEnd, &builder, &sink)
        at = lineEnd + 1
      }
    }
    lines.endChunk(at: end)
    piece = nil
    passed += text.count
  }

  /// The place of a byte of the piece. Places must not go back.
  mutating func place(_ at: Position) -> JSONPlace {
    JSONPlace(line: lines.line(at: at), byte: passed + (piece.map { at - $0 } ?? 0))
  }

  /// Counts bytes before the text that are not part of it.
  mutating func pass(_ count: Int) { passed += count }

  /// Ends the file.
  mutating func finish(into builder: inout some JSONBuilder, _ sink: inout some TrackSink) {
    guard depth > 0 || state == .skipped else { return }
    isCutOff = true
    sink.warn(
      .truncated, line: line, "The file ends early; what was complete before its end was read.")
    breakOff(&builder, &sink)
  }

  /// Scans until the end, or until the first text shows that each line is a text of its own.
  /// Returns the position where it stopped. `start` and `end` bound initialized memory.
  private mutating func scan(
    _ start: Position, _ end: Position, _ builder: inout some JSONBuilder,
    _ sink: inout some TrackSink
  ) -> Position {
    var at = start
    let wereLines = roots.areLines
    while at < end, roots.areLines == wereLines {
      switch state {
      case .between: at = scanBetween(at, end, &builder, &sink)
      case .string: at = scanString(at, end, &builder, &sink)
      case .word: at = scanWord(at, end, &builder, &sink)
      case .skipped:
        at = skipping.skip(at, end)
        if skipping.depth == 0 { endSkipped(at) }
      }
    }
    return at
  }

  /// Ends a line that is a text of its own.
  private mutating func endLine(
    _ at: Position, _ builder: inout some JSONBuilder, _ sink: inout some TrackSink
  ) {
    if depth > 0 || state == .skipped {
      sink.warn(
        .malformed, line: lines.line(at: at),
        "A line ends before its object does; what was complete in it was read.")
      breakOff(&builder, &sink)
    }
    state = .between
    expected = .value
    isWanted = true
  }

  /// Closes everything that is open.
  mutating func breakOff(_ builder: inout some JSONBuilder, _ sink: inout some TrackSink) {
    while depth > 0 {
      depth -= 1
      builder.close(isComplete: false, &sink)
    }
    (objects, damagedDepth) = (0, 0)
    skipping = JSONSkipping()
    state = .between
    expected = .value
    isWanted = true
  }
}
