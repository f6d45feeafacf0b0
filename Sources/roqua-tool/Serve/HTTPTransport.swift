import Foundation
import HomeServer
import NIOCore
import NIOHTTP1
import NIOPosix

/// A TCP port that passes HTTP requests to a server. It is taken first and served later, so that
/// nothing is created if the port is in use.
final class HTTPTransport: Sendable {
  /// What a connection may do.
  enum Limits {
    /// Open connections.
    static let connections = 256
    /// Bytes of all fields of a head, and of one.
    static let headBytes = 16_384
    /// Fields of a head.
    static let fields = 64
    /// Bytes of a body.
    static let bodyBytes = 1 << 20
    /// Time for a head, from the opening of the connection.
    static let head = TimeAmount.seconds(10)
    /// Time for a body, from the end of the head.
    static let body = TimeAmount.seconds(30)
    /// Time between two requests of a connection.
    static let idle = TimeAmount.seconds(60)
    /// Time in which the other end has to read what was written.
    static let write = TimeAmount.seconds(30)
    /// Time until a refused connection is closed, so that the answer arrives.
    static let lingering = TimeAmount.milliseconds(300)
  }

  /// The port.
  let port: Int
  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel
  private let connections: OpenConnections

  /// Takes a port. Connections wait until ``serve(_:)``.
  ///
  /// - Throws: if the address cannot be used.
  init(host: String, port: Int) throws {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let connections = OpenConnections(most: Limits.connections)
    self.connections = connections
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: false)
      .childChannelOption(.maxMessagesPerRead, value: 4)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          var configuration = NIOHTTPDecoderLimitConfiguration()
          configuration.maxHeaderFieldSize = Limits.headBytes
          configuration.maxHeaderListSize = Limits.headBytes
          configuration.maxHeaderFieldCount = Limits.fields
          let decoder = HTTPRequestDecoder(limitConfiguration: configuration)
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandlers([
            HTTPResponseEncoder(), ByteToMessageHandler(decoder), HTTPServerPipelineHandler(),
            HTTPServerProtocolErrorHandler(), HTTPRequestHandler(connections),
          ])
        }
      }
    do {
      channel = try bootstrap.bind(host: host, port: port).wait()
    } catch {
      try? group.syncShutdownGracefully()
      throw error
    }
    self.port = channel.localAddress?.port ?? port
  }

  /// Begins to accept connections, and passes their requests to a server.
  func serve(_ server: HomeServer) {
    connections.begin(with: server)
    channel.setOption(.autoRead, value: true).whenComplete { _ in }
  }

  /// Stops listening, and closes all connections when their answers are written.
  func close() async {
    try? await channel.close()
    // Answers that are on their way get two seconds, and as long to notice that they are canceled.
    await waitUntilIdle(seconds: 2)
    connections.closeAll()
    await waitUntilIdle(seconds: 2)
    try? await group.shutdownGracefully()
  }

  private func waitUntilIdle(seconds: Int) async {
    for _ in 0..<(10 * seconds) where !connections.isIdle {
      try? await Task.sleep(for: .milliseconds(100))
    }
  }

  /// Why an address cannot be used.
  static func reason(_ error: any Error) -> String {
    switch error {
    case let error as IOError: String(cString: strerror(error.errnoCode))
    case is SocketAddressError.UnknownHost: "no address of this name is known"
    default: "the address cannot be used"
    }
  }
}
