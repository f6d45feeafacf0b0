import Foundation

/// Where a receiver is.
///
/// - `-`: standard input.
/// - `/dev/ttyUSB0`, or any path with a slash: a serial device, a named pipe or a file.
/// - `tcp://host:port`: a program that sends NMEA sentences or the messages of gpsd.
/// - `gpsd://host`, `gpsd://host:2947/dev/ttyUSB0`: gpsd, and which of its devices.
///
/// An IPv6 address is in brackets: `tcp://[::1]:10110`.
package enum ReceiverAddress: Hashable, Sendable {
  /// Standard input.
  case standardInput
  /// A device, a named pipe or a file.
  case path(String)
  /// A TCP server.
  case tcp(host: String, port: UInt16)
  /// A server of gpsd, and the path of one of its devices; nil for the first that has a fix.
  case gpsd(host: String, port: UInt16, device: String?)

  /// The port of gpsd.
  package static let gpsdPort: UInt16 = 2947

  /// Why a text is not an address: one sentence.
  package struct Flaw: Error, Hashable, CustomStringConvertible {
    /// The sentence.
    package let description: String
  }

  /// Reads an address.
  ///
  /// - Throws: ``Flaw``.
  package init(_ text: String) throws(Flaw) {
    guard !text.isEmpty else { throw Flaw(description: "The receiver's address is empty.") }
    guard !text.utf8.contains(0) else {
      throw Flaw(description: "The receiver's address contains a zero byte.")
    }
    if text == "-" {
      self = .standardInput
    } else if let rest = Self.rest(of: text, after: "tcp://") {
      let (host, port, path) = try Self.server(rest, of: text)
      guard path == nil else { throw Flaw(description: "\(text): a TCP address has no path.") }
      guard let port else {
        throw Flaw(description: "\(text): the port is missing, as in tcp://\(host):10110.")
      }
      self = .tcp(host: host, port: port)
    } else if let rest = Self.rest(of: text, after: "gpsd://") {
      let (host, port, path) = try Self.server(rest, of: text)
      self = .gpsd(host: host, port: port ?? Self.gpsdPort, device: path)
    } else if let scheme = text.range(of: "://") {
      throw Flaw(
        description: "\(text): \(text[..<scheme.lowerBound]):// is not supported; use tcp:// or "
          + "gpsd://, a path, or - for standard input.")
    } else {
      self = .path(text)
    }
  }

  private static func rest(of text: String, after scheme: String) -> Substring? {
    text.lowercased().hasPrefix(scheme) ? text.dropFirst(scheme.count) : nil
  }

  /// Splits `host[:port][/path]`.
  private static func server(
    _ rest: Substring, of text: String
  ) throws(Flaw) -> (host: String, port: UInt16?, path: String?) {
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let path = rest[slash...]
    var authority = rest[..<slash]
    guard !authority.contains("@") else {
      throw Flaw(description: "\(text): neither a TCP server nor gpsd takes a user name.")
    }
    var host: Substring
    if authority.first == "[" {
      guard let bracket = authority.firstIndex(of: "]") else {
        throw Flaw(description: "\(text): the bracket of the IPv6 address is not closed.")
      }
      host = authority[authority.index(after: authority.startIndex)..<bracket]
      authority = authority[authority.index(after: bracket)...]
    } else {
      host = authority.prefix { $0 != ":" }
      authority = authority.dropFirst(host.count)
    }
    guard !host.isEmpty else { throw Flaw(description: "\(text): the host is missing.") }
    var port: UInt16?
    if !authority.isEmpty {
      guard authority.first == ":", authority.dropFirst().allSatisfy({ ("0"..."9").contains($0) }),
        let number = UInt16(authority.dropFirst()), number > 0
      else {
        throw Flaw(
          description: "\(text): the port must be 1 to 65535; put an IPv6 address in brackets.")
      }
      port = number
    }
    return (String(host), port, path.count > 1 ? String(path) : nil)
  }

  /// True for a file, also as standard input: it can wait, unlike a receiver.
  package var isFile: Bool {
    var status = stat()
    let code: Int32 =
      switch self {
      case .standardInput: fstat(STDIN_FILENO, &status)
      case .path(let path): stat(path, &status)
      case .tcp, .gpsd: -1
      }
    return code == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// True for a path of a device, which may be plugged in later. Another path that leads nowhere is
  /// a mistake.
  var isDevice: Bool { if case .path(let path) = self { path.hasPrefix("/dev/") } else { true } }

  /// The address as it is shown.
  package var description: String {
    func name(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
    return switch self {
    case .standardInput: "standard input"
    case .path(let path): path
    case .tcp(let host, let port): "tcp://\(name(host)):\(port)"
    case .gpsd(let host, let port, let device):
      "gpsd://\(name(host))" + (port == Self.gpsdPort ? "" : ":\(port)") + (device ?? "")
    }
  }
}
