import Synchronization
import Testing

@testable import Session

/// Delivery of events.
@Suite struct EventChannelTests {
  private func channel() -> EventChannel<Int> { EventChannel { -$0 } }

  private func take(_ count: Int, _ events: EventSequence<Int>) async -> [Int] {
    var found: [Int] = []
    for await event in events {
      found.append(event)
      if found.count == count { break }
    }
    return found
  }

  @Test(.timeLimit(.minutes(60)))
  func `every listener gets all events in order, from when it began to listen`() async {
    let channel = channel()
    channel.send([1])
    let first = channel.events()
    channel.send([2, 3])
    let second = channel.events()
    async let firstFound = take(1_002, first)
    async let secondFound = take(1_000, second)
    for number in 4..<1_004 { channel.send([number]) }
    #expect(await firstFound == Array(2..<1_004))
    #expect(await secondFound == Array(4..<1_004))
  }

  @Test(.timeLimit(.minutes(60)))
  func `a listener that is late loses the oldest events and learns how many`() async {
    let channel = channel()
    let events = channel.events(capacity: 10)
    for number in 1...100_000 { channel.send([number]) }
    #expect(await take(11, events) == [-99_990] + Array(99_991...100_000))
    channel.send([5])
    #expect(await take(1, events) == [5])
  }

  @Test func `a listener that never reads costs bounded memory`() {
    let queue = EventQueue<Int>(capacity: 100) { -$0 }
    for number in 1...100_000 {
      #expect(queue.append([number]).isEmpty)
      #expect(queue.heldCount <= 201)
    }
    #expect(queue.append(Array(0..<100_000)).isEmpty)
    #expect(queue.heldCount <= 201)
  }

  @Test(.timeLimit(.minutes(60)))
  func `a canceled listener ends, and a released one is forgotten`() async {
    let channel = channel()
    let events = channel.events()
    let task = Task { await self.take(1, events) }
    task.cancel()
    #expect(await task.value == [])
    do {
      let short = channel.events()
      _ = short
      #expect(!channel.isEmpty)
    }
    withExtendedLifetime(events) {}
    let lonely = self.channel()
    do { _ = lonely.events() }
    #expect(lonely.isEmpty)
  }

  @Test(.timeLimit(.minutes(60)))
  func `senders on several threads lose nothing`() async {
    let channel = channel()
    let events = channel.events(capacity: 100_000)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<10_000 { channel.send([thread * 10_000 + number]) }
        }
      }
    }
    let found = await take(40_000, events)
    #expect(found.sorted() == Array(0..<40_000))
    for thread in 0..<4 {
      let own = found.filter { $0 / 10_000 == thread }
      #expect(own == own.sorted(), "the order of a sender is kept")
    }
  }
}
