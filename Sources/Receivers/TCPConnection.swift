import Foundation

/// Connections to TCP servers.
enum TCPConnection {
  /// The time that a server has to accept a connection, in milliseconds.
  static let longestConnectMilliseconds: Int32 = 10_000
  /// Seconds of silence after which the system asks if the server is still there, the seconds
  /// between such questions, and how many may stay unanswered: a server that lost its power is
  /// noticed after a minute.
  private static let keepAlive = (idle: Int32(30), interval: Int32(10), count: Int32(3))

  /// Connects to the first address of a host that answers.
  ///
  /// - Returns: a socket that does not block.
  static func open(host: String, port: UInt16) throws(ReceiverError) -> Int32 {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = streamType
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      throw ReceiverError("the host \(host) is unknown: \(String(cString: gai_strerror(code)))")
    }
    defer { freeaddrinfo(list) }
    var failure = ReceiverError("the host \(host) has no address")
    var next = list
    while let address = next {
      // Sound: the list is freed only when this call ends.
      let info = address.pointee
      next = info.ai_next
      do throws(ReceiverError) { return try open(info) } catch { failure = error }
    }
    throw failure
  }

  private static var streamType: Int32 {
    #if canImport(Darwin)
      SOCK_STREAM
    #else
      Int32(SOCK_STREAM.rawValue)
    #endif
  }

  private static func open(_ address: addrinfo) throws(ReceiverError) -> Int32 {
    let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
    guard descriptor >= 0 else { throw ReceiverError("no socket", errno: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    if connect(descriptor, address.ai_addr, address.ai_addrlen) != 0, errno != EINPROGRESS {
      return try close(descriptor, because: ReceiverError("it does not answer", errno: errno))
    }
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let ready = retrying { Foundation.poll(&poll, 1, longestConnectMilliseconds) }
    guard ready != 0 else {
      return try close(descriptor, because: ReceiverError("it does not answer"))
    }
    var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    guard ready > 0, getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0, code == 0
    else {
      let reason = code == 0 ? errno : code
      return try close(descriptor, because: ReceiverError("it does not answer", errno: reason))
    }
    set(SOL_SOCKET, SO_KEEPALIVE, to: 1, of: descriptor)
    #if os(Linux)
      let level = Int32(IPPROTO_TCP)
      set(level, TCP_KEEPIDLE, to: keepAlive.idle, of: descriptor)
      set(level, TCP_KEEPINTVL, to: keepAlive.interval, of: descriptor)
      set(level, TCP_KEEPCNT, to: keepAlive.count, of: descriptor)
    #else
      set(SOL_SOCKET, SO_NOSIGPIPE, to: 1, of: descriptor)
    #endif
    return descriptor
  }

  private static func close(
    _ descriptor: Int32, because error: ReceiverError
  ) throws(ReceiverError) -> Int32 {
    Foundation.close(descriptor)
    throw error
  }

  private static func set(_ level: Int32, _ option: Int32, to value: Int32, of socket: Int32) {
    var value = value
    setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Sends all of a short text.
  static func send(_ text: String, on descriptor: Int32) throws(ReceiverError) {
    #if os(Linux)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    let bytes = Array(text.utf8)
    let sent = retrying { Foundation.send(descriptor, bytes, bytes.count, flags) }
    guard sent == bytes.count else { throw ReceiverError("it cannot be asked", errno: errno) }
  }

  /// Calls a function of the system again as long as a signal interrupts it.
  static func retrying<Value: SignedInteger>(_ call: () -> Value) -> Value {
    while true {
      let value = call()
      if value >= 0 || errno != EINTR { return value }
    }
  }
}
