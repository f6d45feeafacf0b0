/// The two kinds of values that hold others.
enum JSONContainer: UInt8 {
  case object
  case array
}

/// Where an object or an array of JSON begins.
struct JSONPlace {
  /// Its line, counted from 1.
  var line = 1
  /// The offset of its first byte: a whole file may be one line.
  var byte = 0
}

/// A primitive of JSON (RFC 8259, section 1): a string, a number or a word.
struct JSONPrimitive {
  /// Its bytes, without quotation marks and escapes: none if there were more than
  /// ``JSONLimits/valueBytes``. They are only valid during the call that passes the value.
  let text: UnsafeBufferPointer<UInt8>
  /// True if it was in quotation marks.
  let isString: Bool
}

/// Makes fixes of the values that a ``JSONScanner`` finds.
///
/// A builder reads a few members of known objects: it says for each member, and for each object and
/// array, whether it wants it. What it does not want is skipped unread, however deep it is.
protocol JSONBuilder {
  /// The name of a member of the innermost open object.
  ///
  /// - Returns: true if its value is wanted.
  mutating func wants(_ name: UnsafeBufferPointer<UInt8>) -> Bool
  /// A wanted string, number or word: the value of the last wanted member, or of an array.
  mutating func take(_ value: JSONPrimitive, _ sink: inout some TrackSink)
  /// A wanted object or array begins.
  ///
  /// - Returns: true if its contents are wanted; then it is closed later.
  mutating func open(
    _ container: JSONContainer, at place: JSONPlace, _ sink: inout some TrackSink
  ) -> Bool
  /// The innermost open object or array ends.
  ///
  /// - Parameter isComplete: false if the text ends or breaks off before it does.
  mutating func close(isComplete: Bool, _ sink: inout some TrackSink)
  /// The innermost open array has a syntax error. In an object, the scanner itself ignores all
  /// members that follow an error.
  mutating func damageArray()
}
