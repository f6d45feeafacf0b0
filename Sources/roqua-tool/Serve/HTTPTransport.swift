import HomeServer
import NIOCore
import NIOHTTP1
import NIOPosix

/// Listens on a TCP port and passes HTTP requests to a server.
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
  private let metrics: ServerMetrics

  /// Starts to listen.
  ///
  /// - Throws: if the address cannot be used.
  init(_ server: HomeServer, host: String, port: Int) throws {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    metrics = server.metrics
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.maxMessagesPerRead, value: 4)
      .childChannelInitializer { channel in
        guard server.metrics.openConnection(most: Limits.connections) else {
          return channel.close()
        }
        channel.closeFuture.whenComplete { _ in server.metrics.closeConnection() }
        return channel.eventLoop.makeCompletedFuture {
          var configuration = NIOHTTPDecoderLimitConfiguration()
          configuration.maxHeaderFieldSize = Limits.headBytes
          configuration.maxHeaderListSize = Limits.headBytes
          configuration.maxHeaderFieldCount = Limits.fields
          let decoder = HTTPRequestDecoder(limitConfiguration: configuration)
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandlers([
            HTTPResponseEncoder(), ByteToMessageHandler(decoder), HTTPServerPipelineHandler(),
            HTTPServerProtocolErrorHandler(), HTTPRequestHandler(server),
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

  /// Stops listening, and closes all connections when their answers are written.
  func close() async {
    try? await channel.close()
    // Answers that are on their way get two seconds.
    for _ in 0..<20 where metrics.connectionCount > 0 {
      try? await Task.sleep(for: .milliseconds(100))
    }
    try? await group.shutdownGracefully()
  }

  /// Why an address cannot be used.
  static func reason(_ error: any Error) -> String {
    guard let error = error as? IOError else { return "\(error)" }
    return String(cString: strerror(error.errnoCode))
  }
}
