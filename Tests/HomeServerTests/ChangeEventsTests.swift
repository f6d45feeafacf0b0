import GeoStore
import Synchronization
import Testing

@testable import HomeServer

@Suite struct ChangeEventsTests {
  /// A page that listens until it is forbidden.
  private final class Page: Sendable {
    let isAllowed = Mutex(true)
    let ends = Mutex(0)

    func listen(to events: ChangeEvents) -> AsyncStream<[UInt8]> {
      events.listen(
        whileAllowed: { self.isAllowed.withLock { $0 } },
        onEnd: { self.ends.withLock { $0 += 1 } })
    }
  }

  private func texts(_ stream: AsyncStream<[UInt8]>) async -> [String] {
    var texts: [String] = []
    for await bytes in stream { texts.append(String(decoding: bytes, as: UTF8.self)) }
    return texts
  }

  @Test(.timeLimit(.minutes(60)))
  func `a page that may not listen any more gets no event, and its stream ends`() async {
    let events = ChangeEvents()
    let (one, other) = (Page(), Page())
    let (first, second) = (one.listen(to: events), other.listen(to: events))
    var (reader, remaining) = (first.makeAsyncIterator(), second.makeAsyncIterator())
    #expect(await reader.next() != nil)
    #expect(await remaining.next() != nil)
    one.isAllowed.withLock { $0 = false }
    events.sendHeartbeat()
    #expect(await reader.next() == nil)
    #expect(await remaining.next() == Array(": \n\n".utf8))
    #expect(one.ends.withLock { $0 } == 1 && other.ends.withLock { $0 } == 0)
  }

  @Test(.timeLimit(.minutes(60)))
  func `a heartbeat does not replace a change that waits for a slow page`() async {
    let (events, page) = (ChangeEvents(), Page())
    var reader = page.listen(to: events).makeAsyncIterator()
    events.send(StoreChange())
    events.sendHeartbeat()
    events.sendHeartbeat()
    let event = await reader.next().map { String(decoding: $0, as: UTF8.self) }
    #expect(event?.hasPrefix("event: change\n") == true, "\(event ?? "")")
    events.sendHeartbeat()
    #expect(await reader.next() == Array(": \n\n".utf8))
  }

  @Test(.timeLimit(.minutes(60)))
  func `a stream ends without an event`() async {
    let (events, page) = (ChangeEvents(), Page())
    let stream = page.listen(to: events)
    page.isAllowed.withLock { $0 = false }
    events.endForbidden()
    #expect(await texts(stream) == ["retry: 3000\n\n"])
    #expect(page.ends.withLock { $0 } == 1)
  }
}
