import Dispatch
import Foundation
import HomeServer
import Roqua

/// A server that runs until a signal ends it.
struct ServerProcess {
  let server: HomeServer
  let transport: HTTPTransport
  let listen: ListenAddress
  let isJSON: Bool

  /// Takes the port of an address.
  ///
  /// - Throws: `Console.Failure` if the address cannot be used.
  static func transport(_ listen: ListenAddress) throws -> HTTPTransport {
    do {
      return try HTTPTransport(host: listen.host, port: listen.port)
    } catch {
      throw Console.Failure(
        "\(listen.host):\(listen.port): cannot listen: \(HTTPTransport.reason(error))")
    }
  }

  /// Runs the server. Returns after SIGINT or SIGTERM, when all that has come is stored.
  func run() {
    // Before it listens: who starts it may end it at once.
    let signals = EndSignals()
    // A connection that closed while it is written to is an error, not the end.
    signal(SIGPIPE, SIG_IGN)
    transport.serve(server)
    let host = listen.host.contains(":") ? "[\(listen.host)]" : listen.host
    let address = "http://\(host):\(transport.port)"
    if isJSON {
      Console.print(["listening": .string(address)])
    } else {
      Console.print("Listening on \(address). Ctrl-C ends the server.")
    }
    let running = Task { [server] in await server.run() }
    signals.wait()
    let stored = DispatchSemaphore(value: 0)
    Task { [server, transport] in
      server.closeEvents()
      await transport.close()
      running.cancel()
      await running.value
      await server.finish()
      stored.signal()
    }
    stored.wait()
  }
}
