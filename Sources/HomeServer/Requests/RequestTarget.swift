import PhoneProtocols

/// The path of a request, taken apart, and its query.
///
/// A path names one of a few routes and never a file, so that no trick with dots, slashes or
/// encodings can reach anything else: what is not a route is not found.
package struct RequestTarget: Sendable {
  /// The segments of the path, decoded.
  package let segments: [String]
  /// The fields of the query.
  package let query: FormFields

  /// The longest target in bytes.
  package static let maximumBytes = 8_192
  private static let maximumSegments = 8

  /// Takes a target apart; nil if it is not a path, or not one that any route has.
  package init?(_ target: String) {
    guard target.utf8.count <= Self.maximumBytes, target.utf8.first == UInt8(ascii: "/") else {
      return nil
    }
    let parts = target.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    query = FormFields(parts.count > 1 ? Array(parts[1]) : [])
    var segments: [String] = []
    for piece in parts[0].dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      // A plus sign is a space in a query only.
      let plain = FormFields.decoded(piece.flatMap { $0 == 0x2B ? Array("%2B".utf8) : [$0] })
      guard let text = String(validating: plain, as: UTF8.self),
        plain.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "/") }),
        text != "." && text != ".."
      else { return nil }
      segments.append(text)
    }
    // A slash at the end is the same path.
    if segments.last?.isEmpty == true { segments.removeLast() }
    guard segments.count <= Self.maximumSegments, !segments.contains("") else { return nil }
    self.segments = segments
  }
}
