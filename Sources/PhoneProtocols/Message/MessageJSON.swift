import TrackIngest

/// A JSON document of a message, read as a whole.
///
/// A message is taken or refused as a whole: an app that is answered "received" deletes what it
/// sent. So the reader is strict (RFC 8259), in contrast to the decoders of files, which take what
/// is certain of a damaged one.
package indirect enum MessageJSON: Hashable, Sendable {
  /// `null`, `true` or `false`
  case word
  /// A number, or a string.
  case field(FieldText)
  /// An array.
  case array([MessageJSON])
  /// The members of an object, in order.
  case object([Member])

  /// One member of an object.
  package struct Member: Hashable, Sendable {
    /// The member's name.
    package let name: String
    /// The member's value.
    package let value: MessageJSON
  }

  /// The maximum depth of nesting.
  package static let maximumDepth = 32

  /// Reads a document.
  ///
  /// - Complexity: O(bytes).
  /// - Throws: ``MessageError/malformed(_:)`` if it is not JSON, is cut off, or is nested too deep.
  package init(_ bytes: [UInt8]) throws(MessageError) {
    var reader = MessageJSONReader(bytes)
    self = try reader.document()
  }

  /// The first member of an object with a name; nil if there is none.
  package subscript(name: String) -> MessageJSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The elements of an array; nil for anything else.
  package var elements: [MessageJSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The number or string; nil for anything else.
  package var field: FieldText? {
    guard case .field(let field) = self else { return nil }
    return field
  }

  /// The string; nil for anything else.
  package var text: String? {
    guard let field, field.isText else { return nil }
    return String(decoding: field.bytes, as: UTF8.self)
  }
}

/// The reason to refuse a message.
package enum MessageError: Error, Hashable, Sendable {
  /// The message is not what the app sends. The text is a sentence for the person who sets it up.
  case malformed(String)
}
