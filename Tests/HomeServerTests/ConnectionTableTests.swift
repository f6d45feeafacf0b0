import SeededRandom
import TestSupport
import Testing

@testable import HomeServer

@Suite struct ConnectionTableTests {
  /// The table as a plain list, in the order in which waits began.
  private struct SlowTable {
    let most: Int
    var waiting: [(number: Int, network: String)] = []
    var busy: [(number: Int, network: String)] = []

    mutating func open(_ number: Int, from address: String) -> ConnectionTable.Admission {
      var admission = ConnectionTable.Admission.admitted
      if waiting.count + busy.count >= most {
        // The first of the list whose network has as many as any.
        let counts = Dictionary(grouping: waiting, by: \.network).mapValues(\.count)
        guard
          let index = waiting.firstIndex(where: { counts[$0.network] == counts.values.max() })
        else { return .refused }
        admission = .replacing(waiting.remove(at: index).number)
      }
      waiting.append((number, ConnectionTable.network(of: address)))
      return admission
    }

    mutating func move(_ number: Int, toBusy: Bool) {
      guard let known = (waiting + busy).first(where: { $0.number == number }) else { return }
      close(number)
      if toBusy { busy.append(known) } else { waiting.append(known) }
    }

    mutating func close(_ number: Int) {
      waiting.removeAll { $0.number == number }
      busy.removeAll { $0.number == number }
    }
  }

  @Test(arguments: UInt64(1)...20) func `it does what a plain list does`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (table, slow) = (ConnectionTable(most: 12), SlowTable(most: 12))
    let addresses = ["10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db8::2", "::ffff:10.0.0.1"]
    var number = 0
    for _ in 0..<2_000 {
      let one = number - Int.random(in: 0..<16, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2:
        number += 1
        let address = addresses[Int.random(in: 0..<addresses.count, using: &random)]
        #expect(table.open(number, from: address) == slow.open(number, from: address))
      case 3:
        table.endWait(one)
        slow.move(one, toBusy: true)
      case 4:
        table.beginWait(one)
        slow.move(one, toBusy: false)
      default:
        table.close(one)
        slow.close(one)
      }
      #expect(table.count == slow.waiting.count + slow.busy.count && table.count <= 12)
    }
  }

  @Test func `slow clients of a few addresses close only their own connections`() {
    var table = ConnectionTable(most: 256)
    #expect(table.open(0, from: "192.0.2.1") == .admitted)
    for number in 1...10_000 {
      let admission = table.open(number, from: "198.51.100.\(number % 4)")
      #expect(admission != .refused && admission != .replacing(0))
    }
    // Someone new gets in, and is not the next to go.
    let admission = table.open(20_000, from: "203.0.113.1")
    #expect(admission != .refused && admission != .replacing(0))
    #expect(table.open(20_001, from: "198.51.100.0") != .replacing(20_000))
    #expect(table.count == 256)
  }

  @Test func `behind a proxy, the connection that has waited longest makes room`() {
    var table = ConnectionTable(most: 3)
    for number in 1...3 { #expect(table.open(number, from: "127.0.0.1") == .admitted) }
    table.endWait(1)
    #expect(table.open(4, from: "127.0.0.1") == .replacing(2))
    table.beginWait(1)
    #expect(table.open(5, from: "127.0.0.1") == .replacing(3))
    #expect(table.open(6, from: "127.0.0.1") == .replacing(4))
    #expect(table.open(7, from: "127.0.0.1") == .replacing(1))
  }

  @Test func `a busy connection is never closed for another`() {
    var table = ConnectionTable(most: 2)
    for number in 1...2 {
      #expect(table.open(number, from: "192.0.2.1") == .admitted)
      table.endWait(number)
    }
    #expect(table.open(3, from: "192.0.2.2") == .refused)
    table.close(1)
    #expect(table.open(4, from: "192.0.2.2") == .admitted)
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("", ""), ("x", "x"),
  ]) func `an IPv4 address is a client of its own`(address: String, network: String) {
    #expect(ConnectionTable.network(of: address) == network)
  }

  @Test func `the addresses of an IPv6 network of 64 bits are one client`() {
    let network = ConnectionTable.network(of: "2001:db8:1:2::1")
    #expect(ConnectionTable.network(of: "2001:db8:1:2:ffff:1:2:3") == network)
    #expect(ConnectionTable.network(of: "2001:db8:1:3::1") != network)
    #expect(ConnectionTable.network(of: "fe80::1%eth0") == ConnectionTable.network(of: "fe80::2"))
  }
}
