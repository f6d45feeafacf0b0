import Foundation

/// The open connections, and which one is closed when there are too many. A pure state machine.
///
/// A connection waits from its opening until a whole request has come, and again after each answer.
/// When all places are taken, the network with the most waiting connections loses the one that has
/// waited longest. So slow clients of a few addresses lose their own connections and keep nobody
/// out, without a limit for an address, which would strike everybody behind a proxy: there, where
/// all have the same address, the connection that has waited longest makes room.
///
/// - Complexity: O(1) for each call, and O(connections) for an opening when all places are taken.
package struct ConnectionTable: Sendable {
  /// What becomes of a connection that opens.
  package enum Admission: Hashable, Sendable {
    /// There is room.
    case admitted
    /// There is room once the connection with this number is closed.
    case replacing(Int)
    /// All connections are busy; this one must be closed.
    case refused
  }

  private struct Entry {
    let network: String
    /// Increases with the time at which the wait began; nil if the connection does not wait.
    var waitsSince: Int?
  }

  /// The maximum number of connections.
  package let most: Int
  private var entries: [Int: Entry] = [:]
  private var next = 0

  /// Creates a table without connections.
  package init(most: Int) { self.most = most }

  /// The number of connections.
  package var count: Int { entries.count }

  /// Adds a connection, which waits for its first request, or refuses it.
  ///
  /// - Parameters:
  ///   - number: a number that no other connection has.
  ///   - address: the address of the other end in digits.
  package mutating func open(_ number: Int, from address: String) -> Admission {
    var admission = Admission.admitted
    if entries.count >= most {
      guard let longest = longestWaiting else { return .refused }
      entries[longest] = nil
      admission = .replacing(longest)
    }
    entries[number] = Entry(network: Self.network(of: address))
    beginWait(number)
    return admission
  }

  /// Notes that a connection waits for a request.
  package mutating func beginWait(_ number: Int) {
    next += 1
    entries[number]?.waitsSince = next
  }

  /// Notes that a request of a connection has come as a whole.
  package mutating func endWait(_ number: Int) { entries[number]?.waitsSince = nil }

  /// Removes a connection, if it is there.
  package mutating func close(_ number: Int) { entries[number] = nil }

  /// The connection that has waited longest, of the network with most that wait. Of several such
  /// networks, the one counts whose connection has waited longest.
  private var longestWaiting: Int? {
    var networks: [String: (count: Int, oldest: (number: Int, since: Int))] = [:]
    for (number, entry) in entries {
      guard let since = entry.waitsSince else { continue }
      let known = networks[entry.network]
      let oldest = known.flatMap { $0.oldest.since < since ? $0.oldest : nil }
      networks[entry.network] = ((known?.count ?? 0) + 1, oldest ?? (number, since))
    }
    return networks.values.max { one, other in
      (one.count, -one.oldest.since) < (other.count, -other.oldest.since)
    }?.oldest.number
  }

  /// What counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, which is
  /// what a household or a host is given.
  ///
  /// - Source: RFC 6177, RFC 4291 section 2.5.5.2 for IPv4 addresses within IPv6.
  package static func network(of address: String) -> String {
    var bytes = in6_addr()
    // A zone follows a percent sign.
    guard inet_pton(AF_INET6, String(address.prefix { $0 != "%" }), &bytes) == 1 else {
      return address
    }
    // Sound: all of its bytes are set, and they are copied.
    let digits = withUnsafeBytes(of: &bytes) { Array($0) }
    if digits.prefix(10).allSatisfy({ $0 == 0 }), digits[10] == 0xFF, digits[11] == 0xFF {
      return digits[12...].map(String.init).joined(separator: ".")
    }
    return digits.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
  }
}
