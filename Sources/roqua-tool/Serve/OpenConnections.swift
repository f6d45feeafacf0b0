import HomeServer
import NIOCore
import Synchronization

/// The open connections of a transport, and the server that answers their requests.
final class OpenConnections: Sendable {
  private struct State {
    var table: ConnectionTable
    var channels: [Int: any Channel] = [:]
    var server: HomeServer?
    var next = 0
    var answers = 0
  }

  private let state: Mutex<State>

  /// Creates a table without connections.
  init(most: Int) { state = Mutex(State(table: ConnectionTable(most: most))) }

  /// Names the server, before the first connection opens.
  func begin(with server: HomeServer) { state.withLock { $0.server = server } }

  /// Whether no connection is open and no answer is being made or written. An answer goes on for a
  /// moment after its connection was closed by the other end, and needs the event loop.
  var isIdle: Bool { state.withLock { $0.table.count == 0 && $0.answers == 0 } }

  /// Closes all connections.
  func closeAll() {
    for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
  }

  /// Notes that an answer is being made.
  func beginAnswer() { state.withLock { $0.answers += 1 } }

  /// Notes that an answer no longer needs the event loop.
  func endAnswer() { state.withLock { $0.answers -= 1 } }

  /// Adds a connection. If all places are taken, one that waits is closed to make room.
  ///
  /// - Returns: the number of the connection and its server; nil if it must be closed.
  func open(_ channel: any Channel) -> (number: Int, server: HomeServer)? {
    let address = channel.remoteAddress?.ipAddress ?? ""
    let (number, admission, server, other) = state.withLock { state in
      state.next += 1
      let number = state.next
      let admission = state.table.open(number, from: address)
      var other: (any Channel)?
      if case .replacing(let longest) = admission {
        other = state.channels.removeValue(forKey: longest)
      }
      if admission != .refused { state.channels[number] = channel }
      return (number, admission, state.server, other)
    }
    other?.close(promise: nil)
    guard let server else { return nil }
    server.metrics.countConnection(admission)
    guard admission != .refused else { return nil }
    channel.closeFuture.whenComplete { [self] _ in
      state.withLock { state in
        state.table.close(number)
        state.channels[number] = nil
      }
      server.metrics.closeConnection()
    }
    return (number, server)
  }

  /// Notes that a connection waits for a request.
  func beginWait(_ number: Int) { state.withLock { $0.table.beginWait(number) } }

  /// Notes that a request of a connection has come as a whole.
  func endWait(_ number: Int) { state.withLock { $0.table.endWait(number) } }
}
