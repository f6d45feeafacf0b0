/// The names of this machine in the `Host` field of a request.
///
/// A page of another site can let its own name lead to this machine (DNS rebinding), and a browser
/// then treats what the server answers as part of that site. Its requests have that name in the
/// field, so they are recognized by it.
enum LocalHost {
  private static let names: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

  /// Returns whether a field names this machine, with or without a port.
  static func isNamed(by field: String?) -> Bool {
    guard let field else { return false }
    var name = field.lowercased()
    // The last colon of an IPv6 address is within its brackets.
    if let colon = name.lastIndex(of: ":"), !name.hasSuffix("]") {
      let port = name[name.index(after: colon)...].utf8
      guard port.count <= 5, port.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
      name = String(name[..<colon])
    }
    return names.contains(name)
  }
}
