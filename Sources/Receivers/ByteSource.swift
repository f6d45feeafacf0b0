import Foundation

/// The bytes of a receiver, from a descriptor. It knows no protocol but the request that gpsd needs
/// before it sends anything.
package final class ByteSource {
  /// What to open, and how.
  package struct Options: Hashable, Sendable {
    /// Where the receiver is.
    package var address: ReceiverAddress
    /// The speed of a serial line in bits per second.
    package var baud = SerialLine.defaultSpeed
    /// True to ask gpsd for the sentences of the receiver instead of its own messages.
    package var asksForNMEA = false

    /// Creates options.
    package init(_ address: ReceiverAddress) { self.address = address }
  }

  /// What a stream is.
  package enum Kind: Sendable {
    /// A live stream: when it ends, it may come back.
    case live
    /// A stream that ends for good: standard input, or a file.
    case finite
  }

  /// What a read gives.
  package enum Reading: Hashable, Sendable {
    /// The number of bytes, at least 1.
    case bytes(Int)
    /// Nothing in time.
    case nothing
    /// The end of the stream, or why it broke off.
    case end(ReceiverError?)
  }

  private let descriptor: Int32
  private let closesDescriptor: Bool
  /// Whether the stream may come back after its end.
  package let kind: Kind

  /// Opens a receiver. Blocks for at most some seconds.
  ///
  /// - Throws: ``ReceiverError``.
  package init(_ options: Options) throws(ReceiverError) {
    switch options.address {
    case .standardInput: (descriptor, closesDescriptor, kind) = (STDIN_FILENO, false, .finite)
    case .path(let path):
      let opened = try Self.open(path, baud: options.baud)
      (descriptor, kind) = opened
      closesDescriptor = true
    case .tcp(let host, let port):
      descriptor = try TCPConnection.open(host: host, port: port)
      (closesDescriptor, kind) = (true, .live)
    case .gpsd(let host, let port, _):
      let socket = try TCPConnection.open(host: host, port: port)
      do throws(ReceiverError) {
        try TCPConnection.send(Self.request(options), on: socket)
      } catch {
        Foundation.close(socket)
        throw error
      }
      (descriptor, closesDescriptor, kind) = (socket, true, .live)
    }
  }

  deinit { if closesDescriptor { close(descriptor) } }

  /// The request to gpsd. A device is chosen by the reader of its messages: gpsd_json(5) limits a
  /// request to 80 characters. Raw sentences do not name their device, so there it is asked for.
  static func request(_ options: Options) -> String {
    guard options.asksForNMEA else { return "?WATCH={\"enable\":true,\"json\":true};\n" }
    var device = ""
    if case .gpsd(_, _, let path?) = options.address {
      let escaped = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      device = ",\"device\":\"\(escaped)\""
    }
    return "?WATCH={\"enable\":true,\"nmea\":true\(device)};\n"
  }

  private static func open(
    _ path: String, baud: Int
  ) throws(ReceiverError) -> (Int32, Kind) {
    // Does not block: neither for a writer of a named pipe, nor for a modem's carrier.
    let descriptor = TCPConnection.retrying {
      Foundation.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    }
    guard descriptor >= 0 else {
      let code = errno
      let hint = code == EACCES ? " (add your account to the group of the device)" : ""
      var error = ReceiverError("it cannot be opened: \(String(cString: strerror(code)))\(hint)")
      error.isMissing = code == ENOENT
      throw error
    }
    do throws(ReceiverError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else {
        throw ReceiverError("it cannot be examined", errno: errno)
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG: return (descriptor, .finite)
      case S_IFDIR: throw ReceiverError("it is a folder", isFinal: true)
      case S_IFCHR where isatty(descriptor) == 1:
        try SerialLine.makeRaw(descriptor, speed: baud)
      default: break
      }
      return (descriptor, .live)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Waits for bytes and reads some.
  ///
  /// - Parameters:
  ///   - buffer: receives the bytes.
  ///   - milliseconds: the longest wait.
  package func read(into buffer: UnsafeMutableRawBufferPointer, milliseconds: Int32) -> Reading {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let ready = Foundation.poll(&poll, 1, milliseconds)
    if ready == 0 || ready < 0 && errno == EINTR { return .nothing }
    guard ready > 0 else { return .end(ReceiverError("it cannot be read", errno: errno)) }
    let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end(nil) }
    let code = errno
    if code == EAGAIN || code == EWOULDBLOCK || code == EINTR {
      // A device that is gone may say so only by its state.
      let isGone = poll.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
      return isGone ? .end(ReceiverError("it is gone")) : .nothing
    }
    return .end(ReceiverError("it cannot be read", errno: code))
  }
}
