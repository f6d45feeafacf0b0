import Dispatch
import Synchronization

/// Visits many pages of a database file on two threads: one reads, while the other parses what it
/// has read.
struct PageRound {
  private let connection: Connection
  private let pageSize: Int
  /// The number of pages of the file.
  private let pageCount: Int
  /// The pages, in the order of the file.
  private let visits: [PageVisit]
  /// Maximum number of pages read together: 64 KiB of usual pages.
  private static let windowPages = 16
  /// Maximum number of pages in a row that are read without being visited, which saves a call.
  private static let bridgedPages = 4
  /// The number of pages from which a second thread is used: for a few, its start takes longer.
  private static let pagesForThreads = 256

  /// - Parameter visits: pages that exist, in the order of the file.
  init(_ connection: Connection, pageSize: Int, pageCount: Int, _ visits: [PageVisit]) {
    self.connection = connection
    self.pageSize = pageSize
    self.pageCount = pageCount
    self.visits = visits
  }

  /// What is shared by the threads.
  private struct State {
    /// The first page that was not read yet.
    var next = 0
    /// The number of pages that those read so far reference. No file has more of them than pages,
    /// so that the memory for them is limited in a damaged file, too.
    var foundCount = 0
    /// Whether a page does not follow the format; then no thread reads on.
    var isDamaged = false
    var error: DatabaseError?
    var findings: [PageVisit.Findings] = []
  }

  /// Returns what the pages say, in no particular order; nil if one does not follow the format.
  func findings() throws(DatabaseError) -> [PageVisit.Findings]? {
    let state = Mutex(State())
    if visits.count < Self.pagesForThreads {
      work(state)
    } else {
      // Sound: SQLite's file object is used by one thread at a time, under the lock, and everything
      // else that the threads share is never written.
      nonisolated(unsafe) let round = self
      DispatchQueue.concurrentPerform(iterations: 2) { _ in round.work(state) }
    }
    let result = state.withLock { $0 }
    if let error = result.error { throw error }
    return result.isDamaged ? nil : result.findings
  }

  /// Reads and parses pages until none is left.
  private func work(_ state: borrowing Mutex<State>) {
    var findings = PageVisit.Findings()
    var reported = 0
    while let (part, bytes) = state.withLock({ state in
      state.foundCount += findings.visits.count - reported
      if state.foundCount > pageCount { state.isDamaged = true }
      return window(&state)
    }) {
      reported = findings.visits.count
      let first = visits[part.lowerBound].number
      for visit in visits[part] {
        let start = Int(visit.number - first) * pageSize
        let page = PageBytes(bytes, start: start, count: pageSize)
        guard findings.add(page, of: visit) else {
          state.withLock { $0.isDamaged = true }
          return
        }
      }
    }
    state.withLock { $0.findings.append(findings) }
  }

  /// Reads the next pages that are close; nil if none is left.
  private func window(_ state: inout State) -> (Range<Int>, [UInt8])? {
    let start = state.next
    guard start < visits.count, !state.isDamaged, state.error == nil else { return nil }
    let first = visits[start].number
    var end = start + 1
    while end < visits.count, visits[end].number - first < UInt32(Self.windowPages),
      visits[end].number - visits[end - 1].number <= UInt32(Self.bridgedPages) + 1
    {
      end += 1
    }
    state.next = end
    do throws(DatabaseError) {
      let bytes = try connection.wholeFileBytes(
        at: Int64(first - 1) * Int64(pageSize),
        count: Int(visits[end - 1].number - first + 1) * pageSize)
      return (start..<end, bytes)
    } catch {
      state.error = error
      return nil
    }
  }
}
