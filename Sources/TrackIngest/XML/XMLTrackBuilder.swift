/// A kind of element of an XML format.
protocol XMLElement: Equatable, Sendable {
  /// The parent of the root.
  static var document: Self { get }
  /// An element without a meaning of its own.
  static var other: Self { get }
  /// The element with this local name: namespaces are ignored.
  static func named(_ name: UnsafeBufferPointer<UInt8>) -> Self
  /// The depth of the element in the structure of tracks: an element with a level cannot be inside
  /// one of the same or a greater level. Nil for elements that may be anywhere.
  var level: Int? { get }
}

/// What is read of an element.
enum XMLContents: UInt8 {
  /// Elements.
  case elements
  /// Elements between which no text belongs.
  case elementsOnly
  /// A text that is a value, passed to the builder when it is complete.
  case value
  /// A text of any length, passed to the builder as it comes.
  case stream
  /// Nothing, however deep.
  case nothing
}

/// Makes tracks of the elements that an ``XMLElementReader`` finds.
protocol XMLTrackBuilder {
  associatedtype Element: XMLElement
  typealias Position = UnsafePointer<UInt8>

  /// The name of the root, for messages.
  static var root: String { get }

  var document: XMLDocument { get set }
  /// True if the fast path is used; tests compare both paths.
  var usesFastPath: Bool { get set }
  /// True while a point is incomplete.
  var isPointOpen: Bool { get }

  /// Opens an element. Returns what is to be read of it.
  mutating func open(
    _ element: Element, in parent: Element, line: Int, _ sink: inout some TrackSink
  ) -> XMLContents
  /// Takes the complete value of an element.
  mutating func take(
    _ value: BoundedText, of element: Element, in parent: Element, line: Int,
    _ sink: inout some TrackSink)
  /// Takes one byte of a streamed text.
  mutating func takeStream(_ byte: UInt8, line: Int, _ sink: inout some TrackSink)
  /// Takes a run of a streamed text. `start` and `end` bound initialized memory.
  mutating func takeStream(
    _ start: Position, _ end: Position, _ lines: inout LineCounter, _ sink: inout some TrackSink)
  /// Markup is broken: what follows in the open point, value or streamed text is unreliable.
  mutating func spoil()
  /// Closes an element.
  ///
  /// - Parameter isProper: whether it has an end tag.
  mutating func close(
    _ element: Element, isProper: Bool, line: Int, _ sink: inout some TrackSink)

  /// Returns true if the children of an element may be plain ones for
  /// ``readPlain(_:_:in:_:_:)``.
  func hasFastPath(_ element: Element) -> Bool
  /// Reads plain elements from `start`, which is `<`. Returns the position of the first byte that
  /// is not consumed. `start` and `end` bound initialized memory.
  mutating func readPlain(
    _ start: Position, _ end: Position, in element: Element, _ lines: inout LineCounter,
    _ sink: inout some TrackSink
  ) -> Position
}
