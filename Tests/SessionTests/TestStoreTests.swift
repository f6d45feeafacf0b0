import RoquaTesting
import Session
import Testing

/// The test store finds what it must find.
@Suite struct TestStoreTests {
  private struct Counter: Reducer {
    var isRandom = false
    func reduce(_ state: inout Int, _ action: Int) -> [String] {
      state += isRandom ? Int.random(in: 1...1_000_000_000) : action
      return action == 2 ? ["two"] : []
    }
  }

  private final class Failures { var texts: [String] = [] }

  private func failures(
    _ reducer: Counter = Counter(), _ body: (TestStore<Counter>) -> Void
  ) -> [String] {
    let failures = Failures()
    body(TestStore(reducer, 0) { failures.texts.append($0) })
    return failures.texts
  }

  @Test func `asserted changes and effects pass`() {
    let texts = failures {
      $0.send(1) { $0 = 1 }
      $0.send(2) { $0 = 3 }
      $0.receive("two")
      $0.finish()
    }
    #expect(texts.isEmpty)
  }

  @Test func `a change that was not asserted fails`() {
    #expect(failures { $0.send(1) }.count == 1)
    #expect(failures { $0.send(1) { $0 = 5 } }.count == 1)
    #expect(failures { $0.send(0) { $0 = 1 } }.count == 1)
  }

  @Test func `an effect that was not received fails`() {
    #expect(
      failures {
        $0.send(2) { $0 = 2 }; $0.finish()
      }.count == 1)
    #expect(
      failures {
        $0.send(2) { $0 = 2 }; $0.send(1) { $0 = 3 }
      }.count == 1)
    #expect(failures { $0.receive("two") }.count == 1)
    #expect(
      failures {
        $0.send(2) { $0 = 2 }; $0.receive("three")
      }.count == 1)
  }

  @Test func `a reducer that is not a function fails`() {
    #expect(!failures(Counter(isRandom: true)) { $0.send(1) { $0 = 1 } }.isEmpty)
  }
}
