/// Where a server listens: `127.0.0.1:8787`, `[::1]:8787`, `localhost:8787`, or a port alone.
struct ListenAddress {
  /// The address or name of the host.
  let host: String
  /// The port; 0 for any free one.
  let port: Int

  /// The default: this machine only.
  static let standard = ListenAddress(host: "127.0.0.1", port: 8_787)

  init(host: String, port: Int) { (self.host, self.port) = (host, port) }

  /// Reads an address and a port, or a port alone.
  ///
  /// - Throws: ``ArgumentFlaw``.
  static func parse(_ argument: String) throws(ArgumentFlaw) -> ListenAddress {
    guard let address = ListenAddress(argument) else {
      throw ArgumentFlaw(
        "must be an address and a port from 0 to 65535, such as 127.0.0.1:8787 or [::1]:8787.")
    }
    return address
  }

  private init?(_ argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    let text = String(parts.last ?? "")
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(text),
      (0...65_535).contains(port)
    else { return nil }
    let host = parts.dropLast().joined(separator: ":")
    if parts.count == 1 {
      self.init(host: Self.standard.host, port: port)
    } else if host.hasPrefix("["), host.hasSuffix("]"), host.count > 2 {
      self.init(host: String(host.dropFirst().dropLast()), port: port)
    } else if parts.count == 2, !host.isEmpty {
      self.init(host: host, port: port)
    } else {
      return nil
    }
  }

  /// Whether only programs of this machine can connect.
  var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}
