import PhoneProtocols

/// The token in a request: apps differ in where they can put one.
package enum Credentials {
  /// The name of the cookie of a browser.
  package static let cookie = "roqua_token"

  /// The token of a request; nil if there is none. In the order of preference: `Authorization` as
  /// Bearer, or as Basic with the token as password; `?token=`; a cookie, if `allowsCookie`.
  ///
  /// - Parameter allowsCookie: false for a request that changes something, since another page can
  ///   make a browser send its cookies.
  package static func token(
    of request: ServerRequest, _ target: RequestTarget, allowsCookie: Bool
  ) -> String? {
    if let value = request.header("authorization") {
      let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return nil }
      switch parts[0].lowercased() {
      case "bearer": return parts[1]
      case "basic":
        let plain = base64(parts[1]).map { String(decoding: $0, as: UTF8.self) }
        return plain?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
          .dropFirst().first.map(String.init)
      default: return nil
      }
    }
    if let token = target.query.text("token") { return token }
    guard allowsCookie, let cookies = request.header("cookie") else { return nil }
    for piece in cookies.split(separator: ";") {
      let pair = piece.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if pair.count == 2, pair[0] == cookie { return String(pair[1]) }
    }
    return nil
  }

  /// Decodes Base64 (RFC 4648, section 4), with or without padding; nil if it is not.
  static func base64(_ text: String) -> [UInt8]? {
    var (bytes, bits, count) = ([UInt8](), UInt32(0), 0)
    for byte in text.utf8.reversed().drop(while: { $0 == UInt8(ascii: "=") }).reversed() {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
