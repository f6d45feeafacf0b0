import Geodesy
import TrackIngest

/// What an app on a phone sends in one HTTP request.
package struct PhoneMessage: Sendable {
  /// The fields of the query.
  package var query: FormFields
  /// The media type of the body without parameters, in lowercase; nil if none is stated.
  package var mediaType: String?
  /// The body.
  package var body: [UInt8]

  /// Creates a message.
  package init(query: FormFields = FormFields([]), contentType: String? = nil, body: [UInt8] = []) {
    self.query = query
    let type = contentType?.prefix { $0 != ";" } ?? ""
    mediaType = type.isEmpty ? nil : type.lowercased().filter { $0 != " " }
    self.body = body
  }

  /// The fields of the query and, if the body is a form, those of the body behind them.
  package var fields: FormFields {
    var fields = query
    if !body.isEmpty, !isJSON { fields.append(FormFields(body)) }
    return fields
  }

  /// Whether the body is JSON: by its stated type, or by its first character if the type is not
  /// that of a form or JSON.
  package var isJSON: Bool {
    if mediaType?.hasSuffix("json") == true { return true }
    if mediaType == "application/x-www-form-urlencoded" { return false }
    let first = body.first { $0 > 0x20 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

/// The fixes in a message, and what else it contained.
package struct PhoneReading: Hashable, Sendable {
  /// The fixes, in the order of the message.
  package var fixes: [Fix] = []
  /// The number of positions without a valid coordinate, or that the app itself calls invalid.
  package var skipped = 0
  /// The number of messages that are not positions, such as a transition of OwnTracks.
  package var otherMessages = 0

  /// Creates a reading without fixes.
  package init() {}
}
