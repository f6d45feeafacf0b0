// Checks that mutex.c works: threads that wait for a Mutex are not reported as a race, and with the
// argument "race" two threads that access a value without a lock are. Run by scripts/sanitize.
import Foundation
import Synchronization

final class Counter: @unchecked Sendable {
  let locked = Mutex([Int]())
  var unlocked = 0
}

let counter = Counter()
let races = CommandLine.arguments.contains("race")
let ended = DispatchSemaphore(value: 0)
for _ in 0..<4 {
  Thread {
    for round in 0..<20_000 {
      counter.locked.withLock { values in
        values.append(round)
        if values.count > 100 { values.removeAll() }
        if round % 50 == 0 { usleep(10) }
      }
      if races { counter.unlocked += 1 }
    }
    ended.signal()
  }.start()
}
for _ in 0..<4 { ended.wait() }
