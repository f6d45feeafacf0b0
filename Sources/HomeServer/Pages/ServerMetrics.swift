import Foundation
import Synchronization
import TrackIngest

/// Counters of the server, as Prometheus reads them.
///
/// - Source: Prometheus text format 0.0.4,
///   <https://prometheus.io/docs/instrumenting/exposition_formats/>.
package final class ServerMetrics: Sendable {
  /// The upper limits of the classes of durations, in seconds.
  static let limits = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

  private struct State {
    var requests: [Int: Int] = [:]
    var classes = [Int](repeating: 0, count: ServerMetrics.limits.count + 1)
    var seconds = 0.0
    var received = 0
    var repeated = 0
    var skipped = 0
    var others = 0
    var wrongTokens = 0
    var limited = 0
    var connections = 0
    var refusedConnections = 0
    var replacedConnections = 0
    var listeners = 0
  }

  private let state = Mutex(State())
  private let start = Date().timeIntervalSince1970

  /// Creates counters at zero.
  package init() {}

  /// Counts an answer.
  func count(status: Int, seconds: Double) {
    state.withLock { state in
      state.requests[status, default: 0] += 1
      state.classes[Self.limits.firstIndex { seconds <= $0 } ?? Self.limits.count] += 1
      state.seconds += seconds
    }
  }

  /// Counts the fixes of a message.
  func count(_ receipt: Inbox.Receipt, skipped: Int, others: Int) {
    state.withLock { state in
      state.received += receipt.added
      state.repeated += receipt.repeated
      state.skipped += skipped
      state.others += others
    }
  }

  /// Counts a request with a token that is not one.
  func countWrongToken() { state.withLock { $0.wrongTokens += 1 } }

  /// Counts a request that came too soon.
  func countLimited() { state.withLock { $0.limited += 1 } }

  /// Changes the number of listeners to events. Returns false if there would be more than `most`.
  func changeListeners(by change: Int, most: Int = .max) -> Bool {
    state.withLock { state in
      guard state.listeners + change <= most else { return false }
      state.listeners += change
      return true
    }
  }

  /// Counts a connection that opens, and what became of it.
  package func countConnection(_ admission: ConnectionTable.Admission) {
    state.withLock { state in
      switch admission {
      case .admitted: break
      case .replacing: state.replacedConnections += 1
      case .refused: state.refusedConnections += 1
      }
      if admission != .refused { state.connections += 1 }
    }
  }

  /// Counts the end of a connection that was not refused.
  package func closeConnection() { state.withLock { $0.connections -= 1 } }

  /// The number of open connections.
  package var connectionCount: Int { state.withLock { $0.connections } }

  /// The text for Prometheus.
  package func text(_ counts: PhoneRecorder.Counts, waiting: Int, setAside: Int) -> String {
    let state = state.withLock { $0 }
    var lines: [String] = []
    func metric(_ name: String, _ kind: String, _ help: String, _ values: [(String, String)]) {
      lines += ["# HELP roqua_\(name) \(help)", "# TYPE roqua_\(name) \(kind)"]
      lines += values.map { "roqua_\(name)\($0.0) \($0.1)" }
    }
    func counter(_ name: String, _ help: String, _ value: Int) {
      metric(name, "counter", help, [("", "\(value)")])
    }
    func gauge(_ name: String, _ help: String, _ value: Int) {
      metric(name, "gauge", help, [("", "\(value)")])
    }
    metric(
      "requests_total", "counter", "Requests answered, by status.",
      state.requests.sorted { $0.key < $1.key }.map { ("{code=\"\($0.key)\"}", "\($0.value)") })
    lines += [
      "# HELP roqua_request_seconds Time from the end of a request to its answer.",
      "# TYPE roqua_request_seconds histogram",
    ]
    var sum = 0
    for (limit, count) in zip(Self.limits.map { "\($0)" } + ["+Inf"], state.classes) {
      sum += count
      lines.append("roqua_request_seconds_bucket{le=\"\(limit)\"} \(sum)")
    }
    lines += ["roqua_request_seconds_sum \(state.seconds)", "roqua_request_seconds_count \(sum)"]
    counter("fixes_received_total", "New fixes received.", state.received)
    counter("fixes_repeated_total", "Fixes that a device had sent before.", state.repeated)
    counter("positions_skipped_total", "Positions without a valid coordinate.", state.skipped)
    counter("messages_ignored_total", "Messages that are not positions.", state.others)
    counter("fixes_kept_total", "Fixes stored.", counts.kept)
    metric(
      "fixes_dropped_total", "counter", "Fixes dropped by the filter, by reason.",
      DropReason.allCases.map { ("{reason=\"\($0.rawValue)\"}", "\(counts.dropped[$0] ?? 0)") })
    gauge("fixes_waiting", "Fixes that wait for the store.", waiting)
    gauge("inbox_rows_set_aside", "Damaged rows of the inbox, which are kept.", setAside)
    counter("store_failures_total", "Failed attempts to write the store.", counts.failures)
    counter("wrong_tokens_total", "Requests with a token that is not one.", state.wrongTokens)
    counter("limited_requests_total", "Requests refused because they came too soon.", state.limited)
    gauge("connections", "Open connections.", state.connections)
    counter(
      "connections_refused_total", "Connections refused because too many were open and busy.",
      state.refusedConnections)
    counter(
      "connections_replaced_total", "Waiting connections closed to make room for others.",
      state.replacedConnections)
    gauge("event_listeners", "Pages that listen to changes.", state.listeners)
    metric(
      "last_fix_time_seconds", "gauge", "Time of the last fix of a device, in seconds since 1970.",
      counts.lastTimes.sorted { $0.key < $1.key }.map {
        ("{device=\"\($0.key)\"}", "\(Double($0.value.millisecondsSince1970) / 1_000)")
      })
    metric(
      "start_time_seconds", "gauge", "Time of the server's start, in seconds since 1970.",
      [("", "\(start)")])
    return lines.joined(separator: "\n") + "\n"
  }
}
