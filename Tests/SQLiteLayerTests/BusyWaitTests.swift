import CSQLite
import TestSupport
import Testing

@testable import SQLiteLayer

/// The wait for another connection's lock. Connections of one process queue as those of several do.
@Suite struct BusyWaitTests {
  private let folder: TemporaryFolder
  private let holder: Connection
  private let waiter: Connection

  init() throws {
    folder = try TemporaryFolder()
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    holder = try Connection(path: folder.file("s.sqlite"), flags: flags)
    try holder.execute("CREATE TABLE t (x)")
    waiter = try Connection(path: folder.file("s.sqlite"), flags: flags)
  }

  private func error(_ body: () throws(DatabaseError) -> Void) -> DatabaseError? {
    do throws(DatabaseError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [0, 1, 120] as [Int64])
  func `work that could be canceled waits as long as other work, and then fails`(limit: Int64) {
    waiter.busyTimeoutMilliseconds = limit
    #expect(error { () throws(DatabaseError) in try holder.execute("BEGIN IMMEDIATE") } == nil)
    for canBeCanceled in [true, false] {
      let start = ContinuousClock.now
      let failure = error { () throws(DatabaseError) in
        guard canBeCanceled else { return try waiter.execute("BEGIN IMMEDIATE") }
        try waiter.stopping(if: { false }) { () throws(DatabaseError) in
          try waiter.execute("BEGIN IMMEDIATE")
        }
      }
      let isBusy = if case .busy = failure { true } else { false }
      #expect(isBusy, "\(String(describing: failure))")
      #expect(.now - start >= .milliseconds(limit))
    }
  }

  @Test func `a canceled wait ends as canceled work does, and the next wait is as before`() throws {
    waiter.busyTimeoutMilliseconds = 60_000
    try holder.execute("BEGIN IMMEDIATE")
    var looks = 0
    let failure = error { () throws(DatabaseError) in
      try waiter.stopping(
        if: {
          looks += 1
          return looks > 3
        },
        { () throws(DatabaseError) in try waiter.execute("BEGIN IMMEDIATE") })
    }
    let isInterrupted = if case .interrupted = failure { true } else { false }
    #expect(isInterrupted, "\(String(describing: failure))")
    #expect(try waiter.text("PRAGMA busy_timeout") == "60000")
    waiter.busyTimeoutMilliseconds = 1
    let next = error { () throws(DatabaseError) in try waiter.execute("BEGIN IMMEDIATE") }
    let isBusy = if case .busy = next { true } else { false }
    #expect(isBusy, "\(String(describing: next))")
    try holder.execute("ROLLBACK")
    try waiter.execute("BEGIN IMMEDIATE; ROLLBACK")
  }

  @Test func `a limit that is set while work can be canceled holds during the work and after`()
    throws
  {
    try holder.execute("BEGIN IMMEDIATE")
    waiter.busyTimeoutMilliseconds = 60_000
    let failure = error { () throws(DatabaseError) in
      try waiter.stopping(if: { false }) { () throws(DatabaseError) in
        waiter.busyTimeoutMilliseconds = 5
        try waiter.execute("BEGIN IMMEDIATE")
      }
    }
    let isBusy = if case .busy = failure { true } else { false }
    #expect(isBusy, "\(String(describing: failure))")
    #expect(try waiter.text("PRAGMA busy_timeout") == "5")
  }
}
