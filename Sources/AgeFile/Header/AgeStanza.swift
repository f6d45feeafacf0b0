/// One wrapping of the file key: a type, arguments and a body.
struct AgeStanza: Equatable, Sendable {
  /// The type, and the arguments after it.
  let arguments: [String]
  let body: [UInt8]

  var type: String { arguments.first ?? "" }

  /// The number of bytes of a whole line of the body, which has 64 characters.
  static let lineBytes = 48
  /// The number of characters of a whole line of the body.
  static let lineCharacters = 64

  /// The lines of the stanza, each with its line feed.
  var bytes: [UInt8] {
    var result = Array("-> \(arguments.joined(separator: " "))\n".utf8)
    var start = 0
    repeat {
      let end = min(start + Self.lineBytes, body.count)
      result += UnpaddedBase64.encode(body[start..<end]) + [0x0a]
      start += Self.lineBytes
      // A body of whole lines ends with an empty one.
    } while start <= body.count
    return result
  }
}
