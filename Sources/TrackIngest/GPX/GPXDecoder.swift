import ByteStreams
import Geodesy

/// Decodes GPX of any version from bytes in pieces of any size, down to one at a time, with the same result.
///
/// A byte scanner of its own, because strict XML readers refuse real files for an undeclared prefix or a bare `&`.
/// No entity is expanded, nothing is fetched, and every point that is certainly right is taken. What is taken
/// and what is not, rule by rule, is written in `docs/formats/gpx.md`.
///
/// Two paths give the same points. The *exact path* is a state machine over single bytes that keeps no text but the
/// value it is reading; it alone handles whatever is unusual. The *fast path* (`GPXFastPath`) takes a whole
/// plain `<trkpt …>…</trkpt>` that lies within one piece, and steps back at the first byte it does not expect.
///
/// - Memory: a few kilobytes, whatever the file holds: values are cut at ``valueLimit`` bytes (a longer one is no
///   number and no time), names at ``nameLimit``, and elements nested deeper than ``depthLimit`` are passed over.
public struct GPXDecoder: TrackDecoder {
  /// The longest attribute value or text that is looked at, in bytes.
  static let valueLimit = 256
  /// The longest element or attribute name that is told apart, in bytes.
  static let nameLimit = 128
  /// The deepest nesting that is followed.
  static let depthLimit = 256
  /// Namespace declarations in scope up to which every one is remembered.
  static let bindingLimit = 128
  /// Namespace declarations in scope up to which those that decide about GPX are remembered.
  static let reservedBindingLimit = 256

  /// An open element.
  struct OpenElement {
    var name: NameHash
    var element: GPXElement
    /// Nothing below is a track, route or point: `extensions`, foreign namespaces, a root that is not `gpx`.
    var isBarrier: Bool
  }

  /// Where the exact path stands between two bytes.
  enum State: UInt8 {
    case text, reference
    case tagOpen, startName, tagSpace, tagSlash, afterValue, endName, endSpace
    case attributeName, afterAttributeName, beforeValue, quotedValue, unquotedValue
    case declarationOpen, comment, cdata, documentType, instruction
  }

  /// What becomes of text.
  enum TextUse: UInt8 {
    /// Nothing: names, descriptions, extensions.
    case ignored
    /// It is the value of `capture`.
    case captured
    /// It stands before or after the root.
    case outside
    /// It stands directly in a point, where none belongs.
    case inPoint
  }

  /// What becomes of an attribute.
  enum AttributeUse: UInt8 { case ignored, latitude, longitude, namespace }

  // The stream.
  var reader = EncodedTextReader()
  var lines = LineCounter()
  var requestedEncoding: ByteEncoding?
  var isWideText = false
  var validatesUTF8 = true
  var utf8 = UTF8Validator()
  let latestTime: Int64

  // The token being read.
  var state = State.text
  var tokenLine = 1
  var name: [UInt8]
  var nameCount = 0
  var nameHash = NameHash()
  var colon = -1
  var attribute: [UInt8]
  var attributeCount = 0
  var attributeUse = AttributeUse.ignored
  var quote: UInt8 = 0
  var value: [UInt8]
  var valueCount = 0
  var isValueTooLong = false
  var reference: [UInt8]
  /// The first bytes of an instruction: apart from `value`, which it may stand in the middle of.
  var instruction: [UInt8]
  var instructionCount = 0
  var referenceCount = 0
  var referenceReturn = State.text
  var tagLatitude = GPXPoint.Axis.missing
  var tagLongitude = GPXPoint.Axis.missing
  var tagBindings: [Binding] = []
  var tagIsOdd = false
  /// Whether the tag declares a namespace that is not remembered.
  var tagLosesBindings = false
  /// Whether one of these gives a new meaning to a prefix of GPX.
  var tagHidesBindings = false
  var run = 0
  var documentType = GPXDocumentTypeSkipper()
  var isDeclaration = false
  var wasControl = false
  var referenceLine = 1
  var isAtStart = false
  var isNameTooLong = false
  var isAttributeTooLong = false
  var tagHasComma = false

  // The structure.
  var stack: [OpenElement] = []
  var overflowDepth = 0
  var barrierDepth = 0
  var bindings: [Binding] = []
  /// The depth of the outermost open element whose declarations are not all remembered.
  var lostBindingsDepth: Int?
  var homeNamespace: NameHash?
  var textUse = TextUse.outside
  var isFastPathOpen = false
  var capture: GPXElement?
  var point = GPXPoint()
  var isPointOpen = false
  var hasImplicitSegment = false
  var lastTime: Int64 = .min
  var dates = GPXFastPath.DateCache()
  var usesFastPath = true

  // What was found.
  var sawRoot = false
  var closedRoots = 0
  var sawAnyByte = false
  var sawContent = false
  var hasWarnedOfJunk = false
  var junkWarnedAt = 0
  var trackPointCount = 0
  var routePointCount = 0
  var waypointCount = 0

  /// A decoder at the start of a file.
  ///
  /// - Parameter now: the present moment. A time more than a day later is impossible and treated as no time.
  public init(now: Timestamp) {
    latestTime = now.millisecondsSince1970 &+ TimeText.dayMilliseconds
    name = [UInt8](repeating: 0, count: Self.nameLimit)
    attribute = [UInt8](repeating: 0, count: Self.nameLimit)
    value = [UInt8](repeating: 0, count: Self.valueLimit)
    reference = [UInt8](repeating: 0, count: 32)
    instruction = [UInt8](repeating: 0, count: Self.valueLimit)
    stack.reserveCapacity(32)
  }

  /// Takes the next bytes of the file, none or any number of them. They are only used during the call.
  ///
  /// - Complexity: O(bytes).
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    bytes.withMemoryRebound(to: UInt8.self) { buffer in
      var reader = EncodedTextReader()
      swap(&reader, &self.reader)
      reader.read(buffer) { reader, text in scan(text, from: &reader, into: &sink) }
      swap(&reader, &self.reader)
    }
  }

  /// The file has ended: closes what is open, and says what is missing or why nothing in it is GPX.
  ///
  /// - Returns: nil where the file is GPX, even an empty one; the reason to refuse it otherwise.
  public mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    var reader = EncodedTextReader()
    swap(&reader, &self.reader)
    reader.finish { reader, text in scan(text, from: &reader, into: &sink) }
    swap(&reader, &self.reader)
    if self.reader.sawInvalid {
      sink.warn(.encoding, line: nil, "characters that the encoding of the file does not allow")
    }
    return conclude(into: &sink)
  }

  /// Scans a piece of text; returns how many bytes were taken: of a large piece only a part that stays in the
  /// processor's cache while it is looked at twice, or what came before another encoding was asked for.
  private mutating func scan(
    _ whole: UnsafeBufferPointer<UInt8>, from reader: inout EncodedTextReader, into sink: inout some TrackSink
  ) -> Int {
    let text = UnsafeBufferPointer(rebasing: whole.prefix(1 << 17))
    guard let start = text.baseAddress, !text.isEmpty else { return 0 }
    lines.beginChunk(text)
    if case .utf16 = reader.encoding { isWideText = true }
    if case .utf32 = reader.encoding { isWideText = true }
    if !sawAnyByte, reader.markCount > 1 {
      sink.warn(.encoding, line: 1, "\(reader.markCount) byte order marks at the start; one belongs there")
    }
    var taken = scan(start, start + text.count, into: &sink) - start
    if let encoding = requestedEncoding {
      requestedEncoding = nil
      reader.switchEncoding(to: encoding)
    } else {
      taken = text.count
    }
    lines.endChunk(at: start + taken)
    return taken
  }
}
