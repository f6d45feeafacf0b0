import Foundation
import Testing

/// A TCP server on the loopback interface, with a port that the system chose.
final class LoopbackServer {
  let port: UInt16
  private let listener: Int32

  init() throws {
    #if canImport(Darwin)
      let type = SOCK_STREAM
    #else
      let type = Int32(SOCK_STREAM.rawValue)
    #endif
    listener = socket(AF_INET, type, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    // Sound: a socket address of IPv4 is a socket address.
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) + listen(descriptor, 4) + getsockname(descriptor, $0, &size)
      }
    }
    try #require(code == 0)
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(listener) }

  /// Waits for the next client.
  func accept() throws -> Connection {
    let descriptor = Foundation.accept(listener, nil, nil)
    try #require(descriptor >= 0)
    return Connection(descriptor: descriptor)
  }

  /// A client's connection.
  final class Connection {
    private var descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }
    deinit { end() }

    /// Closes the connection.
    func end() {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }

    func send(_ text: String) throws {
      let bytes = Array(text.utf8)
      try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    }

    /// Reads until a line is complete.
    func line() throws -> String {
      var line = ""
      while !line.hasSuffix("\n") {
        var byte: UInt8 = 0
        try #require(read(descriptor, &byte, 1) == 1)
        line.unicodeScalars.append(Unicode.Scalar(byte))
      }
      return line
    }
  }
}
